//! An ECDSA key that `rcgen` signs certificates with.
//!
//! `rcgen` has one of its own behind its feature `ring`; that feature adds `x509-parser` and eight
//! more packages to `Cargo.lock`, none of which is ever built.

use rcgen::{
    Error, KeyIdMethod, PKCS_ECDSA_P256_SHA256, PublicKeyData, SerialNumber, SignatureAlgorithm,
    SigningKey,
};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

/// Longest serial number and key identifier, in bytes (RFC 5280, section 4.1.2.2).
const ID_LEN: usize = 20;

pub(super) struct KeyPair {
    key: EcdsaKeyPair,
    pkcs8: Vec<u8>,
    random: SystemRandom,
}

impl KeyPair {
    pub(super) fn generate() -> Result<Self, Error> {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random)
            .map_err(|_| Error::RemoteKeyError)?;
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random)
                .map_err(|_| Error::RemoteKeyError)?;
        Ok(Self { key, pkcs8: pkcs8.as_ref().to_vec(), random })
    }

    /// Returns the private key in the form that `rustls` takes.
    pub(super) fn pkcs8(&self) -> PrivateKeyDer<'_> {
        PrivatePkcs8KeyDer::from(self.pkcs8.as_slice()).into()
    }

    /// Returns a serial number for a certificate of this key.
    pub(super) fn serial_number(&self) -> SerialNumber {
        let mut bytes = self.hash();
        // A serial number is positive.
        bytes[0] &= 0x7f;
        SerialNumber::from(bytes)
    }

    /// Returns the key identifier that the certificate of an authority names.
    pub(super) fn identifier(&self) -> KeyIdMethod {
        KeyIdMethod::PreSpecified(self.hash())
    }

    fn hash(&self) -> Vec<u8> {
        digest(&SHA256, self.key.public_key().as_ref()).as_ref()[..ID_LEN].to_vec()
    }
}

impl PublicKeyData for KeyPair {
    fn der_bytes(&self) -> &[u8] {
        self.key.public_key().as_ref()
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl SigningKey for KeyPair {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = self.key.sign(&self.random, message).map_err(|_| Error::RemoteKeyError)?;
        Ok(signature.as_ref().to_vec())
    }
}
