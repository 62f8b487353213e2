//! The shape of a generated web: hosts, paths, kinds and links as functions of the seed.
//!
//! Nothing is stored per page. Host `h` has the pages `starts[h] .. starts[h + 1]`; within a
//! host page `i` links to `8 i + 1 ..= 8 i + 8`, and home page `h` to the homes of hosts
//! `8 h + 1 ..= 8 h + 8`, so everything can be reached from the first home page. All other
//! links point to page `n · u⁴` for a uniform `u`, which makes the number of links that a page
//! gets fall as a power of its rank, like on the real web.

use fastrand::Rng;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::words::{ENGLISH, LANGUAGES, Language};
use super::{GeneratedOptions, Kind, Naming, prose};

/// Children of a page in its host's tree, and of a home page in the tree of homes.
const ARITY: u64 = 8;

/// Paths below this are disallowed by robots.txt.
pub(super) const DISALLOWED: &str = "/private/";

const SECTIONS: [&str; 8] =
    ["stories", "guides", "people", "places", "notes", "archive", "letters", "reports"];

/// Hosts and pages, and everything about them that is not text.
pub(super) struct Shape {
    pub(super) options: GeneratedOptions,
    /// First page number of each host, and the number of pages at the end.
    starts: Vec<u64>,
}

/// A page by host and by number within the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spot {
    pub(super) host: usize,
    pub(super) local: u64,
}

/// What a random stream is for; two purposes never see the same numbers.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Kind = 1,
    Path,
    Title,
    Links,
    Text,
    Host,
    Change,
}

impl Shape {
    pub(super) fn new(mut options: GeneratedOptions) -> Self {
        options.hosts = options.hosts.max(1);
        options.pages = options.pages.max(options.hosts as u64);
        // Large hosts and small ones: sizes fall with the host's number.
        let weights = (0..options.hosts).map(|host| (host as f64 + 1.0).powf(-0.6));
        let total: f64 = weights.clone().sum();
        let spare = (options.pages - options.hosts as u64) as f64;
        let mut sizes: Vec<u64> =
            weights.map(|weight| 1 + (spare * weight / total).floor() as u64).collect();
        sizes[0] += options.pages - sizes.iter().sum::<u64>();
        let mut starts = vec![0];
        for size in sizes {
            starts.push(starts.last().copied().unwrap_or(0) + size);
        }
        Self { options, starts }
    }

    pub(super) fn num_hosts(&self) -> usize {
        self.options.hosts
    }

    /// Returns how many pages a host has; at least one.
    pub(super) fn num_pages_of(&self, host: usize) -> u64 {
        self.starts[host + 1] - self.starts[host]
    }

    /// Returns the page's number in the whole web.
    pub(super) fn number(&self, spot: Spot) -> u64 {
        self.starts[spot.host] + spot.local
    }

    /// Returns random numbers that depend on the seed, the page and the purpose only.
    pub(super) fn rng(&self, spot: Spot, purpose: Purpose) -> Rng {
        let mut key = [0; 17];
        key[..8].copy_from_slice(&(spot.host as u64).to_le_bytes());
        key[8..16].copy_from_slice(&spot.local.to_le_bytes());
        key[16] = purpose as u8;
        Rng::with_seed(xxh3_64_with_seed(&key, self.options.seed))
    }

    fn host_rng(&self, host: usize) -> Rng {
        self.rng(Spot { host, local: 0 }, Purpose::Host)
    }

    pub(super) fn language(&self, host: usize) -> &'static Language {
        LANGUAGES[host % LANGUAGES.len()]
    }

    /// Returns whether the host has a robots.txt; one in five has none.
    pub(super) fn has_robots(&self, host: usize) -> bool {
        self.host_rng(host).u8(..5) != 0
    }

    /// Returns whether the host's pages can be asked for on condition; one in five cannot.
    pub(super) fn has_validators(&self, host: usize) -> bool {
        let mut rng = self.host_rng(host);
        rng.u8(..);
        rng.u8(..5) != 0
    }

    /// Returns the host's name.
    pub(super) fn host_name(&self, host: usize) -> String {
        if self.options.naming == Naming::Addresses {
            // A range of its own, beside the one that named hosts are settled in.
            let [_, b, c, d] = (host as u32 + 1).to_be_bytes();
            return format!("127.{}.{c}.{d}", 100_u8.saturating_add(b));
        }
        let (nouns, adjectives) = (ENGLISH.nouns, ENGLISH.adjectives);
        // Every fifth host is a part of the one before it, as on the real web.
        let (front, base) = if host % 5 == 4 { ("docs.", host - 1) } else { ("", host) };
        let adjective = adjectives[base % adjectives.len()];
        let round = base / adjectives.len();
        let noun = nouns[(base + round) % nouns.len()];
        let count = match round / nouns.len() {
            0 => String::new(),
            lap => format!("-{lap}"),
        };
        format!("{front}{adjective}-{noun}{count}.{}", self.options.tld)
    }

    /// Returns path and query of a page.
    pub(super) fn path(&self, spot: Spot) -> String {
        if spot.local == 0 {
            return "/".to_owned();
        }
        let mut rng = self.rng(spot, Purpose::Path);
        let section = SECTIONS[rng.usize(..SECTIONS.len())];
        let first = prose::draw(ENGLISH.adjectives, &mut rng);
        let second = prose::draw(ENGLISH.nouns, &mut rng);
        match self.kind(spot) {
            Kind::Disallowed => format!("{DISALLOWED}{second}-{}.html", spot.local),
            _ if rng.u8(..20) == 0 => format!("/{section}?item={}", spot.local),
            _ => format!("/{section}/{first}-{second}-{}.html", spot.local),
        }
    }

    /// Returns the page at a path, if there is one.
    pub(super) fn find(&self, host: usize, target: &str) -> Option<Spot> {
        let local = if target == "/" {
            0
        } else {
            let stem = target.strip_suffix(".html").unwrap_or(target);
            stem.rsplit(['-', '=']).next()?.parse().ok()?
        };
        let spot = Spot { host, local };
        (local < self.num_pages_of(host) && self.path(spot) == target).then_some(spot)
    }

    /// Returns what kind of page it is. Pages that others are reached through are ordinary.
    pub(super) fn kind(&self, spot: Spot) -> Kind {
        let mut rng = self.rng(spot, Purpose::Kind);
        let mix = &self.options.mix;
        if rng.u16(..1_000) < mix.changing {
            return Kind::Changing;
        }
        if spot.local == 0 || self.is_inner(spot) {
            return Kind::Plain;
        }
        let mut roll = rng.u16(..1_000);
        for (share, kind) in [
            (mix.redirects, Kind::Redirect),
            (mix.missing, Kind::Missing),
            (mix.broken, Kind::Broken),
            (mix.busy, Kind::Busy),
            (mix.slow, Kind::Slow),
            (if self.has_robots(spot.host) { mix.disallowed } else { 0 }, Kind::Disallowed),
        ] {
            if roll < share {
                return kind;
            }
            roll -= share;
        }
        Kind::Plain
    }

    fn is_inner(&self, spot: Spot) -> bool {
        spot.local * ARITY + 1 < self.num_pages_of(spot.host)
    }

    /// Returns where a redirect leads and with which status: always to an ordinary page.
    pub(super) fn redirect(&self, spot: Spot) -> (u16, Spot) {
        let mut rng = self.rng(spot, Purpose::Links);
        let status = [301, 302, 307, 308][rng.usize(..4)];
        let host = if rng.u8(..4) == 0 { self.popular_host(&mut rng) } else { spot.host };
        let inner = self.num_pages_of(host).saturating_sub(2) / ARITY + 1;
        (status, Spot { host, local: popular(inner, &mut rng) })
    }

    /// Returns the pages that a page links to, each once, itself not among them.
    pub(super) fn links(&self, spot: Spot) -> Vec<Spot> {
        let mut rng = self.rng(spot, Purpose::Links);
        let size = self.num_pages_of(spot.host);
        let local = |local| Spot { host: spot.host, local };
        let mut links = vec![local(0), local(spot.local.saturating_sub(1) / ARITY)];
        links.extend(children(spot.local, size).map(local));
        if spot.local == 0 {
            let homes = children(spot.host as u64, self.num_hosts() as u64);
            links.extend(homes.map(|host| Spot { host: host as usize, local: 0 }));
        }
        for _ in 0..rng.usize(4..=14) {
            links.push(local(popular(size, &mut rng)));
        }
        for _ in 0..rng.usize(1..=7) {
            let host = self.popular_host(&mut rng);
            let home = rng.bool();
            let local = if home { 0 } else { popular(self.num_pages_of(host), &mut rng) };
            links.push(Spot { host, local });
        }
        links.sort_unstable();
        links.dedup();
        links.retain(|link| *link != spot);
        links
    }

    fn popular_host(&self, rng: &mut Rng) -> usize {
        popular(self.num_hosts() as u64, rng) as usize
    }
}

/// Returns the children of a node in a tree of `size` nodes.
fn children(node: u64, size: u64) -> impl Iterator<Item = u64> {
    (node * ARITY + 1..=node * ARITY + ARITY).take_while(move |child| *child < size)
}

/// Returns a number below `size`, which must not be 0, small ones far more often.
fn popular(size: u64, rng: &mut Rng) -> u64 {
    ((size as f64 * rng.f64().powi(4)) as u64).min(size - 1)
}
