//! What a page is about, told from what surrounds it (P5, W15).

use base::Zone;
use parse::Parsed;

use super::{lines, page};

const PROSE: &str = "The harbour was quiet that morning, and the boats, still wet from the night, \
     lay side by side along the quay, as they had done for longer than anybody could remember.";

/// Makes a number of paragraphs that differ.
fn paragraphs(count: usize) -> String {
    (1..=count).map(|i| format!("<p>Paragraph {i}. {PROSE}</p>")).collect()
}

fn in_zone(parsed: &Parsed, text: &str) -> Option<Zone> {
    parsed.blocks.iter().find(|block| block.text.contains(text)).map(|block| block.zone)
}

#[track_caller]
fn check(html: &str, content: &[&str], frame: &[&str]) {
    let parsed = page(html);
    for text in content {
        assert_ne!(in_zone(&parsed, text).unwrap(), Zone::Boilerplate, "{text}");
    }
    for text in frame {
        assert_eq!(in_zone(&parsed, text), Some(Zone::Boilerplate), "{text}");
    }
}

#[test]
fn an_article_is_told_from_what_surrounds_it() {
    let html = format!(
        "<body><div class=top><a href=/>Start</a> <a href=/x>Shop</a></div>
         <h1>Morning at the quay</h1>
         <div class=entry>{}<div class=share>Tell your friends</div>
         <ul><li>nets</li><li>ropes</li></ul><p>The last line.</p></div>
         <div class=box><h3>More</h3><div><a href=/1>A very long teaser of another story</a></div>
         <div><a href=/2>Another long teaser of yet another story</a></div></div>
         <div class=comments><p>Somebody says something, {PROSE}</p></div>",
        paragraphs(6)
    );
    check(
        &html,
        &["Morning at the quay", "Paragraph 1.", "Paragraph 6.", "nets", "The last line."],
        &["Start", "Tell your friends", "long teaser", "another story", "Somebody says"],
    );
}

#[test]
fn pages_of_equal_parts_lose_none_of_them() {
    let parts: String = (1..=8)
        .map(|i| format!("<dl><dt id=header_{i}>call_{i}()</dt><dd><p>Does {i}. {PROSE}</p></dl>"))
        .collect();
    check(
        &format!("<div class=doc><h1>Reference</h1>{parts}</div><div class=nav>Contents</div>"),
        &["Reference", "call_1()", "Does 1.", "call_8()", "Does 8."],
        &["Contents"],
    );
}

#[test]
fn lists_of_other_pages_keep_their_entries() {
    let entries: String = (1..=12)
        .map(|i| {
            format!("<div><h2><a href=/{i}>Story {i}</a></h2><p>In short, part {i}.</p></div>")
        })
        .collect();
    let html = format!("<nav><a href=/>Home</a></nav><div id=list>{entries}</div>");
    check(&html, &["Story 1", "In short, part 1.", "Story 12", "In short, part 12."], &["Home"]);
}

#[test]
fn posts_of_a_forum_are_all_content() {
    let posts: String = (1..=5)
        .map(|i| format!("<div class=msg><b>user{i}</b><p>Answer {i}, {PROSE}</p></div>"))
        .collect();
    let expected: Vec<String> = (1..=5).map(|i| format!("Answer {i},")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(
        &format!("<div class=thread>{posts}</div><footer>Imprint</footer>"),
        &expected,
        &["Imprint"],
    );
}

#[test]
fn w15_a_sidebar_is_kept_apart_even_without_a_name() {
    let html = format!(
        "<table><tr><td><a href=/1>Engines</a><br><a href=/2>Wheels</a><br><a href=/3>Doors</a>
         <td>{}</table>",
        paragraphs(5)
    );
    let parsed = page(&html);
    let together =
        |block: &base::Block| block.text.contains("Engines") && block.text.contains("quay");
    assert!(!parsed.blocks.iter().any(together));
    assert_ne!(in_zone(&parsed, "Paragraph 3."), Some(Zone::Boilerplate));
}

#[test]
fn a_heading_of_a_side_bar_is_no_headline() {
    let html = |side: &str, headline: &str| {
        format!(
            "<div id=head><a href=/>The Courier</a> Yesterday's news today</div><div class=wrap>
             <div class=side><h3>{side}</h3><p>Concert on the pier at eight, dry until midnight.</div>
             <div class=text>{headline}{}</div>
             <div id=foot>The Courier, Port Meridian, part of our pages is reprinted from other \
             papers of the isles, with thanks.</div></div>",
            paragraphs(6)
        )
    };
    check(
        &html("This evening", "<h1>Morning at the quay</h1>"),
        &["Morning at the quay", "Paragraph 1.", "Paragraph 6."],
        &["The Courier", "This evening", "Concert", "part of our pages"],
    );
    // Where the article has none, the heading before it is taken, of whatever rank.
    check(&html("Morning at the quay", ""), &["Morning at the quay", "Paragraph 1."], &[]);
}

#[test]
fn a_page_of_frame_alone_keeps_its_text_and_one_of_links_is_about_them() {
    for html in [
        "<nav><a href=/>Home</a></nav>",
        "<div class=sidebar>only this</div>",
        "<footer>Imprint</footer>",
        "<a href=/1>a</a><br><br><a href=/2>b</a><br><br><a href=/3>c</a>",
    ] {
        let parsed = page(html);
        assert!(!parsed.blocks.is_empty(), "{html}");
    }
    let only_links =
        page("<ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>");
    assert!(only_links.blocks.iter().all(|block| block.zone == Zone::Body));
}

#[test]
fn where_a_page_stands_is_told_from_other_navigation() {
    let text = "<p>Sets the amount of memory that one query may use before it writes to files, in kilobytes.";
    let check = |frame: &str, expected: &str| {
        let parsed = page(&format!("{frame}<main>{text}</main><nav>x » <a href=y>y »</a></nav>"));
        let found: Vec<_> = lines(&parsed).lines().map(str::to_owned).collect();
        let trail: Vec<_> = found.iter().filter_map(|line| line.strip_prefix("t ")).collect();
        assert_eq!(trail.join(" | "), expected, "{frame}");
    };
    check(
        "<nav><ul><li><a href=i>index</a><li><a href=n>next</a> |<li><a href=p>Python</a> »\
         <li><a href=c>C API Manual</a> »<li>Number Protocol</ul></nav>",
        "Python » | C API Manual »",
    );
    check(
        "<ol class=breadcrumbs><li><a href=/>Home</a><li><a href=/d>Docs</a></ol>",
        "Home | Docs",
    );
    check("<nav><a href=/>Home</a> > <a href=/d>Docs</a> > This</nav>", "Home > Docs > This");
    check(
        "<div class=navheader><table><tr><th>Chapter 20. Configuration<td><a href=p>Prev</a></table></div>",
        "Chapter 20. Configuration",
    );
    check(
        "<nav><a href=m>Read more »</a></nav><nav><h3>Navigation</h3><a href=a>All</a></nav>",
        "",
    );
    let many = "<li><a href=x>Crumb</a> »".repeat(100);
    check(&format!("<nav><ul>{many}</ul></nav>"), &["Crumb »"; 12].join(" | "));
}

#[test]
fn where_a_page_stands_is_no_part_of_its_fingerprint() {
    let of = |crumb: &str| {
        let frame = format!("<ol class=breadcrumb><li><a href=/>{crumb}</a></ol>");
        page(&format!("{frame}<main><p>The same words on both of these pages.</main>")).text_hash
    };
    assert_eq!(of("Home"), of("Start"));
}
