//! Searching small made-up webs: the worked examples of the mission, and hostile queries.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod cut;
mod grouping;
mod hostile;
mod language;
mod linked;
mod links;
mod loose;
mod manual;
mod matching;
mod models;
mod oracle;
mod order;
mod related;
mod standing;
mod strategies;
mod until;
mod web;
