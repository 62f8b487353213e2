//! What can keep the server from starting.

use std::io;
use std::net::SocketAddr;

use thiserror::Error as ThisError;

/// What can keep the server from starting; once it runs, nothing a visitor does ends it.
#[derive(Debug, ThisError)]
pub enum Error {
    /// Another program listens there already.
    #[error("port {} of `{}` is in use", address.port(), address.ip())]
    PortInUse {
        /// The address asked for.
        address: SocketAddr,
    },
    /// The address cannot be listened on: not ours, not allowed, not there.
    #[error("cannot listen on `{address}`")]
    Bind {
        /// The address asked for.
        address: SocketAddr,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The socket cannot be handed to the runtime.
    #[error("cannot use the listening socket")]
    Listen {
        /// What the system said.
        #[source]
        source: io::Error,
    },
}

impl Error {
    /// Returns what the user can do about it, if we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::PortInUse { .. } => {
                Some("stop the other program, or choose a port with `--port`".to_owned())
            }
            Self::Bind { source, address } if source.kind() == io::ErrorKind::PermissionDenied => {
                let port = address.port();
                Some(format!("port {port} needs more rights; take one from 1024 up with `--port`"))
            }
            Self::Bind { .. } | Self::Listen { .. } => None,
        }
    }
}
