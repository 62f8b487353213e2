//! One documentation in four versions, each with the date of its release.
//!
//! The dates are moved so that the newest is a month old: it is asked for as it was then, and the
//! trial means the same in years to come. Each version keeps one half of its paragraphs, another half
//! than the others: a crawl leaves near copies out, so that pages which compete are those that were
//! rewritten.

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context as _;

use super::super::{date, served::Host};
use super::{chance, markup};

/// Debian's packages, oldest first, with the days between their release and the newest one's.
pub(super) const PACKAGES: [(&str, u64); 4] =
    [("llvm-13-doc", 493), ("llvm-14-doc", 351), ("llvm-15-doc", 193), ("llvm-16-doc", 0)];
/// How old the newest is.
const AGE: u64 = 30;
/// Pages that are lists of all others.
pub(super) const INDEXES: [&str; 2] = ["*/genindex*", "*/search.html"];

/// What stands before a date on the pages.
const UPDATED: &str = "Last updated on ";

pub(super) fn is_there(docs: &Path) -> bool {
    PACKAGES.iter().all(|(package, _)| folder(docs, package).is_dir())
}

fn folder(docs: &Path, package: &str) -> PathBuf {
    docs.join(package).join("usr/share/doc").join(package).join("html")
}

/// Pages to ask for and what is right, as [`super::Trial`] writes them.
type Asked = Vec<(String, Vec<String>)>;

/// Writes the pages of all versions below a folder; returns them as hosts, and the headings that
/// every version has, with the page of the newest.
pub(super) fn write(made: &Path, docs: &Path) -> anyhow::Result<(Vec<Host>, Asked)> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (mut hosts, mut headings) = (Vec::new(), HashMap::<String, Vec<String>>::new());
    for (package, days) in PACKAGES {
        let released = date(now / 86_400 - AGE - days);
        let (from, to) = (folder(docs, package), made.join(package));
        let name = format!("{package}.lookfar");
        let mut here = HashMap::new();
        for path in markup::files(&from)? {
            let page = markup::read(&path)?;
            let below = path.strip_prefix(&from).context("a page lies elsewhere")?;
            // A folder's own page goes by the folder's address, and lists others.
            let is_list = path.file_name().is_some_and(|name| name == "index.html");
            if let Some(heading) = markup::heading(&page).filter(|_| !is_list) {
                let address = format!("http://{name}/{}", below.display());
                here.entry(heading).or_insert_with(Vec::new).push(address);
            }
            let path = to.join(below);
            fs::create_dir_all(path.parent().unwrap_or(&to)).context("cannot make a folder")?;
            let page = thinned(&dated(&page, &released), package);
            fs::write(&path, page).context("cannot write a page")?;
        }
        // Two pages of one heading: nobody can say which is meant.
        here.retain(|_, pages| pages.len() == 1);
        for (heading, pages) in here {
            headings.entry(heading).or_default().extend(pages);
        }
        hosts.push(Host { name, pages: to });
    }
    headings.retain(|_, pages| pages.len() == PACKAGES.len());
    let mut asked: Asked = headings
        .into_iter()
        .filter_map(|(heading, pages)| Some((heading, vec![pages.last()?.clone()])))
        .collect();
    asked.sort();
    Ok((hosts, asked))
}

/// Returns a page as it says that it was worked on at a date.
fn dated(page: &str, date: &str) -> String {
    let meta = format!("<head>\n<meta name=\"dcterms.modified\" content=\"{date}\">");
    let page = page.replacen("<head>", &meta, 1);
    match page.split_once(UPDATED) {
        Some((before, behind)) => {
            let rest = behind.trim_start_matches(|byte: char| byte.is_ascii_digit() || byte == '-');
            format!("{before}{UPDATED}{date}{rest}")
        }
        None => page,
    }
}

/// Returns a page without every second of its paragraphs and examples, chosen by chance.
fn thinned(page: &str, seed: &str) -> String {
    let page = without_some(page, ["<p>", "</p>"], seed);
    without_some(&page, ["<pre>", "</pre>"], seed)
}

fn without_some(page: &str, [begin, end]: [&str; 2], seed: &str) -> String {
    let mut pieces = page.split(begin);
    let mut left = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once(end) {
            Some((text, behind)) if chance(&[seed, text]).is_multiple_of(2) => left += behind,
            _ => left.extend([begin, piece]),
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_get_another_date() {
        let page = "<head><title>x</title></head><p>Last updated on 2022-12-26.</p>";
        assert_eq!(
            dated(page, "2026-10-19"),
            "<head>\n<meta name=\"dcterms.modified\" content=\"2026-10-19\"><title>x</title></head>\
             <p>Last updated on 2026-10-19.</p>"
        );
        assert_eq!(dated("<p>no date</p>", "2026-10-19"), "<p>no date</p>");
    }

    #[test]
    fn versions_keep_different_halves() {
        let page: String = (0..100).map(|number| format!("<b>x</b><p>{number}</p>\n")).collect();
        let kept = |seed: &str| -> Vec<String> {
            let page = thinned(&page, seed);
            assert_eq!(page.matches("<b>x</b>").count(), 100);
            page.split("<p>").skip(1).map(|rest| rest[..2].to_owned()).collect()
        };
        let (one, other) = (kept("1"), kept("2"));
        assert!((30..70).contains(&one.len()) && one != other, "{one:?}");
    }

    #[test]
    fn what_every_version_has_is_asked_for_and_the_newest_is_right() {
        let docs = tempfile::tempdir().unwrap();
        for (package, _) in PACKAGES {
            let folder = folder(docs.path(), package);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("a.html"), "<head></head><h1>Both</h1>").unwrap();
            fs::write(folder.join(format!("{package}.html")), "<h1>Moved</h1>").unwrap();
            if package != PACKAGES[0].0 {
                fs::write(folder.join("b.html"), "<h1>New</h1>").unwrap();
            }
        }
        let made = tempfile::tempdir().unwrap();
        assert!(is_there(docs.path()) && !is_there(made.path()));
        let (hosts, asked) = write(made.path(), docs.path()).unwrap();
        let newest = |name: &str| vec![format!("http://llvm-16-doc.lookfar/{name}")];
        assert_eq!(
            asked,
            [
                ("Both".to_owned(), newest("a.html")),
                ("Moved".to_owned(), newest("llvm-16-doc.html"))
            ]
        );
        let page = fs::read_to_string(hosts[3].pages.join("a.html")).unwrap();
        assert!(page.contains("dcterms.modified"), "{page}");
    }
}
