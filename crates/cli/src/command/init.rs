//! `lookfar init`: three questions, and a commented `lookfar.toml` with the answers (U1).
//!
//! Which sites, how far, and how site owners reach the person who crawls. Flags answer beforehand;
//! without a terminal nothing is asked. Whatever is there already stays as it is.

use std::fs::{self, File};
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::Path;

use ::crawl::Failure;
use anyhow::{Context, Result, bail};
use base::Url;
use base::collection::{Collection, Error as CollectionError};
use base::file::sync_folder;
use serde_json::json;

use crate::Done;
use crate::args::InitArgs;
use crate::config::{Config, ScopeConfig, TEMPLATE, check_contact};
use crate::place::{parse_seeds, seeds_text, unreachable, unreachable_because};

/// What the three questions are about.
#[derive(Debug, PartialEq, Eq)]
struct Answers {
    seeds: Vec<Url>,
    scope: ScopeConfig,
    contact: String,
}

/// What flags have answered.
struct Given {
    seeds: Option<Vec<Url>>,
    scope: Option<ScopeConfig>,
    contact: Option<String>,
}

/// Where hosts are looked up; says what is wrong with seeds, and whether they can be taken still.
type Look<'a> = dyn Fn(&[Url]) -> Option<Doubt> + 'a;

/// What a look at the hosts of seeds brought.
struct Doubt {
    because: String,
    /// The name is wrong for sure; otherwise it is only worth a word.
    is_sure: bool,
}

pub(crate) fn run(dir: &Path, args: &InitArgs) -> Result<Done> {
    let dir = args.folder.as_deref().unwrap_or(dir);
    refuse_used(dir)?;
    let given = Given {
        seeds: Some(parse_seeds(&args.seeds)?).filter(|seeds| !seeds.is_empty()),
        scope: args.scope.clone(),
        contact: args.contact.clone(),
    };
    let offline = |_: &[Url]| None;
    let look: &Look<'_> = if args.offline { &offline } else { &doubt };
    let stdin = std::io::stdin();
    let answers = match args.yes || !stdin.is_terminal() {
        true => unasked(given, look)?,
        false => {
            let answers =
                Dialogue { read: stdin.lock(), write: std::io::stderr() }.hold(given, look)?;
            // A gap between what was asked and what was done.
            drop(writeln!(std::io::stderr()));
            answers
        }
    };
    let text = filled_in(&answers)?;
    let config: Config = toml::from_str(&text).context("the new lookfar.toml is not valid")?;
    config.crawl_options(&answers.seeds)?;
    write(dir, &text, &answers.seeds)?;
    tell(dir, args.json, &answers, &config)?;
    Ok(Done::Well)
}

/// A collection, a prepared folder, or somebody's other files: none of them is ours to change.
fn refuse_used(dir: &Path) -> Result<()> {
    for name in ["lookfar.toml", "seeds.txt", "VERSION"] {
        if dir.join(name).symlink_metadata().is_ok() {
            bail!(
                "there is a `{name}` in `{}` already, which stays as it is: change it with an \
                 editor, or name another folder, such as `lookfar init my-search`",
                dir.display()
            );
        }
    }
    match Collection::open(dir) {
        Err(CollectionError::Missing(_)) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(_) => bail!("there is a collection in `{}` already", dir.display()),
    }
}

/// Takes the flags and, for what they leave out, the defaults.
fn unasked(given: Given, look: &Look<'_>) -> Result<Answers> {
    let Some(seeds) = given.seeds else {
        bail!("no page to begin at: name one, such as `lookfar init --seed https://example.org/`");
    };
    match look(&seeds) {
        Some(Doubt { because, is_sure: true }) => bail!(because),
        Some(Doubt { because, .. }) => drop(writeln!(std::io::stderr(), "warning: {because}")),
        None => {}
    }
    let contact = given.contact.unwrap_or_default();
    check_contact(&contact)?;
    Ok(Answers { seeds, scope: given.scope.unwrap_or(ScopeConfig::Sites), contact })
}

/// Seeds whose hosts are looked up: each may take some seconds.
const LOOKED_UP: usize = 5;

/// Looks up the hosts of seeds as a crawl with the default configuration would.
fn doubt(seeds: &[Url]) -> Option<Doubt> {
    let some = &seeds[..seeds.len().min(LOOKED_UP)];
    let found = match unreachable(&Config::default(), some) {
        Ok(found) => found,
        Err(error) => return Some(Doubt { because: format!("{error:#}"), is_sure: false }),
    };
    let is_sure = |failure: &Failure| *failure == Failure::NoSuchHost;
    let worst = found.iter().find(|(_, failure)| is_sure(failure)).or(found.first());
    worst.map(|(url, failure)| Doubt {
        because: unreachable_because(url, *failure),
        is_sure: is_sure(failure),
    })
}

/// Questions and answers on a terminal.
struct Dialogue<R, W> {
    read: R,
    write: W,
}

/// Longest line that is read as an answer.
const ANSWER_BYTES: u64 = 64 * 1024;
/// How often a question is asked before we give up.
const TRIES: usize = 20;

const WELCOME: &str = "\
Three questions, and your search engine is set up. Enter takes what stands in brackets.
";
const WHICH: &str = "
1. Which sites do you want to search?
   Addresses of pages to begin at, such as example.org, with spaces between them.
";
const HOW_FAR: &str = "
2. How far may the crawl go?
   host   the hosts of these pages, such as www.example.org
   sites  their whole domains: everything below example.org
   open   everywhere that links lead
";
const WHO: &str = "
3. How do site owners reach you?
   A page or a mail address. Every request carries it, so that people who wonder about
   your crawler can ask you before they block it.
";

impl<R: BufRead, W: Write> Dialogue<R, W> {
    /// Asks what was not given.
    fn hold(mut self, given: Given, look: &Look<'_>) -> Result<Answers> {
        self.say(WELCOME)?;
        let seeds = match given.seeds {
            Some(seeds) => seeds,
            None => {
                self.say(WHICH)?;
                self.ask("", |text| seeds_from(text, look))?
            }
        };
        let scope = match given.scope {
            Some(scope) => scope,
            None => {
                self.say(HOW_FAR)?;
                self.ask("sites", |text| Ok((scope_from(text)?, None)))?
            }
        };
        let contact = match given.contact {
            Some(contact) => check_contact(&contact).map(|()| contact)?,
            None => {
                self.say(WHO)?;
                let default = if scope.needs_contact() { "" } else { "none" };
                self.ask(default, |text| Ok((contact_from(text, &scope)?, None)))?
            }
        };
        Ok(Answers { seeds, scope, contact })
    }

    /// Asks until the answer can be used; a remark on a good one is told.
    fn ask<T>(
        &mut self,
        default: &str,
        read: impl Fn(&str) -> Result<(T, Option<String>), String>,
    ) -> Result<T> {
        for _ in 0..TRIES {
            match default {
                "" => self.say("   > ")?,
                default => self.say(&format!("   [{default}] > "))?,
            }
            let line = self.line()?;
            let text = if line.is_empty() { default } else { &line };
            match read(text) {
                Ok((answer, remark)) => {
                    if let Some(remark) = remark {
                        self.say(&format!("   Note: {remark}.\n"))?;
                    }
                    return Ok(answer);
                }
                Err(reason) => self.say(&format!("   That does not work: {reason}.\n"))?,
            }
        }
        bail!("no answer could be used; nothing was written")
    }

    fn line(&mut self) -> Result<String> {
        let mut bytes = Vec::new();
        let len = self.read.by_ref().take(ANSWER_BYTES).read_until(b'\n', &mut bytes)?;
        if len == 0 {
            bail!("the answers ended; nothing was written");
        }
        Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
    }

    fn say(&mut self, text: &str) -> Result<()> {
        self.write.write_all(text.as_bytes())?;
        Ok(self.write.flush()?)
    }
}

/// An answer, and a remark on it.
type Heard<T> = Result<(T, Option<String>), String>;

fn seeds_from(text: &str, look: &Look<'_>) -> Heard<Vec<Url>> {
    let words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    let texts: Vec<String> = words.map(str::to_owned).collect();
    if texts.is_empty() {
        return Err("there must be a page to begin at".to_owned());
    }
    let seeds = parse_seeds(&texts).map_err(|error| format!("{error:#}"))?;
    match look(&seeds) {
        Some(Doubt { because, is_sure: true }) => Err(because),
        doubt => Ok((seeds, doubt.map(|doubt| doubt.because))),
    }
}

/// Reads a scope as people answer: by its number or name, or as on the command line.
fn scope_from(text: &str) -> Result<ScopeConfig, String> {
    match text.to_lowercase().as_str() {
        "1" => Ok(ScopeConfig::Host),
        "2" | "domain" | "domains" => Ok(ScopeConfig::Sites),
        "3" | "everywhere" => Ok(ScopeConfig::Open),
        word => word.parse(),
    }
}

fn contact_from(text: &str, scope: &ScopeConfig) -> Result<String, String> {
    let contact = if text == "none" { "" } else { text };
    if contact.is_empty() && scope.needs_contact() {
        return Err("whoever visits strangers must be reachable".to_owned());
    }
    check_contact(contact).map_err(|error| error.to_string())?;
    Ok(contact.to_owned())
}

/// Returns the commented default file with the answers in the place of their keys.
fn filled_in(answers: &Answers) -> Result<String> {
    let text = with_key(TEMPLATE, "scope", &answers.scope.toml())?;
    if answers.contact.is_empty() {
        return Ok(text);
    }
    let contact = toml::Value::String(answers.contact.clone()).to_string();
    with_key(&text, "contact", &contact)
}

/// Sets a key of `[crawl]` that stands in the file as a comment.
fn with_key(text: &str, key: &str, value: &str) -> Result<String> {
    let comment = format!("#{key} = ");
    let mut is_set = false;
    let line = |line: &str| match line.starts_with(&comment) && !is_set {
        true => {
            is_set = true;
            format!("{key} = {value}\n")
        }
        false => format!("{line}\n"),
    };
    let filled: String = text.lines().map(line).collect();
    if !is_set {
        bail!("the built-in lookfar.toml has no `{key}`");
    }
    Ok(filled)
}

/// Writes both files where none is; the folder is made if need be.
fn write(dir: &Path, config: &str, seeds: &[Url]) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create `{}`", dir.display()))?;
    for (name, text) in [("lookfar.toml", config), ("seeds.txt", seeds_text(seeds).as_str())] {
        let path = dir.join(name);
        let failed = || format!("cannot write `{}`", path.display());
        let mut file = File::create_new(&path).with_context(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).with_context(failed)?;
    }
    sync_folder(dir).with_context(|| format!("cannot write to `{}`", dir.display()))
}

fn tell(dir: &Path, json: bool, answers: &Answers, config: &Config) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let next = next_command(dir);
    let listen = config.serve.listen;
    if json {
        let seeds: Vec<&str> = answers.seeds.iter().map(Url::as_str).collect();
        let line = json!({
            "folder": dir.display().to_string(), "seeds": seeds,
            "config": dir.join("lookfar.toml").display().to_string(),
            "scope": answers.scope.toml(), "contact": answers.contact, "next": next,
        });
        return Ok(writeln!(out, "{line}")?);
    }
    let folder = dir.display();
    writeln!(out, "wrote {folder}/lookfar.toml and {folder}/seeds.txt")?;
    if answers.contact.is_empty() {
        writeln!(
            out,
            "without a contact, site owners cannot reach you: `contact` in lookfar.toml"
        )?;
    }
    writeln!(out, "next: `{next}`, then search at http://{listen}/ while it crawls")?;
    Ok(())
}

/// Returns the command that goes on from here.
fn next_command(dir: &Path) -> String {
    let folder = dir.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "./_-~".contains(c);
    match folder.as_str() {
        "lookfar" | "./lookfar" => "lookfar up".to_owned(),
        _ if folder.chars().all(is_plain) => format!("lookfar up --dir {folder}"),
        _ => format!("lookfar up --dir '{}'", folder.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests;
