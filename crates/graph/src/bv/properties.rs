//! What a graph in the BV format says of itself: its size, and how its lists are written.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::bits::{Code, MAX_ZETA};
use crate::Error;

/// Largest window that is read: WebGraph's own default is 7.
const MAX_WINDOW: u32 = 1 << 16;
/// Longest chain of references that is followed: WebGraph's own default is 3.
const MAX_CHAIN: u32 = 1 << 8;
/// Far above what such a file needs.
const MAX_BYTES: u64 = 1 << 20;

/// How lists are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// How many lists before its own a list may refer to.
    pub(crate) window: u32,
    /// How many lists are read at most to have one that refers to another.
    pub(crate) max_chain: u32,
    /// Shortest run of successive nodes that is an interval; 0 if there are none.
    pub(crate) min_interval: u32,
    pub(crate) codes: Codes,
}

/// What each part of a list is coded in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Codes {
    pub(crate) degree: Code,
    pub(crate) reference: Code,
    pub(crate) block: Code,
    pub(crate) interval: Code,
    pub(crate) residual: Code,
}

/// Those of the framework, whose files other programs read without being told.
impl Default for Parameters {
    fn default() -> Self {
        Self { window: 7, max_chain: 3, min_interval: 4, codes: Codes::with_zeta(3) }
    }
}

impl Codes {
    fn with_zeta(k: u32) -> Self {
        Self {
            degree: Code::Gamma,
            reference: Code::Unary,
            block: Code::Gamma,
            interval: Code::Gamma,
            residual: Code::Zeta(k),
        }
    }

    /// Returns what is called so in the properties.
    fn named(&mut self, name: &str) -> Option<&mut Code> {
        Some(match name {
            "OUTDEGREES" => &mut self.degree,
            "REFERENCES" => &mut self.reference,
            "BLOCKS" => &mut self.block,
            "INTERVALS" => &mut self.interval,
            "RESIDUALS" => &mut self.residual,
            _ => return None,
        })
    }

    /// Takes over a flag such as `RESIDUALS_DELTA`.
    fn set(&mut self, flag: &str, k: u32) -> Result<(), String> {
        // The offsets are always in γ, and reading lists in turn needs none.
        if flag.is_empty() || flag == "OFFSETS_GAMMA" {
            return Ok(());
        }
        let unknown = || format!("its compression flag `{flag}` is not known");
        let (name, code) = flag.split_once('_').ok_or_else(unknown)?;
        let place = self.named(name).ok_or_else(unknown)?;
        *place = match code {
            "UNARY" => Code::Unary,
            "GAMMA" => Code::Gamma,
            "DELTA" => Code::Delta,
            "ZETA" => Code::Zeta(k),
            _ => {
                let k = code.strip_prefix("ZETA").and_then(|k| k.parse().ok());
                Code::Zeta(k.filter(|k| (1..=MAX_ZETA).contains(k)).ok_or_else(unknown)?)
            }
        };
        Ok(())
    }
}

/// A graph's properties.
#[derive(Clone, Debug)]
pub(crate) struct Properties {
    pub(crate) num_nodes: u32,
    pub(crate) num_arcs: u64,
    pub(crate) parameters: Parameters,
}

impl Properties {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file("open", path))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut bytes).map_err(Error::file("read", path))?;
        Self::parse(&String::from_utf8_lossy(&bytes)).map_err(|what| Error::damaged(path, what))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let pairs = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let pairs = pairs.filter_map(|line| line.split_once('='));
        let map: HashMap<_, _> = pairs.map(|(key, value)| (key.trim(), value.trim())).collect();
        let get = |key| map.get(key).copied();
        let class = get("graphclass").unwrap_or_default();
        if !class.ends_with(".BVGraph") {
            return Err(format!("its graph class is `{class}`, not a BVGraph"));
        }
        if get("endianness").is_some_and(|order| order != "big") {
            return Err("only bits in big-endian order can be read".to_owned());
        }
        let number = |key, default: Option<u64>| match get(key) {
            Some(text) => text.parse::<u64>().map_err(|_| format!("its `{key}` is `{text}`")),
            None => default.ok_or_else(|| format!("it does not say `{key}`")),
        };
        let num_nodes = u32::try_from(number("nodes", None)?).ok().filter(|num| *num < u32::MAX);
        let num_nodes = num_nodes.ok_or_else(|| "it has too many nodes".to_owned())?;
        let num_arcs = number("arcs", None)?;
        let k = u32::try_from(number("zetak", Some(3))?).ok();
        let k = k.filter(|k| (1..=MAX_ZETA).contains(k));
        let k = k.ok_or_else(|| format!("its `zetak` is not between 1 and {MAX_ZETA}"))?;
        let small = |key, default, most: u32| {
            let found = u32::try_from(number(key, Some(default))?).ok().filter(|it| *it <= most);
            found.ok_or_else(|| format!("its `{key}` is above {most}"))
        };
        let mut codes = Codes::with_zeta(k);
        for flag in get("compressionflags").unwrap_or_default().split('|') {
            codes.set(flag.trim(), k)?;
        }
        let parameters = Parameters {
            window: small("windowsize", 7, MAX_WINDOW)?,
            // No limit is said as −1 or as the largest number, by the version of the framework.
            max_chain: small("maxrefcount", 3, MAX_CHAIN).unwrap_or(MAX_CHAIN),
            min_interval: small("minintervallength", 4, u32::MAX)?,
            codes,
        };
        Ok(Self { num_nodes, num_arcs, parameters })
    }

    /// Returns the text of the file; `bits` are those of all lists, the sums are over all nodes.
    pub(crate) fn to_text(&self, bits: u64, sum_of_chains: u64, sum_of_references: u64) -> String {
        let Self { num_nodes, num_arcs, parameters } = self;
        let Parameters { window, max_chain, min_interval, codes } = parameters;
        let mut lines = format!(
            "#BVGraph properties\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nversion=0\n\
             endianness=big\nnodes={num_nodes}\narcs={num_arcs}\n\
             minintervallength={min_interval}\nmaxrefcount={max_chain}\nwindowsize={window}\n"
        );
        let mut line = |text: String| lines.push_str(&(text + "\n"));
        let per = |sum: u64, num: u64| sum as f64 / num as f64;
        let nodes = u64::from(*num_nodes);
        if nodes > 0 {
            line(format!("avgref={:.3}", per(sum_of_chains, nodes)));
            line(format!("avgdist={:.3}", per(sum_of_references, nodes)));
            line(format!("bitspernode={}", per(bits, nodes)));
        }
        if *num_arcs > 0 {
            line(format!("bitsperlink={}", per(bits, *num_arcs)));
        }
        line(format!("length={bits}"));
        if let Some(bound) = bits_of_choice(nodes as f64, *num_arcs as f64) {
            line(format!("compratio={:.3}", bits as f64 / bound));
        }
        line(format!("compressionflags={}", codes.flags()));
        line(format!("zetak={}", codes.zeta()));
        lines
    }
}

impl Codes {
    /// Returns the parameter of the ζ code, or the usual one.
    fn zeta(&self) -> u32 {
        match self.residual {
            Code::Zeta(k) => k,
            _ => 3,
        }
    }

    /// Returns the flags that [`Self::set`] reads: what is as usual has none.
    fn flags(&self) -> String {
        let (mut codes, mut usual) = (self.clone(), Self::with_zeta(self.zeta()));
        let mut flags = String::new();
        for name in ["OUTDEGREES", "REFERENCES", "BLOCKS", "INTERVALS", "RESIDUALS"] {
            let code = codes.named(name).map(|code| *code);
            if code == usual.named(name).map(|code| *code) {
                continue;
            }
            let code = match code {
                Some(Code::Unary) => "UNARY".to_owned(),
                Some(Code::Delta) => "DELTA".to_owned(),
                Some(Code::Zeta(k)) => format!("ZETA{k}"),
                Some(Code::Gamma) | None => "GAMMA".to_owned(),
            };
            let part = if flags.is_empty() { "" } else { "|" };
            let _ = write!(flags, "{part}{name}_{code}");
        }
        flags
    }
}

/// Returns the bits that say which of all pairs of nodes are arcs, if nothing is known of them.
fn bits_of_choice(num_nodes: f64, num_arcs: f64) -> Option<f64> {
    let log_of_factorial = |n: f64| n * (n.ln() - 1.0) + 0.5 * (std::f64::consts::TAU * n).ln();
    let num_pairs = num_nodes * num_nodes;
    (num_arcs > 0.0 && num_arcs < num_pairs).then(|| {
        let [all, some, others] = [num_pairs, num_arcs, num_pairs - num_arcs].map(log_of_factorial);
        (all - some - others) / 2.0_f64.ln()
    })
}
