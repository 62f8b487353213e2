//! What the web looks like as a whole (G6): its bow-tie, its degrees, how far its pages reach.
//!
//! Everything here reads a [`crate::Links`] and returns numbers; `picture` and [`plot`] draw them
//! as SVG: plain text without scripts, legible in light and dark and to a screen reader.

mod bow_tie;
mod components;
mod degrees;
mod picture;
pub mod plot;
mod reach;
mod svg;
#[cfg(test)]
mod tests;

pub use bow_tie::{BowTie, Part, bow_tie};
pub use components::{Components, components};
pub use degrees::{Bin, Degrees, PowerLaw};
pub use picture::{draw_bow_tie, draw_degrees};
pub use reach::{Estimate, Reach, ReachOptions, reach, reach_with};
