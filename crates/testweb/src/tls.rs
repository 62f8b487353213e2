//! The TLS side of a web: a throw-away authority, certificates made when they are asked for,
//! and handshakes that go wrong on request.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, CustomExtension, DnType, IsCa,
    date_time_ymd,
};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;

use crate::hosts::Hosts;

mod key_pair;

use key_pair::KeyPair;

/// How a host speaks TLS; the default does it well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// What it shows.
    pub certificate: Certificate,
    /// Protocols it is willing to speak, the best first. Default `h2` and `http/1.1`.
    pub protocols: Vec<&'static str>,
    /// How far the handshake goes.
    pub handshake: Handshake,
}

/// What a host shows of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// One for its own name, signed by the web's authority.
    Good,
    /// One that ran out long ago.
    Expired,
    /// One that it signed itself.
    SelfSigned,
    /// One for these names instead of its own; a star stands for a label.
    For(Vec<String>),
    /// One of an authority that nobody knows.
    UnknownIssuer,
    /// One with so many authorities between it and the known one.
    Chain(usize),
    /// One with so many bytes of extension.
    Big(usize),
}

/// How far a handshake goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handshake {
    /// To its good end.
    Proper,
    /// After so many bytes from the server nothing more arrives.
    Stalls(usize),
    /// These bytes are the answer to the client's hello; then it closes.
    Raw(Vec<u8>),
    /// TLS 1.2, and the server's first flight has its first occurrence of the first bytes
    /// replaced by the second ones, which must be as many.
    Forged(Vec<u8>, Vec<u8>),
}

impl Default for Tls {
    fn default() -> Self {
        let protocols = vec!["h2", "http/1.1"];
        Self { certificate: Certificate::Good, protocols, handshake: Handshake::Proper }
    }
}

impl Tls {
    /// Returns a host that shows this certificate and is fine otherwise.
    pub fn showing(certificate: Certificate) -> Self {
        Self { certificate, ..Self::default() }
    }

    /// Returns a host that speaks only these protocols.
    pub fn speaking(protocols: &[&'static str]) -> Self {
        Self { protocols: protocols.to_vec(), ..Self::default() }
    }

    /// Returns a host whose handshake goes like this.
    pub fn shaking(handshake: Handshake) -> Self {
        Self { handshake, ..Self::default() }
    }
}

/// Signs for every host of one web; made anew at each start.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    configs: Mutex<HashMap<String, Arc<ServerConfig>>>,
}

impl Authority {
    pub(crate) fn new() -> Result<Self, rcgen::Error> {
        Ok(Self { issuer: issuer("Testweb", None)?, configs: Mutex::default() })
    }

    /// Returns the certificate that a client has to trust.
    pub(crate) fn certificate(&self) -> CertificateDer<'static> {
        self.issuer.der().clone()
    }

    /// Shakes hands as the named host does it; `None` if that fails, as it may be meant to.
    pub(crate) async fn accept(
        &self,
        socket: TcpStream,
        hosts: &Hosts,
    ) -> Option<TlsStream<Meddled>> {
        let meddled = Meddled { socket, room: None, forge: None };
        let hello = rustls::server::Acceptor::default();
        let mut start = LazyConfigAcceptor::new(hello, meddled).await.ok()?;
        let name = start.client_hello().server_name().map(str::to_ascii_lowercase);
        let name = name.unwrap_or_else(|| own_address(&start.io.socket));
        let tls = hosts.by_name(&name).map(|place| place.site.tls()).unwrap_or_default();
        match &tls.handshake {
            Handshake::Proper => {}
            Handshake::Stalls(bytes) => start.io.room = Some(*bytes),
            Handshake::Forged(from, to) => start.io.forge = Some((from.clone(), to.clone())),
            Handshake::Raw(bytes) => {
                // The client may be gone, which is for it to say.
                let _ = start.io.socket.write_all(bytes).await;
                let _ = start.io.socket.shutdown().await;
                return None;
            }
        }
        let config = self.config(&name, &tls).ok()?;
        start.into_stream(config).await.ok()
    }

    fn config(
        &self,
        name: &str,
        tls: &Tls,
    ) -> Result<Arc<ServerConfig>, Box<dyn std::error::Error>> {
        let mut configs = self.configs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(config) = configs.get(name) {
            return Ok(Arc::clone(config));
        }
        let key = KeyPair::generate()?;
        let chain = self.chain(name, &tls.certificate, &key)?;
        let key = CertifiedKey::new(chain, ring::sign::any_supported_type(&key.pkcs8())?);
        let versions = match tls.handshake {
            // Later versions hide what is forged.
            Handshake::Forged(..) => &[&rustls::version::TLS12][..],
            _ => rustls::ALL_VERSIONS,
        };
        let provider = Arc::new(ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(key)));
        config.alpn_protocols = tls.protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        let config = Arc::new(config);
        configs.insert(name.to_owned(), Arc::clone(&config));
        Ok(config)
    }

    fn chain(
        &self,
        name: &str,
        kind: &Certificate,
        key: &KeyPair,
    ) -> Result<Vec<CertificateDer<'static>>, rcgen::Error> {
        let names = match kind {
            Certificate::For(names) => names.clone(),
            _ => vec![name.to_owned()],
        };
        let mut params = CertificateParams::new(names)?;
        params.serial_number = Some(key.serial_number());
        match kind {
            Certificate::Expired => {
                params.not_before = date_time_ymd(2001, 1, 1);
                params.not_after = date_time_ymd(2002, 1, 1);
            }
            Certificate::SelfSigned => return Ok(vec![params.self_signed(key)?.into()]),
            Certificate::UnknownIssuer => {
                let stranger = issuer("Stranger", None)?;
                let leaf = params.signed_by(key, &stranger)?;
                return Ok(vec![leaf.into(), stranger.der().clone()]);
            }
            Certificate::Chain(length) => return self.long_chain(&params, *length, key),
            Certificate::Big(bytes) => {
                let content = vec![b'x'; *bytes];
                let extension = CustomExtension::from_oid_content(&[1, 3, 6, 1, 4, 1, 1], content);
                params.custom_extensions.push(extension);
            }
            Certificate::Good | Certificate::For(_) => {}
        }
        Ok(vec![params.signed_by(key, &self.issuer)?.into()])
    }

    fn long_chain(
        &self,
        params: &CertificateParams,
        length: usize,
        key: &KeyPair,
    ) -> Result<Vec<CertificateDer<'static>>, rcgen::Error> {
        let mut above: Option<CertifiedIssuer<'static, KeyPair>> = None;
        let mut chain = Vec::new();
        for n in 0..length {
            let next = issuer(&n.to_string(), Some(above.as_ref().unwrap_or(&self.issuer)))?;
            chain.push(next.der().clone());
            above = Some(next);
        }
        chain.push(params.signed_by(key, above.as_ref().unwrap_or(&self.issuer))?.into());
        chain.reverse();
        Ok(chain)
    }
}

/// Makes an authority, signed by the one above it or by itself.
fn issuer(
    name: &str,
    above: Option<&CertifiedIssuer<'static, KeyPair>>,
) -> Result<CertifiedIssuer<'static, KeyPair>, rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate()?;
    params.serial_number = Some(key.serial_number());
    params.key_identifier_method = key.identifier();
    match above {
        Some(above) => CertifiedIssuer::signed_by(params, key, above),
        None => CertifiedIssuer::self_signed(params, key),
    }
}

fn own_address(socket: &TcpStream) -> String {
    socket.local_addr().map(|local| local.ip().to_string()).unwrap_or_default()
}

/// A socket that can lose or change what the server says.
pub(crate) struct Meddled {
    pub(crate) socket: TcpStream,
    /// Bytes that still get through.
    room: Option<usize>,
    forge: Option<(Vec<u8>, Vec<u8>)>,
}

impl AsyncRead for Meddled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl AsyncWrite for Meddled {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let mut forged = None;
        if let Some((from, to)) = &self.forge
            && let Some(place) = bytes.windows(from.len()).position(|window| window == from)
        {
            let mut copy = bytes.to_vec();
            copy[place..place + from.len()].copy_from_slice(to);
            forged = Some(copy);
        }
        let through = forged.as_deref().unwrap_or(bytes);
        let room = self.room.unwrap_or(through.len()).min(through.len());
        if room == 0 && !bytes.is_empty() {
            // Said into the wind.
            return Poll::Ready(Ok(bytes.len()));
        }
        let written = Pin::new(&mut self.socket).poll_write(context, &through[..room]);
        if let (Poll::Ready(Ok(written)), Some(room)) = (&written, &mut self.room) {
            *room -= written;
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
