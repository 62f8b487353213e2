//! Searching small made-up webs: the worked examples of the mission, and hostile queries.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod hostile;
mod links;
mod matching;
mod oracle;
mod strategies;
mod web;
