//! `lookfar completions`: what a shell needs to complete commands and options (U5).

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;

use crate::Done;
use crate::args::{Args, CompletionsArgs};

pub(crate) fn run(args: &CompletionsArgs) -> Result<Done> {
    let mut command = Args::command();
    // Written by way of memory: a reader that went away would be a panic in there.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "lookfar", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Done::Well)
}
