//! Graphs in the BV format of the WebGraph framework: successor lists as a stream of bits.
//!
//! ```text
//! x.properties   key=value lines: nodes, arcs, windowsize, minintervallength, codes
//! x.graph        for each node: out-degree
//!                | reference r: as node − r, but …        (if there is a window)
//!                | blocks of it, copied and skipped in turn (if r > 0)
//!                | intervals: first and length             (if something is left)
//!                | residuals: first from the node, then gaps (if something is left)
//! x.offsets      γ: 0, then for each node the bits that its list takes
//! ```
//! Both streams begin at the highest bit of each byte. `bits` has the codes of numbers,
//! `properties` what a graph says of itself, `decode` the one decoder of lists, `read` graphs
//! that stay on disk and the `offsets` by which any of their nodes is found, `write` the
//! compression.
//!
//! Nothing that is read is believed: a number that cannot be is an error, never a panic.
//!
//! P. Boldi and S. Vigna: The WebGraph framework I: compression techniques. WWW 2004.

pub(crate) mod bits;
pub(crate) mod decode;
mod map;
mod offsets;
pub(crate) mod properties;
mod read;
mod write;

pub use read::{BvGraph, BvLists};
pub use write::{BvWriter, Written};

#[cfg(test)]
mod tests;
