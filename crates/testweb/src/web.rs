//! Puts a web together and runs it.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::dns::{self, Dns, DnsAnswer, Scripts};
use crate::hosts::Hosts;
use crate::log::Log;
use crate::respond::Gzip;
use crate::server::{Clock, Server};
use crate::{Error, Site, localhost};

/// Threads that serve; the crawler under test needs the other cores.
const THREADS: usize = 2;

/// How often two free ports with one number (UDP and TCP) are looked for.
const PORT_TRIES: usize = 16;

/// How long a web may take to stop.
const STOP: Duration = Duration::from_secs(2);

/// A web being put together.
pub struct Web {
    sites: Vec<Box<dyn Site>>,
    groups: HashMap<String, String>,
    others: BTreeMap<String, Vec<IpAddr>>,
    scripts: Scripts,
    dns_tcp: bool,
    http_port: u16,
    dns_port: u16,
    ttl: Duration,
    gzip: Gzip,
    frozen: bool,
    log_file: Option<PathBuf>,
}

/// A web that is being served. Dropping it stops it.
pub struct Running {
    /// The port every host listens on, on its own address; stands for port 80.
    pub http_port: u16,
    /// Where the DNS server answers, over UDP and TCP.
    pub dns_addr: SocketAddr,
    server: Arc<Server>,
    dns: Arc<Dns>,
    runtime: Option<Runtime>,
}

impl Default for Web {
    fn default() -> Self {
        Self {
            sites: Vec::new(),
            groups: HashMap::new(),
            others: BTreeMap::new(),
            scripts: Scripts::new(),
            dns_tcp: true,
            http_port: 0,
            dns_port: 0,
            ttl: Duration::from_secs(60),
            gzip: Gzip::WhenAccepted,
            frozen: false,
            log_file: None,
        }
    }
}

impl Web {
    /// Returns a web without sites, on any free ports.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a site.
    #[must_use]
    pub fn site(mut self, site: impl Site + 'static) -> Self {
        self.sites.push(Box::new(site));
        self
    }

    /// Adds many sites.
    #[must_use]
    pub fn sites(mut self, sites: impl IntoIterator<Item = Box<dyn Site>>) -> Self {
        self.sites.extend(sites);
        self
    }

    /// Puts some hosts on one address.
    #[must_use]
    pub fn share(mut self, hosts: &[&str]) -> Self {
        let group = format!("shared by {}", hosts.join(" "));
        for host in hosts {
            self.groups.insert(host.to_ascii_lowercase(), group.clone());
        }
        self
    }

    /// Makes a name resolve to any addresses although no site answers to it, for instance to
    /// see whether a crawler refuses to dial them.
    #[must_use]
    pub fn name(mut self, name: &str, addresses: &[IpAddr]) -> Self {
        self.others.insert(name.to_ascii_lowercase(), addresses.to_vec());
        self
    }

    /// Answers questions for a name as told, hostile or not; said twice, the second comes next
    /// and the last repeats. `*.name` is everything below a name.
    #[must_use]
    pub fn dns(mut self, name: &str, answer: DnsAnswer) -> Self {
        self.scripts.entry(name.to_ascii_lowercase()).or_default().push(answer);
        self
    }

    /// Closes the DNS server's TCP port.
    #[must_use]
    pub fn without_dns_over_tcp(mut self) -> Self {
        self.dns_tcp = false;
        self
    }

    /// Listens on this port; 0, the default, takes any free one.
    #[must_use]
    pub fn http_port(mut self, port: u16) -> Self {
        self.http_port = port;
        self
    }

    /// Answers DNS on this port; 0, the default, takes any free one.
    #[must_use]
    pub fn dns_port(mut self, port: u16) -> Self {
        self.dns_port = port;
        self
    }

    /// Sets how long DNS answers may be kept. Default one minute.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// Never compresses, whatever the client accepts.
    #[must_use]
    pub fn without_gzip(mut self) -> Self {
        self.gzip = Gzip::Never;
        self
    }

    /// Lets pages age only by [`Running::advance`], so that a test decides what changed.
    #[must_use]
    pub fn frozen(mut self) -> Self {
        self.frozen = true;
        self
    }

    /// Writes finished requests to a file: tab-separated, or JSON lines for `*.jsonl`.
    #[must_use]
    pub fn access_log(mut self, path: impl Into<PathBuf>) -> Self {
        self.log_file = Some(path.into());
        self
    }

    /// Returns how many sites were added so far.
    pub fn num_sites(&self) -> usize {
        self.sites.len()
    }

    /// Starts serving on threads of its own; may be called with or without a runtime around.
    pub fn start(self) -> Result<Running, Error> {
        let hosts = Arc::new(Hosts::settle(self.sites, &self.groups, self.others)?);
        let log = Log::new();
        if let Some(path) = &self.log_file {
            log.follow(path)?;
        }
        let listener = listen(self.http_port).map_err(|source| Error::Listen {
            what: "HTTP",
            port: self.http_port,
            source,
        })?;
        let http_port = listener.1;
        let (udp, tcp) = dns_sockets(self.dns_port).map_err(|source| Error::Listen {
            what: "DNS",
            port: self.dns_port,
            source,
        })?;
        let dns_addr = SocketAddr::from((Ipv4Addr::LOCALHOST, tcp.1));
        let server = Arc::new(Server {
            hosts: Arc::clone(&hosts),
            log,
            gzip: self.gzip,
            port: http_port,
            clock: Clock { frozen: self.frozen, ahead_us: AtomicU64::new(0) },
        });
        let ttl = u32::try_from(self.ttl.as_secs()).unwrap_or(u32::MAX);
        let dns = Arc::new(Dns::new(hosts, self.scripts, ttl));
        let tcp = self.dns_tcp.then_some(tcp.0);
        let runtime = run(&server, listener.0, &dns, udp, tcp).map_err(Error::Threads)?;
        Ok(Running { http_port, dns_addr, server, dns, runtime: Some(runtime) })
    }
}

impl Running {
    /// Returns the access log.
    pub fn log(&self) -> &Log {
        &self.server.log
    }

    /// Returns the DNS server: what it was asked, and a way to stop it for a while.
    pub fn dns(&self) -> &Dns {
        &self.dns
    }

    /// Returns the names of all hosts in the order they were given.
    pub fn hosts(&self) -> impl Iterator<Item = &str> {
        self.server.hosts.places().iter().map(|place| &*place.name)
    }

    /// Returns the address a host lives on.
    pub fn address_of(&self, host: &str) -> Option<Ipv4Addr> {
        self.server.hosts.by_name(&host.to_ascii_lowercase()).map(|place| place.address)
    }

    /// Returns where a host listens.
    pub fn socket_of(&self, host: &str) -> Option<SocketAddr> {
        self.address_of(host).map(|address| SocketAddr::from((address, self.http_port)))
    }

    /// Returns the time that sites see.
    pub fn elapsed(&self) -> Duration {
        self.server.elapsed()
    }

    /// Lets the web grow older at once: pages that change over time have changed.
    pub fn advance(&self, by: Duration) {
        let micros = u64::try_from(by.as_micros()).unwrap_or(u64::MAX);
        self.server.clock.ahead_us.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns the URL under which a browser on this machine opens a page of this web:
    /// `http://cats.lookfar/x` becomes `http://cats.localhost:7480/x`. Others stay as they are.
    pub fn browser_url(&self, url: &str) -> String {
        let rewritten = localhost::rewrite(url.as_bytes(), &self.server.hosts, self.http_port);
        String::from_utf8_lossy(&rewritten).into_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A runtime must not be waited for inside another one, and whoever starts the next
            // web on this port wants it to be free: so a thread waits, and we for the thread.
            let stop = std::thread::spawn(move || runtime.shutdown_timeout(STOP));
            // It cannot panic; if it did, the sockets are closed all the same.
            let _ = stop.join();
        }
        self.server.log.flush();
    }
}

/// Starts the HTTP and DNS servers on a runtime of their own.
fn run(
    server: &Arc<Server>,
    http: TcpListener,
    dns: &Arc<Dns>,
    udp: UdpSocket,
    tcp: Option<TcpListener>,
) -> io::Result<Runtime> {
    let runtime = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_name("testweb")
        .enable_all()
        .build()?;
    let guard = runtime.enter();
    let http = tokio::net::TcpListener::from_std(http)?;
    runtime.spawn(Arc::clone(server).accept(http));
    runtime.spawn(keep_flushed(server.log.clone()));
    let tcp = tcp.map(tokio::net::TcpListener::from_std).transpose()?;
    dns::serve(dns, tokio::net::UdpSocket::from_std(udp)?, tcp);
    drop(guard);
    Ok(runtime)
}

/// Lets those who watch the access log's file see each request soon.
async fn keep_flushed(log: Log) {
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        log.flush();
    }
}

/// Listens on every address; [`Server::accept`] turns away who is not on loopback.
fn listen(port: u16) -> io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, port))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

/// Opens UDP and TCP on one port of 127.0.0.1.
fn dns_sockets(port: u16) -> io::Result<(UdpSocket, (TcpListener, u16))> {
    let mut tries = if port == 0 { PORT_TRIES } else { 1 };
    loop {
        tries -= 1;
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let chosen = tcp.local_addr()?.port();
        match UdpSocket::bind((Ipv4Addr::LOCALHOST, chosen)) {
            Ok(udp) => {
                tcp.set_nonblocking(true)?;
                udp.set_nonblocking(true)?;
                return Ok((udp, (tcp, chosen)));
            }
            Err(error) if tries == 0 => return Err(error),
            Err(_) => {}
        }
    }
}
