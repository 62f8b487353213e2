//! Which host a node is on and whose it is (G4, G5, G7), with a word to people where that is not
//! known.

use std::io::Write;
use std::ops::Deref;

use ::graph::Named;
use anyhow::Result;

/// Hosts, owners, sites and voices of all nodes of a graph.
pub(super) struct Owners(::graph::Owners);

impl Owners {
    /// Finds them. Linear in the bytes of the names.
    pub(super) fn read(named: &Named) -> Result<Self> {
        Ok(Self(::graph::Owners::of(named)?))
    }

    /// Says on stderr if no name tells a host: what the answer rests on may not be so.
    pub(super) fn note_strangers(&self) {
        if !self.is_told() && self.num_hosts() > 0 {
            drop(writeln!(
                std::io::stderr(),
                "note: no name is an address, so each node is taken for a host and an owner of its own"
            ));
        }
    }
}

impl Deref for Owners {
    type Target = ::graph::Owners;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
