//! The program `testweb`: serves a made-up web on this machine until it is stopped.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use testweb::{Folder, Generated, GeneratedOptions, Mix, Naming, Running, Site, Web, WebKb, demo};

/// Serves a made-up web on loopback, for crawlers to practise on.
///
/// Every host has an address of its own in 127.0.0.0/8, and all of them listen on one port that
/// stands for port 80. A DNS server knows their names. Nothing leaves this machine and nobody
/// from outside is served. The same options always serve the same bytes.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    what: What,
    #[command(flatten)]
    serving: Serving,
}

const EXAMPLES: &str = "\
Examples:
  testweb demo                                       the demo web: 60 hosts, some 2,000 pages
  testweb generated --hosts 100 --pages 100000       a large web, made page by page
  testweb generated --addresses --port 8080          for crawlers that cannot be given a DNS server
  testweb generated --list                           what a crawl of it must find: URL, status, kind
  testweb sites --site docs.example=./html           a folder of files as a host
  testweb sites --webkb data/webkb                   the university web of 1997
  testweb demo --access-log access.tsv               who asked for what, when, on which connection

Open a host in a browser as http://NAME.localhost:PORT/, for instance http://cats.localhost:7480/
for http://cats.lookfar/.";

#[derive(Subcommand)]
enum What {
    /// Serve the demo web, in which every phenomenon of a search engine can be seen
    Demo {
        /// Number that decides all texts and links
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Serve hosts made from a seed, as many as asked for
    Generated(GeneratedArgs),
    /// Serve only what `--site` and `--webkb` name
    Sites,
}

#[derive(Args)]
struct GeneratedArgs {
    /// Number that decides all texts and links
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of hosts
    #[arg(long, default_value_t = 10)]
    hosts: usize,
    /// Number of pages on all hosts together
    #[arg(long, default_value_t = 1_000)]
    pages: u64,
    /// Smallest and largest page in bytes
    #[arg(long, num_args = 2, value_names = ["MIN", "MAX"], default_values_t = [20_000, 60_000])]
    page_bytes: Vec<usize>,
    /// How many of the last hosts live together on one address
    #[arg(long, default_value_t = 2)]
    shared_hosts: usize,
    /// Seconds of `Crawl-delay` in each robots.txt
    #[arg(long, value_name = "SECONDS")]
    crawl_delay: Option<u64>,
    /// Name hosts by address (http://127.100.0.1:PORT/) instead of by name
    #[arg(long)]
    addresses: bool,
    /// Whether some pages redirect, fail, dawdle, change or are disallowed
    #[arg(long, value_enum, default_value_t = Trouble::Some)]
    trouble: Trouble,
    /// Print every page with its status and kind, and serve nothing
    #[arg(long)]
    list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Trouble {
    /// About one page in ten
    Some,
    /// Plain pages only
    None,
}

#[derive(Args)]
struct Serving {
    /// Also serve a folder of files as a host; may be given several times
    #[arg(long = "site", global = true, value_name = "HOST=PATH", value_parser = host_and_folder)]
    sites: Vec<(String, PathBuf)>,
    /// Also serve the WebKB pack in this folder as its hosts
    #[arg(long, global = true, value_name = "DIR")]
    webkb: Option<PathBuf>,
    /// Port that stands for port 80; 0 takes any free one
    #[arg(long, global = true, default_value_t = 7480)]
    port: u16,
    /// Port of the DNS server; 0 takes any free one
    #[arg(long, global = true, default_value_t = 7453)]
    dns_port: u16,
    /// Seconds for which DNS answers may be kept
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 60)]
    ttl: u64,
    /// Write every request to this file: tab-separated, or JSON lines if it ends in `.jsonl`
    #[arg(long, global = true, value_name = "FILE")]
    access_log: Option<PathBuf>,
    /// Send pages uncompressed even to those who accept gzip
    #[arg(long, global = true)]
    no_gzip: bool,
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let mut stderr = io::stderr().lock();
            // When even this fails there is nobody left to tell.
            let _ = writeln!(stderr, "error: {error}");
            for cause in error.chain().skip(1) {
                let _ = writeln!(stderr, "  caused by: {cause}");
            }
            if let Some(hint) = hint(&error) {
                let _ = writeln!(stderr, "hint: {hint}");
            }
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let (sites, start) = match &cli.what {
        What::Demo { seed } => (demo::sites(*seed), Some(demo::SEED.to_owned())),
        What::Generated(args) => {
            let made = Generated::new(args.options());
            if args.list {
                return list(&made);
            }
            (made.sites(), Some(made.seed_url()))
        }
        What::Sites => (Vec::new(), None),
    };
    let web = cli.serving.start(sites)?;
    explain(&web, start.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(asked_to_stop())?;
    let num_requests = web.log().count(testweb::Of::All) as u64 + web.log().missed();
    writeln!(io::stderr(), "stopped after {num_requests} requests")?;
    Ok(())
}

/// Waits for Ctrl-C, or for the signal that service managers send.
async fn asked_to_stop() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

impl GeneratedArgs {
    fn options(&self) -> GeneratedOptions {
        let (least, most) = (self.page_bytes[0], self.page_bytes[1]);
        GeneratedOptions {
            seed: self.seed,
            hosts: self.hosts,
            pages: self.pages,
            naming: if self.addresses { Naming::Addresses } else { Naming::Names },
            page_bytes: least..=most.max(least),
            mix: if self.trouble == Trouble::Some { Mix::default() } else { Mix::none() },
            shared_hosts: self.shared_hosts,
            crawl_delay: self.crawl_delay.map(Duration::from_secs),
            ..GeneratedOptions::default()
        }
    }
}

impl Serving {
    fn start(self, sites: Vec<Box<dyn Site>>) -> anyhow::Result<Running> {
        let mut web = Web::new().sites(sites).http_port(self.port).dns_port(self.dns_port);
        web = web.ttl(Duration::from_secs(self.ttl));
        for (host, folder) in &self.sites {
            web = web.site(Folder::open(host, folder)?);
        }
        if let Some(folder) = &self.webkb {
            web = web.sites(WebKb::open(folder)?.sites());
        }
        if let Some(path) = self.access_log {
            web = web.access_log(path);
        }
        if self.no_gzip {
            web = web.without_gzip();
        }
        if web.num_sites() == 0 {
            anyhow::bail!("there is nothing to serve; name a folder with `--site HOST=PATH`");
        }
        Ok(web.start()?)
    }
}

/// Says where the web is and how to reach it.
fn explain(web: &Running, start: Option<&str>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let num_hosts = web.hosts().count();
    let first = web.hosts().next().unwrap_or_default().to_owned();
    let start = start.map_or_else(|| format!("http://{first}/"), str::to_owned);
    writeln!(out, "hosts: {num_hosts}; port {} stands for port 80", web.http_port)?;
    writeln!(out, "  names     DNS at {} (UDP and TCP)", web.dns_addr)?;
    writeln!(out, "  start at  {start}")?;
    writeln!(out, "  browser   {}", web.browser_url(&start))?;
    if let (Some(host), Some(socket)) =
        (host_of(&start), host_of(&start).and_then(|h| web.socket_of(h)))
    {
        writeln!(
            out,
            "  try       curl --connect-to ::{socket} {start}   ({host} is {})",
            socket.ip()
        )?;
    }
    writeln!(
        out,
        "  crawlers  resolve names at {}, connect to port {} where a URL means port 80, and \
         allow loopback addresses",
        web.dns_addr, web.http_port
    )?;
    writeln!(out, "Ctrl-C stops it.")?;
    out.flush()
}

fn list(made: &Generated) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for page in made.pages() {
        writeln!(out, "{}\t{}\t{:?}\t{}", page.url, page.status, page.kind, page.mark)?;
    }
    Ok(out.flush()?)
}

fn host_of(url: &str) -> Option<&str> {
    url.strip_prefix("http://")?.split('/').next()
}

fn host_and_folder(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((host, folder)) if !host.is_empty() && !folder.is_empty() => {
            Ok((host.to_owned(), PathBuf::from(folder)))
        }
        _ => Err("write a host, an equals sign and a folder, as in docs.example=./html".to_owned()),
    }
}

fn hint(error: &anyhow::Error) -> Option<&'static str> {
    match error.downcast_ref()? {
        testweb::Error::Listen { .. } => Some(
            "another program has that port; choose one with `--port` or `--dns-port`, 0 takes any",
        ),
        _ => None,
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
