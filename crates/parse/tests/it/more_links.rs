//! Links that nobody clicks, and those written out in text and scripts (C8).

use base::Oddity;
use parse::{Input, Options, parse};

use super::links::links;
use super::meta::now;
use super::{bytes, has, page, url, words};

#[track_caller]
fn check(html: &str, expected: &[&str]) {
    assert_eq!(links(&page(html)), expected, "{html}");
}

#[test]
fn pictures_and_players_are_media_in_every_spelling() {
    check("<img src=data:x data-src=lazy.png>", &["Media /dir/lazy.png"]);
    check("<img srcset='a.png 1x, b.png 2x'>", &["Media /dir/b.png"]);
    check(
        "<picture><source srcset='c.webp 640w'><img src=d.png></picture>",
        &["Media /dir/d.png", "Media /dir/c.webp"],
    );
    check(
        "<video poster=p.png><source src=v.mp4><track src=s.vtt></video>",
        &["Media /dir/v.mp4", "Media /dir/p.png", "Media /dir/s.vtt"],
    );
}

#[test]
fn quotations_and_descriptions_are_related() {
    check("<blockquote cite=/b><p>x</blockquote><q cite=/q>y</q>", &["Related /b", "Related /q"]);
    check("<ins cite=/i>x</ins><del cite=/d>y</del>", &["Related /i", "Related /d"]);
    check("<img longdesc=/l>", &["Related /l"]);
}

#[test]
fn a_form_that_asks_for_nothing_is_a_link() {
    check("<form action=/go><input type=submit value=Go></form>", &["Related /go"]);
    check("<form method=GET action=/go><button>Go</button></form>", &["Related /go"]);
    check("<form method=post action=/go><button>Go</button></form>", &[]);
    check("<form action=/go><input name=q></form>", &[]);
    check("<form action=/go><input type=hidden name=s value=1><input type=submit></form>", &[]);
    check("<form action=/go><select><option>1</select></form>", &[]);
}

#[test]
fn simple_scripts_lead_on() {
    check("<div onclick=\"location.href='/a'\">x</div>", &["Script /a"]);
    check("<a href=\"javascript:window.open('/a','w')\">x</a>", &["Script /a x"]);
    check("<a href=# onclick=\"location='/a'\">the <b>zoo</b></a>", &["Script /a the zoo"]);
    check("<button onclick=\"location='/a'\">Go</button>", &["Script /a Go"]);
    check("<a href=javascript:void(0) onclick=\"window.open('/a')\">x</a>", &["Script /a x"]);
    check("<script>window.location.replace(\"/a\"); var location2 = '/b'</script>", &["Script /a"]);
    check(
        "<script src=x.js>location='/a'</script><script type=text/template>location='/b'</script>",
        &[],
    );
    check("<a href=/a onclick=\"location='/a'\">x</a>", &["Anchor /a x", "Script /a"]);
    let many: String = (0..5_000).map(|i| format!("location='/{i}';")).collect();
    assert_eq!(page(&format!("<script>{many}</script>")).links.len(), 100);
}

#[test]
fn addresses_in_text_are_mentions() {
    check(
        "<p>See http://b.example/x, or www.c.example.",
        &["Mention http://b.example/x", "Mention http://www.c.example/"],
    );
    // Text that is a link already says nothing new.
    check(
        "<a href=http://b.example/x>http://b.example/x</a> http://b.example/x",
        &["Anchor http://b.example/x http://b.example/x"],
    );
    let plain = bytes(b"Notes\n\nsee https://b.example/y\n", "text/plain");
    assert_eq!(links(&plain), ["Mention https://b.example/y"]);
    check("<p hidden>http://b.example/</p><script>'http://c.example/'</script>", &[]);
}

#[test]
fn htm_09_scripts_and_mentions_never_become_links_of_other_schemes() {
    check("<a href=\"javascript:location='javascript:x()'\">x</a>", &[]);
    check("<a href=\" JavaScript:location='data:text/html,x'\">x</a>", &[]);
    check("<p onclick=\"window.open('vbscript:x')\">x", &[]);
    check("<a href='java\nscript:x()'>x</a><img src='javascript:x'><q cite=data:x>y</q>", &[]);
    check("<form action=javascript:x()></form><video poster=blob:x></video>", &[]);
    check("<p>javascript://b.example/ data://c.example", &[]);
}

#[test]
fn htm_10_a_base_counts_for_every_kind_of_link() {
    check(
        "<base href=http://b.example/c/><img data-src=i.png><q cite=q></q><p onclick=\"location='s'\">x",
        &[
            "Media http://b.example/c/i.png",
            "Related http://b.example/c/q",
            "Script http://b.example/c/s",
        ],
    );
    check("<base href=../up/><a href=x>x</a>", &["Anchor /up/x x"]);
}

#[test]
fn htm_08_a_page_of_a_million_links_is_looked_at_in_part() {
    let many: String = (0..1_000_000).map(|i| format!("<a href=/{i}>")).collect();
    let parsed = page(&many);
    assert_eq!(parsed.links.len(), 1_000);
    assert!(has(&parsed, Oddity::LinksCut) && has(&parsed, Oddity::BodyCut));
    // What is in the part of the body that is read is counted to the last one.
    let read = 5 * 1024 * 1024;
    let whole = many[..read].matches('>').count();
    assert_eq!(parsed.links_left as usize, whole - 1_000);
    let text = "http://b.example/1 ".repeat(50_000);
    assert_eq!(page(&text).links.len(), 1);
}

#[test]
fn htm_08_links_that_are_not_taken_are_counted() {
    let left = |html: &str| page(html).links_left;
    let many = |count: usize| -> String { (0..count).map(|i| format!("<a href=/{i}>")).collect() };
    assert_eq!(left(&many(1_000)), 0);
    assert_eq!(left(&many(1_001)), 1);
    // 10,000 are looked at, of which 9,000 are distinct.
    assert_eq!(left(&many(9_000).repeat(2)), 8_000 + 8_000);
    assert_eq!(left(&many(1_500).repeat(6)), 500);
    assert_eq!(left(&many(20_000)), 19_000);
}

#[test]
fn htm_08_what_nobody_clicks_never_pushes_out_what_visitors_click() {
    let scripts = "<p onclick=\"location='/s'\">http://b.example/1".repeat(3_000);
    let anchors: String = (0..1_000).map(|i| format!("<a href=/{i}>x</a>")).collect();
    let parsed = page(&format!("{scripts}{anchors}"));
    assert!(parsed.links.iter().all(|link| link.kind == base::LinkKind::Anchor));
    assert_eq!(parsed.links.len(), 1_000);
}

#[test]
fn htm_11_a_page_is_left_out_after_its_last_day() {
    let check = |content: &str, header: &[&str], expected: bool| {
        let url = url();
        let html = format!("<meta name=robots content='{content}'><p>x");
        let input = Input { robots: header, fetched: now(), ..Input::new(&url, html.as_bytes()) };
        let robots = parse(&input, &Options::default()).robots;
        assert_eq!(robots.noindex, expected, "{content} {header:?}");
        let unknown = Input { fetched: None, ..input };
        assert!(!parse(&unknown, &Options::default()).robots.noindex, "nobody knows the time");
    };
    check("unavailable_after: 25 Jun 2010 15:00:00 PST", &[], true);
    check("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT", &[], true);
    check("UNAVAILABLE_AFTER: 2010-06-25, nofollow", &[], true);
    check("unavailable_after: 2099-06-25", &[], false);
    check("unavailable_after: some day", &[], false);
    check("unavailable_after", &[], false);
    check("all", &["unavailable_after: 25 Jun 2010 15:00:00 PST"], true);
    check("all", &["otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"], false);
    check("all", &["lookfar: unavailable_after: 2010-06-25"], true);
    check(&format!("unavailable_after: {}", "1,".repeat(100_000)), &[], false);
}

#[test]
fn htm_11_a_last_day_to_come_is_kept() {
    let check = |content: &str, header: &[&str], expected: Option<&str>| {
        let url = url();
        let html = format!("<meta name=robots content='{content}'><p>x");
        let input = Input { robots: header, fetched: now(), ..Input::new(&url, html.as_bytes()) };
        let parsed = parse(&input, &Options::default());
        let until = parsed.until.map(base::Timestamp::rfc3339);
        assert_eq!(until.as_deref(), expected, "{content} {header:?}");
        assert!(!parsed.robots.noindex);
    };
    check("unavailable_after: 2099-06-25", &[], Some("2099-06-25T00:00:00Z"));
    check("all", &["unavailable_after: 25 Jun 2099 15:00:00 GMT"], Some("2099-06-25T15:00:00Z"));
    let two = &["unavailable_after: 2099-06-25", "lookfar: unavailable_after: 2098-06-25"];
    check("unavailable_after: 2099-06-24", two, Some("2098-06-25T00:00:00Z"));
    check("unavailable_after: 2097-06-24", two, Some("2097-06-24T00:00:00Z"));
    check("all", &["otherbot: unavailable_after: 2099-06-25"], None);
    check("unavailable_after: some day", &[], None);
}

#[test]
fn htm_11_how_much_may_be_shown_is_kept() {
    let check = |content: &str, header: &[&str], expected: Option<u32>| {
        let url = url();
        let html = format!("<meta name=robots content='{content}'><p>x");
        let parsed = parse(
            &Input { robots: header, ..Input::new(&url, html.as_bytes()) },
            &Options::default(),
        );
        assert_eq!(parsed.snippet_chars, expected, "{content} {header:?}");
        assert_eq!(parsed.robots.nosnippet, expected == Some(0), "{content} {header:?}");
    };
    check("max-snippet: 50", &[], Some(50));
    check("all", &["max-snippet: 40"], Some(40));
    check("max-snippet:50", &["lookfar: max-snippet:30", "otherbot: max-snippet:1"], Some(30));
    check("max-snippet : 0", &[], Some(0));
    check("max-snippet:-1", &[], None);
}

#[test]
fn htm_11_text_that_may_not_be_shown_is_marked() {
    let parsed = page(
        "<p>open <span data-nosnippet>secret <b>words</b></span> more<div data-nosnippet=x><p>all of it<p>and this</div>",
    );
    assert_eq!(words(&parsed), "open secret words more | all of it | and this");
    let text = |span: &base::Span| {
        &parsed.blocks[span.block as usize].text[span.start as usize..span.end as usize]
    };
    let marked: Vec<_> = parsed.unquotable.iter().map(|span| text(span).trim()).collect();
    assert_eq!(marked, ["secret words", "all of it", "and this"]);
    let many = page(&"<p>a<i data-nosnippet>secret</i>b".repeat(20_000));
    assert!(many.unquotable.len() == 10_000 && many.robots.nosnippet);
    assert!(!parsed.robots.nosnippet);
}

#[test]
fn htm_19_frames_and_objects_are_links_only() {
    let parsed = page(
        "<iframe src=/f srcdoc='<p>inner <a href=/inner>words</a>'>fallback</iframe><object data=/o><p>other</object>\
         <embed src=/e><p>own words",
    );
    assert_eq!(words(&parsed), "own words");
    assert_eq!(links(&parsed), ["Frame /f", "Media /o", "Media /e"]);
    let parsed = page(
        "<frameset><frame src=/1><frame src=/2><noframes>old words <a href=/n>x</a></noframes></frameset>",
    );
    assert_eq!(words(&parsed), "");
    assert_eq!(links(&parsed), ["Frame /1", "Frame /2"]);
}

#[test]
fn htm_24_a_refresh_is_a_link_and_never_text() {
    let parsed = page("<title>T</title><meta http-equiv=refresh content='0; url=/evil'><p>words");
    assert_eq!(words(&parsed), "words");
    assert_eq!(parsed.title, "T");
    assert_eq!(links(&parsed), ["Redirect /evil"]);
    assert_eq!(parsed.about.description, "");
}
