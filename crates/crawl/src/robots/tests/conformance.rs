//! Cases and files that others made, where the data packs are at hand (`LOOKFAR_DATA`).

use std::path::PathBuf;
use std::time::Duration;

use base::Url;
use serde::Deserialize;

use crate::robots::Robots;

/// One of Google's cases.
#[derive(Deserialize)]
struct Case {
    robots: String,
    agent: String,
    url: String,
    allowed: bool,
}

/// Google's cases that differ from the standard, by their number in the file, and why.
const NOT_THE_STANDARD: [(usize, &str); 4] = [
    (63, "R22: octets outside ASCII are encoded on both sides; Google leaves those of the URL"),
    (65, "R22: the same with the rule encoded and the URL not"),
    (66, "R23: `%62%61%7A` is `baz`; Google compares it as it is written"),
    (78, "Google only: an allowed `index.html` does not allow the folder by another name"),
];

/// The conformance pack.
struct Pack(PathBuf);

impl Pack {
    /// Returns the pack; says so where there is none.
    fn find() -> Option<Self> {
        let data = std::env::var_os("LOOKFAR_DATA");
        let path = data.map(|data| PathBuf::from(data).join("conformance"));
        let found = path.filter(|path| path.is_dir());
        if found.is_none() {
            println!(
                "skipped: no data pack `conformance`; set LOOKFAR_DATA to the folder of packs"
            );
        }
        found.map(Self)
    }

    /// Reads a file of crawler-commons.
    fn read(&self, name: &str) -> Vec<u8> {
        let folder = self.0.join("crawler-commons/src/test/resources/robots");
        std::fs::read(folder.join(name)).unwrap()
    }

    #[track_caller]
    fn check(&self, name: &str, agent: &str, paths: &[(&str, bool)]) {
        let robots = Robots::parse(&self.read(name), agent);
        for (path, allowed) in paths {
            assert_eq!(robots.allows(path), *allowed, "{name}: {agent} {path}");
        }
    }

    #[track_caller]
    fn check_delay(&self, name: &str, agent: &str, seconds: Option<u64>) {
        let robots = Robots::parse(&self.read(name), agent);
        assert_eq!(robots.asked_delay(), seconds.map(Duration::from_secs), "{name}: {agent}");
    }

    #[track_caller]
    fn check_sitemaps(&self, name: &str, expected: &[&str]) {
        assert_eq!(Robots::parse(&self.read(name), "lookfar").sitemaps(), expected, "{name}");
    }
}

/// Returns what stands after the origin as it was written.
fn path(url: &str) -> String {
    let Some((_, rest)) = url.split_once("://") else { return "/".to_owned() };
    rest.find('/').map_or_else(|| "/".to_owned(), |slash| rest[slash..].to_owned())
}

#[test]
fn google_s_cases_are_met_but_for_those_that_are_not_the_standard() {
    let Some(pack) = Pack::find() else { return };
    let file = std::fs::read(pack.0.join("robots-google-cases.json")).unwrap();
    let cases: Vec<Case> = serde_json::from_slice(&file).unwrap();
    assert_eq!(cases.len(), 140);
    for (number, case) in cases.iter().enumerate() {
        let robots = Robots::parse(case.robots.as_bytes(), &case.agent);
        let differs = NOT_THE_STANDARD.iter().any(|(differing, _)| *differing == number);
        let expected = case.allowed != differs;
        let Case { robots: text, agent, url, .. } = case;
        assert_eq!(robots.allows(&path(url)), expected, "{number}: {agent} {url} {text:?}");
        // The same for the address that the crawler would ask; for 80 that is the folder.
        if let Ok(url) = Url::parse(url)
            && number != 80
        {
            assert_eq!(robots.allows(url.path_and_query()), expected, "{number}: {url}");
        }
    }
}

#[test]
fn the_standard_s_own_examples_are_met() {
    let Some(pack) = Pack::find() else { return };
    let simple = "rfc9309-example-simple-robots.txt";
    let page = "/example/page.html";
    pack.check(
        simple,
        "lookfar",
        &[("/a.gif", false), ("/example/x", false), ("/publications/x", true), ("/x", true)],
    );
    pack.check(simple, "foobot", &[(page, true), ("/example/allowed.gif", true), ("/x", false)]);
    for bot in ["barbot", "bazbot"] {
        pack.check(simple, bot, &[(page, false), ("/example/x", true), ("/a.gif", true)]);
    }
    pack.check(simple, "quxbot", &[(page, true), ("/a.gif", true)]);
    pack.check(
        "rfc9309-example-longest-match-robots.txt",
        "foobot",
        &[("/example/page/", true), ("/example/page/disallowed.gif", false)],
    );
    let merging = "rfc9309-example-rule-group-merging.txt";
    pack.check(merging, "ExampleBot", &[("/foo", false), ("/bar", false), ("/baz", false)]);
    pack.check(merging, "BazBot", &[("/foo", true), ("/bar", true), ("/baz", false)]);
    pack.check(merging, "lookfar", &[("/foo", false), ("/bar", false), ("/baz", true)]);
}

#[test]
fn groups_of_real_files_are_merged_and_told_apart() {
    let Some(pack) = Pack::find() else { return };
    let merge = "merge-rules.txt";
    pack.check(merge, "wget", &[("/foo/bar", true), ("/tmp/bar", false), ("/ckh/bar", true)]);
    pack.check(merge, "lookfar", &[("/foo/bar", false), ("/tmp/bar", false), ("/x", true)]);
    pack.check(merge, "curl", &[("/x", false)]);
    let order = "precedence-of-rules.txt";
    pack.check(order, "testy", &[("/foo", false), ("/foo/bar", true), ("/foo/baz", false)]);
    pack.check(order, "wget", &[("/foo", true), ("/index.html", true), ("/x", false)]);
    let many = "many-user-agents.txt";
    pack.check(many, "wget", &[("/index.html", false)]);
    pack.check(many, "BackDoorBot", &[("/index.html", false)]);
    pack.check(many, "lookfar", &[("/index.html", true), ("/bot-trap/x", false)]);
    let extensions = "extensions-group-merging.txt";
    for bot in ["mybot", "yourbot"] {
        pack.check(extensions, bot, &[("/private/", false), ("/x", true)]);
    }
    pack.check(extensions, "lookfar", &[("/llms.txt", true), ("/x", false)]);
}

#[test]
fn delays_of_real_files_are_read() {
    let Some(pack) = Pack::find() else { return };
    pack.check_delay("astore.amazon.com-robots.txt", "lookfar", Some(5));
    pack.check_delay("dos-line-endings.txt", "lookfar", Some(1));
    pack.check_delay("twitter.com-robots.txt", "slurp", Some(1));
    pack.check_delay("twitter.com-robots.txt", "msnbot", Some(10));
    pack.check_delay("twitter.com-robots.txt", "googlebot", None);
    let merging = "crawl-delay-group-merging.txt";
    pack.check_delay(merging, "mybot", Some(10));
    pack.check_delay(merging, "yourbot", None);
    pack.check_delay(merging, "lookfar", Some(30));
    pack.check(merging, "mybot", &[("/private/", false), ("/login/", true)]);
    pack.check(merging, "yourbot", &[("/private/", false), ("/login/", false)]);
}

#[test]
fn misspelt_and_malformed_lines_of_real_files_are_read_as_meant() {
    let Some(pack) = Pack::find() else { return };
    let typos = "directive-typos-robots.txt";
    pack.check(typos, "bot-a", &[("/desallow/", true)]);
    // Their agents have digits, which a token cannot have.
    let named = |name: &str, agent: &str, paths: &[(&str, bool)]| {
        let file = String::from_utf8(pack.read(name)).unwrap();
        let robots = Robots::parse(file.replace(agent, "lookfar").as_bytes(), "lookfar");
        for (path, allowed) in paths {
            assert_eq!(robots.allows(path), *allowed, "{name}: {agent} {path}");
        }
    };
    named(typos, "bot1", &[("/desallow/", false), ("/dissalow/", false), ("/x", true)]);
    named(typos, "bot2", &[("/useragent/", false)]);
    named(typos, "bot4", &[("/useragent-no-colon/", false), ("/x", true)]);
    let errors = "format-errors-robots.txt";
    named(errors, "bot1", &[("/whitespace-before-colon/", false), ("/no-colon/", false)]);
    named(errors, "bot2", &[("/no-colon-useragent/", false)]);
    named(errors, "bot3", &[("/whitespace-before-colon", true), ("/x", false)]);
    for bot in ["bot1", "bot2", "bot3", "bot4"] {
        named("extended-standard-robots.txt", bot, &[("/x", true)]);
    }
    let talk = |sign: &str| format!("/wiki/Wikipedia_talk{sign}Mediation_Committee/");
    let paths =
        [(&*talk(":"), false), (&talk("%3A"), false), (&talk("%3"), false), (&talk(""), true)];
    pack.check("malformed-path.txt", "lookfar", &paths);
    pack.check("extension-robots.txt", "mybot", &[("/private/x", false), ("/secret/", true)]);
}

#[test]
fn files_in_any_unicode_encoding_are_read() {
    let Some(pack) = Pack::find() else { return };
    for name in
        ["robots-with-utf8-bom.txt", "robots-with-utf16be-bom.txt", "robots-with-utf16le-bom.txt"]
    {
        let paths = [("/profile", false), ("/a/output/print", false), ("/other", true)];
        pack.check(name, "lookfar", &paths);
        pack.check_sitemaps(name, &["http://www.newsweek.com/sitemap_index.xml"]);
    }
}

#[test]
fn wildcards_of_real_files_match() {
    let Some(pack) = Pack::find() else { return };
    let shop = "wildcards.txt";
    pack.check(
        shop,
        "lookfar",
        &[
            ("/gp/cart/x", false),
            ("/wishlist/x", false),
            ("/wishlist/universal-x", true),
            ("/gp/wishlist/ipad-install", true),
            ("/gp/registry/wishlist/1/reserve", false),
            ("/a/b/gcrnsts", false),
            ("/dp/B000", true),
        ],
    );
    pack.check(shop, "Googlebot", &[("/a/sim/B001132UEE", false), ("/a/sim/B001132UE", true)]);
    pack.check(shop, "EtaoSpider", &[("/dp/B000", false)]);
    let paths = [("/x?y", false), ("/x/with_friends", false), ("/x", true)];
    pack.check("twitter.com-robots.txt", "lookfar", &paths);
}

#[test]
fn sitemaps_of_real_files_are_found() {
    let Some(pack) = Pack::find() else { return };
    pack.check_sitemaps(
        "sitemap-robots.txt",
        &["http://domain.com/sitemap.xml", "http://domain.com/dir/MixedCased-sitemap.xml"],
    );
    pack.check_sitemaps("sitemap-robots-dedup.txt", &["http://example.org/sitemap.xml"]);
    pack.check_sitemaps("relative-sitemap-robots.txt", &["/sitemap.xml"]);
    pack.check_sitemaps("www.flot.com-robots.txt", &["http://flot.com/sitemap_index.xml"]);
    pack.check_sitemaps("format-errors-robots.txt", &["/sitemap.xml"]);
    pack.check("www.flot.com-robots.txt", "lookfar", &[("/upload/x", false), ("/x", true)]);
}
