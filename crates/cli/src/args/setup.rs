//! Arguments of `init`, `doctor`, `completions` and `man`.

use std::path::PathBuf;

use clap::ValueHint;

use crate::config::ScopeConfig;

pub(super) const INIT_EXAMPLES: &str = "Examples:
  lookfar init
  lookfar init museum --seed https://museum.example/ --contact web@museum.example --yes
  lookfar init --seed a.example --seed b.example --scope host";

#[derive(clap::Args)]
pub(crate) struct InitArgs {
    /// Folder of the new collection, instead of --dir.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
    /// Page to begin at; `example.org` means its front page. May be given several times.
    #[arg(long = "seed", value_name = "URL")]
    pub(crate) seeds: Vec<String>,
    /// Where pages may lie: page, host, sites, open, country=dk, domains=dk,example.org.
    #[arg(long, value_name = "WHERE")]
    pub(crate) scope: Option<ScopeConfig>,
    /// Page or mail address where site owners reach you.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) contact: Option<String>,
    /// Asks nothing: what no flag says is as by default.
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Does not look up whether the hosts exist.
    #[arg(long)]
    pub(crate) offline: bool,
    /// One JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(clap::Args)]
pub(crate) struct DoctorArgs {
    /// Asks no name server.
    #[arg(long)]
    pub(crate) offline: bool,
    /// One JSON object per check.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(super) const COMPLETIONS_EXAMPLES: &str = "Examples:
  lookfar completions bash > ~/.local/share/bash-completion/completions/lookfar
  lookfar completions zsh > ~/.zfunc/_lookfar
  lookfar completions fish > ~/.config/fish/completions/lookfar.fish";

#[derive(clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

pub(super) const MAN_EXAMPLES: &str = "Examples:
  lookfar man | man -l -
  lookfar man ~/.local/share/man/man1";

#[derive(clap::Args)]
pub(crate) struct ManArgs {
    /// Folder to write a page per command into, such as lookfar.1 and lookfar-graph-spam.1.
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folder: Option<PathBuf>,
}
