//! `lookfar resume`: lets a paused crawl go on.

use std::path::Path;

use anyhow::Result;

use super::pause::order;
use crate::Done;
use crate::args::JsonArgs;
use crate::control::Request;

pub(crate) fn run(dir: &Path, told: JsonArgs) -> Result<Done> {
    order(dir, &Request::Resume, told, "the crawl goes on")
}
