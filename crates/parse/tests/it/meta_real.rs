//! What real pages say of themselves, against what others read out of them (`LOOKFAR_DATA`).

use base::{About, Url};
use parse::{Input, Options, parse};
use serde_json::Value;

use super::meta::now;
use super::real::{files, pack};

/// How often a fact is as expected.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: Vec<String>,
}

impl Score {
    fn add(&mut self, page: &str, expected: Option<&str>, found: &str, agrees: bool) {
        match expected {
            Some(_) if agrees => self.right += 1,
            Some(expected) => self.wrong.push(format!("{page}: {expected:?} {found:?}")),
            None => {}
        }
    }

    #[track_caller]
    fn check(&self, name: &str, least: f64) {
        let share = self.right as f64 / (self.right + self.wrong.len()).max(1) as f64;
        let wrong = &self.wrong;
        assert!(share >= least, "{name}: {share:.3}, wrong: {wrong:#?}");
    }
}

/// Letters and digits only, in lower case: others keep `By` and spaces as they stand.
fn bare(text: &str) -> String {
    text.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[test]
fn facts_of_the_readability_pack_are_found() {
    let Some(pack) = pack("readability") else { return };
    let [mut names, mut authors, mut dates, mut languages] = [(); 4].map(|()| Score::default());
    for path in files(&pack).into_iter().filter(|path| path.ends_with("source.html")) {
        let folder = path.parent().unwrap();
        let page = folder.file_name().unwrap().to_string_lossy().into_owned();
        let expected = std::fs::read(folder.join("expected-metadata.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let said =
            |key: &str| expected[key].as_str().map(str::trim).filter(|said| !said.is_empty());
        let about = read(&std::fs::read(&path).unwrap());
        let agrees = |key: &str, found: &str| {
            let (said, found) = (bare(said(key).unwrap_or_default()), bare(found));
            !found.is_empty() && (said.contains(&found) || found.contains(&said))
        };
        names.add(&page, said("siteName"), &about.site_name, agrees("siteName", &about.site_name));
        authors.add(&page, said("byline"), &about.author, agrees("byline", &about.author));
        let published = about.published.map(|dated| dated.at.rfc3339()).unwrap_or_default();
        let day = said("publishedTime").map(|time| time.get(..10).unwrap_or(time));
        dates.add(&page, day, &published, day.is_some_and(|day| published.starts_with(day)));
        let tag = about.language.unwrap_or_default();
        languages.add(
            &page,
            said("lang"),
            &tag,
            said("lang").is_some_and(|lang| lang.eq_ignore_ascii_case(&tag)),
        );
    }
    names.check("site names", 0.95);
    authors.check("authors", 0.85);
    dates.check("dates", 0.9);
    languages.check("languages", 0.98);
}

fn read(body: &[u8]) -> About {
    let url = Url::parse("http://real.example/").unwrap();
    let input = Input { content_type: Some("text/html"), fetched: now(), ..Input::new(&url, body) };
    parse(&input, &Options::default()).about
}

#[test]
fn pages_of_1996_say_when_they_were_changed() {
    let Some(pack) = pack("webkb") else { return };
    let url = Url::parse("http://real.example/").unwrap();
    let (mut with, mut told, mut count) = (0, 0, 0);
    for path in files(&pack.join("webkb-raw")).iter().step_by(20) {
        let body = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&body);
        let field = text.lines().take(12).find_map(|line| line.strip_prefix("Last-modified: "));
        let Some(field) = field else { continue };
        let html = text.split_once("\n\n").map_or(&*text, |(_, html)| html);
        let input = Input {
            content_type: Some("text/html"),
            fetched: now(),
            modified: Some(field),
            ..Input::new(&url, html.as_bytes())
        };
        let about = parse(&input, &Options::default()).about;
        count += 1;
        let Some(modified) = about.modified else { continue };
        with += 1;
        told += usize::from(modified.source != base::DateSource::Header);
        assert!(modified.at.rfc3339().starts_with("199"), "{} {modified:?}", path.display());
    }
    assert!(with * 10 >= count * 9 && told * 6 >= count, "{with}, {told} of {count}");
}
