//! A web for a measurement: folders that `testweb` serves as hosts, crawled into a collection.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use anyhow::{Context as _, bail};

use super::{Bench, cargo_build};

/// A host and the folder of its pages.
pub(super) struct Host {
    pub(super) name: String,
    pub(super) pages: PathBuf,
}

/// Crawls hosts from their start pages on, without the addresses that match a pattern; `graph` is
/// what the link analysis is told.
pub(super) fn crawl(
    bench: &Bench,
    hosts: &[Host],
    exclude: &[&str],
    graph: &str,
    dir: &Path,
    profile: &str,
) -> anyhow::Result<()> {
    let testweb = cargo_build(profile, "testweb")?;
    let served = Served::start(&testweb, hosts)?;
    fs::create_dir_all(dir).context("cannot make a folder for the collection")?;
    let exclude: Vec<String> = exclude.iter().map(|pattern| format!("\"{pattern}\"")).collect();
    let Served { port, dns, .. } = &served;
    let config = format!(
        "[crawl]\nscope = \"host\"\ndelay = \"0s\"\naddresses = \"loopback\"\n\
         dns_servers = [\"{dns}\"]\ninstead_of_port_80 = {port}\nexclude = [{}]\n\
         [graph]\n{graph}",
        exclude.join(", ")
    );
    fs::write(dir.join("lookfar.toml"), config).context("cannot write lookfar.toml")?;
    let mut command = bench.command(dir);
    command.args(["crawl", "--until-idle"]);
    command.args(hosts.iter().map(|host| format!("http://{}/", host.name)));
    let status = command.stdout(Stdio::null()).status().context("cannot start lookfar")?;
    if !status.success() {
        bail!("the pages cannot be crawled; see above");
    }
    Ok(())
}

/// Folders as hosts, until it is dropped.
struct Served {
    process: Child,
    port: String,
    dns: String,
}

impl Served {
    fn start(testweb: &Path, hosts: &[Host]) -> anyhow::Result<Self> {
        let mut command = Command::new(testweb);
        command.args(["sites", "--port", "0", "--dns-port", "0"]);
        for Host { name, pages } in hosts {
            command.args(["--site", &format!("{name}={}", pages.display())]);
        }
        let mut process = command.stdout(Stdio::piped()).spawn().context("cannot start testweb")?;
        let said = process.stdout.take().context("testweb says nothing")?;
        let (mut port, mut dns) = (None, None);
        for line in BufReader::new(said).lines() {
            let line = line.context("cannot read what testweb says")?;
            port = port.or_else(|| word_behind(&line, "; port "));
            dns = dns.or_else(|| word_behind(&line, "DNS at "));
            if let (Some(port), Some(dns)) = (&port, &dns) {
                let (port, dns) = (port.clone(), dns.clone());
                return Ok(Self { process, port, dns });
            }
        }
        bail!("testweb ended before it served anything")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn word_behind(line: &str, mark: &str) -> Option<String> {
    let (_, rest) = line.split_once(mark)?;
    rest.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_from_what_testweb_says() {
        let line = "hosts: 3; port 7480 stands for port 80";
        assert_eq!(word_behind(line, "; port ").as_deref(), Some("7480"));
        let line = "  names     DNS at 127.0.0.1:7453 (UDP and TCP)";
        assert_eq!(word_behind(line, "DNS at ").as_deref(), Some("127.0.0.1:7453"));
    }
}
