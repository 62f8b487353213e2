//! TLS as the crawler speaks it: which authorities are trusted, which protocols are offered,
//! and what it means when a handshake fails (TLS-01 … TLS-08).

use std::io;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::{Error, Failure};

/// Ready-made set-ups, by what they offer.
pub(super) struct Tls {
    both: TlsConnector,
    http1: TlsConnector,
}

/// Versions of HTTP offered to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// HTTP/2 and HTTP/1.1; the server chooses.
    Both,
    /// Only HTTP/1.1, for a server that asked for it.
    Http1,
}

impl Tls {
    /// Trusts the certificate authorities that browsers trust, and `extra` ones.
    pub(super) fn new(extra: &[CertificateDer<'static>]) -> Result<Self, Error> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.into() };
        for certificate in extra {
            roots.add(certificate.clone()).map_err(|source| Error::Root { source })?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring offers the default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let offering = |protocols: &[&[u8]]| {
            let mut config = config.clone();
            config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
            TlsConnector::from(Arc::new(config))
        };
        Ok(Self { both: offering(&[b"h2", b"http/1.1"]), http1: offering(&[b"http/1.1"]) })
    }

    pub(super) fn connector(&self, offer: Offer) -> &TlsConnector {
        match offer {
            Offer::Both => &self.both,
            Offer::Http1 => &self.http1,
        }
    }
}

/// Says why a handshake failed.
pub(super) fn failure(error: &io::Error) -> Failure {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref::<rustls::Error>());
    match cause {
        Some(rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented) => {
            Failure::Certificate
        }
        _ => Failure::Tls,
    }
}
