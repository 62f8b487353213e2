//! What is learnt of one host while it is crawled: which addresses are one page, which never
//! bring anything (C9, C14, LNK-13).
//!
//! Nothing here touches disk, network or clock. [`Lessons`] is told what each fetch brought and is
//! asked about each address before it is queued, and again before it is fetched; it travels with
//! the host's state and never takes more than ten kilobytes there.

mod account;
mod kinship;
mod lessons;
mod memory;
mod novelty;
mod shape;

pub(crate) use lessons::{Advice, Lessons, Observation, Outcome};
pub(crate) use novelty::Sketch;
use shape::Shape;
