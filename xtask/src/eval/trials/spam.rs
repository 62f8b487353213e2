//! Spammers, made up: hosts that want to be found for terms that they know nothing of.
//!
//! For every term there is a page, of one of five kinds in turn: stuffed with the term; other
//! people's sentences with the term woven in; a page about nothing that links call by the term; all of it
//! at once; woven, and held up by a farm of pages on two hosts that it links back to. Lists on
//! every host link to every page, so that each has links from many sites. All say that they were
//! worked on today, and have words of their own: a crawl leaves copies out, and hosts that are alike.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Context as _;

use super::super::{served::Host, today};
use super::{chance, markup::escaped};

/// Hosts of the spammers.
const HOSTS: usize = 8;
/// Links on a list.
const PER_LIST: usize = 40;
/// Sentences of a page that has others' words.
const SENTENCES: usize = 12;
/// Kinds of pages.
const KINDS: usize = 5;
/// The kind that has a farm.
const FARMED: usize = 4;
/// Pages of a farm on each of its two hosts.
const FARM: usize = 12;

/// Writes the pages of all hosts below a folder.
pub(super) fn write(folder: &Path, wanted: &[&str], prose: &[String]) -> anyhow::Result<Vec<Host>> {
    let mut hosts = Vec::new();
    for number in 0..HOSTS {
        let host = Host { name: name(number), pages: folder.join(format!("offers-{number}")) };
        fs::create_dir_all(&host.pages).context("cannot make a folder for pages")?;
        let put = |name: &str, text: String| {
            fs::write(host.pages.join(name), text).context("cannot write a page")
        };
        let mut start = words(prose, &format!("start {number}"), SENTENCES);
        for (place, chunk) in wanted.chunks(PER_LIST).enumerate() {
            let words = words(prose, &format!("list {number} {place}"), SENTENCES);
            let _ = writeln!(start, "<li><a href=\"/list{place}.html\">List {place}</a></li>");
            put(&format!("list{place}.html"), list(place, chunk, &words))?;
        }
        for other in 0..HOSTS {
            let _ = writeln!(start, "<li><a href=\"http://{}/\">Friends</a></li>", name(other));
        }
        for (place, term) in wanted.iter().enumerate() {
            if place % HOSTS == number {
                put(&format!("{place}.html"), attack(place, term, prose))?;
            }
            if place % KINDS != FARMED || !farmers(place).contains(&number) {
                continue;
            }
            for one in 0..FARM {
                put(&format!("farm{place}-{one}.html"), farmed(place, one, number, term, prose))?;
            }
        }
        put("index.html", page("Offers", &format!("<ul>\n{start}</ul>")))?;
        hosts.push(host);
    }
    Ok(hosts)
}

fn name(host: usize) -> String {
    format!("offers-{host}.lookfar")
}

/// Links to pages; those of the last two kinds are called by their term.
fn list(number: usize, wanted: &[&str], words: &str) -> String {
    let mut items = words.to_owned();
    for (place, term) in wanted.iter().enumerate() {
        let place = number * PER_LIST + place;
        let host = name(place % HOSTS);
        let text = if place % KINDS < 2 { format!("Offer {place}") } else { escaped(term) };
        let _ = writeln!(items, "<li><a href=\"http://{host}/{place}.html\">{text}</a></li>");
    }
    page(&format!("List {number}"), &format!("<ul>\n{items}</ul>"))
}

/// A page that wants to be found for a term.
fn attack(place: usize, term: &str, prose: &[String]) -> String {
    let term = escaped(term);
    let kind = place % KINDS;
    let mut text = String::new();
    if kind == 0 || kind == 3 {
        for _ in 0..20 {
            let _ = writeln!(text, "<p>Buy {term}, cheap {term}, {term} online. {term}!</p>");
        }
    }
    if kind > 0 {
        let words = words(prose, &format!("attack {place}"), SENTENCES);
        let woven = format!(" {term}</p>");
        text += &if kind == 2 { words } else { words.replace("</p>", &woven) };
    }
    if kind == FARMED {
        for (host, one) in
            farmers(place).into_iter().flat_map(|host| (0..FARM).map(move |one| (host, one)))
        {
            let host = name(host);
            let _ = writeln!(text, "<a href=\"http://{host}/farm{place}-{one}.html\">{one}</a>");
        }
    }
    let title = if kind == 2 { "Offers of the day".to_owned() } else { term };
    page(&title, &text)
}

/// A page of a farm: some words, so that it is no copy, and a link.
fn farmed(place: usize, one: usize, host: usize, term: &str, prose: &[String]) -> String {
    let words = words(prose, &format!("farm {place} {one} {host}"), SENTENCES / 2);
    let (target, term) = (name(place % HOSTS), escaped(term));
    let link = format!("<p><a href=\"http://{target}/{place}.html\">{term}</a></p>");
    page(&format!("Offer {place} {one}"), &(words + &link))
}

/// Returns the hosts of the farm of a page: its own and the next.
fn farmers(place: usize) -> [usize; 2] {
    [place % HOSTS, (place + 1) % HOSTS]
}

/// Returns paragraphs of others, chosen by chance.
fn words(prose: &[String], seed: &str, count: usize) -> String {
    let chosen = (0..count.min(prose.len())).map(|line| {
        let place = chance(&[seed, &line.to_string()]) % prose.len() as u64;
        format!("<p>{}</p>\n", escaped(&prose[place as usize]))
    });
    chosen.collect()
}

fn page(title: &str, text: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"dcterms.modified\" content=\"{}\">\n<title>{title}</title></head>\n\
         <body><h1>{title}</h1>\n{text}\n</body></html>\n",
        today()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_a_page_and_links_from_every_host() {
        let folder = tempfile::tempdir().unwrap();
        let wanted: Vec<String> = (0..50).map(|number| format!("term{number} <x>")).collect();
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let hosts = write(folder.path(), &wanted, &["Said elsewhere.".to_owned()]).unwrap();
        assert_eq!(hosts.len(), HOSTS);
        for place in 0..50 {
            let path = hosts[place % HOSTS].pages.join(format!("{place}.html"));
            let page = fs::read_to_string(path).unwrap();
            assert_eq!(
                page.contains(&format!("term{place} &lt;x>").replace('>', "&gt;")),
                place % KINDS != 2
            );
            let link = format!("http://offers-{}.lookfar/{place}.html\"", place % HOSTS);
            for host in &hosts {
                let list = format!("list{}.html", place / PER_LIST);
                let list = fs::read_to_string(host.pages.join(list)).unwrap();
                assert!(list.contains(&link), "{link}");
            }
            let farm = hosts[(place + 1) % HOSTS].pages.join(format!("farm{place}-0.html"));
            let has_farm = fs::read_to_string(farm).is_ok_and(|page| page.contains(&link));
            assert_eq!(has_farm, place % KINDS == FARMED);
        }
    }
}
