//! One module per subcommand.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod forget;
pub(crate) mod graph;
pub(crate) mod health;
pub(crate) mod import;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod pause;
pub(crate) mod read_document;
pub(crate) mod reparse;
pub(crate) mod resume;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod up;
pub(crate) mod why;
