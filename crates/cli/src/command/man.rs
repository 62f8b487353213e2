//! `lookfar man`: the manual, made of the same words as `--help` (U5).

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::Done;
use crate::args::{Args, ManArgs};

pub(crate) fn run(args: &ManArgs) -> Result<Done> {
    match &args.folder {
        None => std::io::stdout().write_all(&page(Args::command())?)?,
        Some(folder) => write_all(folder)?,
    }
    Ok(Done::Well)
}

/// Writes a page per command, the hidden ones left out, in place of what an older release wrote.
fn write_all(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    for (name, page) in pages()? {
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(())
}

/// Returns the pages by their names: `lookfar`, `lookfar-graph`, `lookfar-graph-spam`.
fn pages() -> Result<Vec<(String, Vec<u8>)>> {
    // Without it every group of commands would have a page for each of its `help` commands.
    let mut root = Args::command().disable_help_subcommand(true);
    // Hands the names and the global options down.
    root.build();
    let (mut open, mut pages) = (vec![root], Vec::new());
    while let Some(command) = open.pop() {
        open.extend(command.get_subcommands().filter(|child| !child.is_hide_set()).cloned());
        let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
        pages.push((name, page(command)?));
    }
    Ok(pages)
}

fn page(command: Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_that_names_its_options() {
        let pages = pages().unwrap();
        let of = |name: &str| {
            let found = pages.iter().find(|(found, _)| found == name);
            String::from_utf8(found.unwrap_or_else(|| panic!("{name}")).1.clone()).unwrap()
        };
        assert!(of("lookfar").contains("lookfar\\-graph(1)"), "{}", of("lookfar"));
        assert!(of("lookfar-import-warc").contains("\\-\\-limit"));
        assert!(of("lookfar-graph-spam").contains("\\-\\-preview"));
        assert!(of("lookfar-init").contains("\\-\\-contact"));
        let hidden = pages.iter().find(|(name, _)| name.contains("read-") || name.contains("help"));
        assert!(hidden.is_none(), "{:?}", hidden.map(|(name, _)| name));
        assert!(pages.len() > 25, "{}", pages.len());
    }
}
