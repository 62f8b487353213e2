//! What can go wrong when a web is put together or started.

use std::io;
use std::net::Ipv4Addr;
use std::path::PathBuf;

/// Why a web could not be built or started.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Two sites answer to one name.
    #[error("two sites are called `{host}`")]
    HostTwice {
        /// The name they share.
        host: String,
    },
    /// A site's name cannot stand in a DNS answer.
    #[error("`{host}` is not a host name")]
    HostName {
        /// The name as the site gave it.
        host: String,
    },
    /// A host named by its address is not on loopback.
    #[error("`{address}` is not a loopback address; the web only listens on 127.0.0.0/8")]
    NotLoopback {
        /// The address the site asked for.
        address: Ipv4Addr,
    },
    /// A port could not be listened on.
    #[error("cannot listen on {what} port {port}")]
    Listen {
        /// `HTTP`, `HTTPS` or `DNS`.
        what: &'static str,
        /// The port asked for; 0 means any.
        port: u16,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// No certificate authority could be made up.
    #[error("cannot make a certificate authority")]
    Authority(#[source] rcgen::Error),
    /// The threads that serve could not be started.
    #[error("cannot start the server's threads")]
    Threads(#[source] io::Error),
    /// A file or folder could not be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A line of a manifest is not `URL<tab>file`.
    #[error("line {line} of `{}` is not a URL, a tab and a file below the folder", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
}
