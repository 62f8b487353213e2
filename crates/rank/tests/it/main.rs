//! Searching small made-up webs: the worked examples of the mission, and hostile queries.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod cut;
mod facets;
mod grouping;
mod hostile;
mod language;
mod linked;
mod links;
mod loose;
mod manual;
mod matching;
mod models;
mod next;
mod oracle;
mod order;
mod personal;
mod pictures;
mod related;
mod spelling;
mod standing;
mod strangers;
mod strategies;
mod suggest;
mod typos;
mod until;
mod want;
mod web;
