//! Hidden text: kept apart with its reason, never in the blocks (P7, HTM-16).

use std::collections::HashSet;
use std::path::PathBuf;

use base::HiddenReason::{
    AriaHidden, Attribute, Clipped, Colour, Folded, NoScript, NotShown, OffScreen, Tiny,
};
use base::{HiddenReason, Zone};
use parse::Parsed;

use super::real::pack;
use super::{lines, page};

/// A list of search words: hidden text that no component of a page excuses.
const KEYWORDS: &str = "cheap hotels paris, hotel deals paris, paris hotels cheap, best hotel \
    paris, hotels in paris, paris hotel booking, cheap paris hotel, hotel paris centre, last \
    minute hotel paris, hotels near paris, book hotel paris";
/// Sentences as people write them.
const PROSE: &str = "Tea is made from the leaves of one plant. How it tastes depends on what is \
    done with them after the harvest. Green tea is heated at once, so that the leaves stay green. \
    Black tea is left to wither first, which takes a day or two.";

fn reasons(parsed: &Parsed) -> Vec<HiddenReason> {
    parsed.hidden.iter().map(|hidden| hidden.reason).collect()
}

/// A page whose second paragraph is hidden for the reason given.
#[track_caller]
fn check(html: &str, reason: HiddenReason) {
    let parsed = page(html);
    assert_eq!(reasons(&parsed), [reason], "{html}: {}", lines(&parsed));
    assert!(parsed.hidden[0].text.contains("SECRET"), "{html}: {:?}", parsed.hidden);
    assert!(!lines(&parsed).contains("SECRET"), "{html}: {}", lines(&parsed));
    assert!(lines(&parsed).contains("seen"), "{html}: {}", lines(&parsed));
}

/// A page on which everything is seen.
#[track_caller]
fn check_shown(html: &str) {
    let parsed = page(html);
    assert_eq!(reasons(&parsed), [], "{html}");
    assert!(lines(&parsed).contains("TEXT"), "{html}: {}", lines(&parsed));
    assert!(parsed.blocks.iter().all(|block| block.zone != Zone::Folded), "{html}");
}

/// A page with a box that a visitor opens.
#[track_caller]
fn check_folded(html: &str) {
    let parsed = page(html);
    let is_folded = |zone, text: &str| zone == Zone::Folded && text.contains("TEXT");
    assert!(
        parsed.blocks.iter().any(|block| is_folded(block.zone, &block.text)),
        "{html}: {} {:?}",
        lines(&parsed),
        parsed.hidden
    );
    assert_eq!(reasons(&parsed), [], "{html}");
}

#[test]
fn htm_16_hidden_text_is_kept_apart_with_its_reason() {
    for (style, reason) in [
        ("display:none", NotShown),
        ("visibility: hidden", NotShown),
        ("opacity:0", NotShown),
        ("filter:x;opacity:.001", NotShown),
        ("font-size:0", Tiny),
        ("font-size:1px", Tiny),
        ("font:0/0 a", Tiny),
        ("font-size:0.05em", Tiny),
        ("color:#fff", Colour),
        ("color:rgb(250, 250, 250)", Colour),
        ("color:hsl(0, 0%, 99%)", Colour),
        ("color:transparent", Colour),
        ("background:#123456;color:#123457", Colour),
    ] {
        check(&format!("<p>seen<p style='{style}'>SECRET words"), reason);
        check(
            &format!("<style>.x {{ {style} }}</style><p>seen<p class='a x'>SECRET words"),
            reason,
        );
        check(&format!("<style>#x{{{style}}}</style><p>seen<div id=x><b>SECRET words"), reason);
        check(&format!("<style>p b,div i{{{style}}}</style><p>seen <b>SECRET words"), reason);
    }
}

#[test]
fn htm_16_boxes_out_of_the_window_are_hidden() {
    for (style, reason) in [
        ("position:absolute;left:-9999px", OffScreen),
        ("position: fixed; top: -200em", OffScreen),
        ("text-indent:-9999px", OffScreen),
        ("margin-left:-5000px", OffScreen),
        ("transform: translateX(-9999px)", OffScreen),
        ("position:absolute;clip:rect(0,0,0,0)", Clipped),
        ("clip-path: inset(50%)", Clipped),
        ("width:1px;height:1px;overflow:hidden", Clipped),
        ("overflow:hidden;max-height:0", Clipped),
    ] {
        check(&format!("<p>seen<div style='{style}'>SECRET {KEYWORDS}</div>"), reason);
        let sheet = format!("<style>.x{{{style}}}</style>");
        check(&format!("{sheet}<p>seen<div class=x>SECRET {KEYWORDS}</div>"), reason);
    }
}

#[test]
fn htm_16_attributes_hide() {
    check("<p>seen<p hidden>SECRET", Attribute);
    check("<p>seen<p>seen<span aria-hidden=true>SECRET</span>", AriaHidden);
    check("<body bgcolor=#ffffff><p>seen<p><font color=white>SECRET</font>", Colour);
    check("<body bgcolor=000000 text=#eeeeee><p>seen<p><font color=black>SECRET</font>", Colour);
    check("<p>seen<table bgcolor=navy><tr><td><font color=#000080>SECRET</table>", Colour);
    check("<body text=white><table bgcolor=black><td>seen</table>SECRET", Colour);
    check(&format!("<p>seen<noscript><p>SECRET {}</noscript>", KEYWORDS.repeat(4)), NoScript);
}

#[test]
fn a_little_noscript_is_nothing() {
    let html = "<p>TEXT<noscript><img src=a><p>Please switch on scripts.</noscript>";
    check_shown(html);
}

#[test]
fn colours_that_are_not_known_hide_nothing() {
    for html in [
        // White on a picture, on a gradient, on a variable, on a dark box.
        "<div style='background:url(x.png)'><p style='color:#fff'>TEXT",
        "<body background=x.gif><font color=white>TEXT",
        "<style>.h{background:linear-gradient(red,blue)} .h p{color:white}</style><div class=h><p>TEXT",
        "<style>.h{background:var(--dark);color:#fff}</style><div class=h>TEXT",
        "<div style='background:#000'><p style='color:#fff'>TEXT",
        "<div style='background:#000'><section><p style='color:#fff'>TEXT",
        // What other files say of the box is not known.
        "<link rel=stylesheet href=a.css><div class=hero><p style='color:#fff'>TEXT",
        "<style>@import 'a.css';</style><div class=hero><p style='color:#fff'>TEXT",
        "<style>p:nth-child(odd){background:#000}</style><p style='color:#fff'>TEXT",
        // Letters with a shadow, and letters cut out of a picture.
        "<p style='color:#fff;text-shadow:0 0 3px #000'>TEXT",
        "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>TEXT",
        // Links have a colour of their own.
        "<font color=white><a href=/x>TEXT</a></font>",
        "<p style='position:absolute;color:#fff'>TEXT",
    ] {
        check_shown(html);
    }
    check("<style>a{color:inherit}</style><p>seen<p style=color:#fff><a href=/x>SECRET", Colour);
    let foreign = "<link rel=stylesheet href=a.css>";
    check(&format!("{foreign}<p>seen<p style='background:#fff;color:#fff'>SECRET"), Colour);
}

#[test]
fn inner_elements_may_be_seen_again() {
    check_shown("<p style=visibility:hidden><b style=visibility:visible>TEXT</b>");
    check_shown("<ul style=font-size:0><li style=font-size:16px>TEXT</ul>");
    check_shown("<div style=color:#fff><p style=color:#000>TEXT");
    check("<p>seen<div style=display:none><p style=display:block>SECRET", NotShown);
    check("<p>seen<div style=opacity:0><p style=opacity:1>SECRET", NotShown);
}

#[test]
fn rules_count_as_browsers_count_them() {
    check_shown("<style>p{display:none} p.a{display:block}</style><p class=a>TEXT");
    check_shown("<style>.a{display:block!important}</style><p class=a style=display:none>TEXT");
    check_shown("<style>@media print{p{display:none}}</style><p>TEXT");
    check_shown("<style media=print>p{display:none}</style><p>TEXT");
    check_shown("<style>@media (max-width:600px){p{display:none}}</style><p>TEXT");
    check_shown("<style>nav p{display:none} div > p{display:none}</style><p>TEXT");
    check_shown("<style>.a.b{display:none}</style><p class=a>TEXT");
    check_shown("<style>p:hover{display:none} p::before{display:none}</style><p>TEXT");
    check_shown(
        "<style>.hidden{display:none}@media (min-width:768px){.md\\:block{display:block}}</style>\
         <p class='hidden md:block'>TEXT",
    );
    check_shown("<style>body{opacity:0} html{visibility:hidden}</style><body><p>TEXT");
    check_shown("<template><p style=display:none>x</p></template><p>TEXT");
    check("<style>@media screen{p i{display:none}}</style><p>seen <i>SECRET</i>", NotShown);
    check("<style>div > i{display:none}</style><p>seen<div><i>SECRET</i></div>", NotShown);
    check("<style><!-- .a{display:none} --></style><p>seen<p class=a>SECRET", NotShown);
}

#[test]
fn what_a_visitor_opens_is_folded() {
    for html in [
        "<details><summary>More</summary><p>TEXT of it</p></details>",
        "<div hidden=until-found>TEXT of it</div>",
        "<div popover>TEXT of it</div>",
        "<div role=tabpanel hidden>TEXT of it</div>",
        "<button aria-expanded=false>More</button><div hidden>TEXT of it</div>",
        "<button aria-controls=x>More</button><hr><div id=x style=display:none>TEXT of it</div>",
        "<a href=#x>More</a><p>between</p><div id=x style=display:none>TEXT of it</div>",
        "<button data-target=#x>More</button><p>between</p><div id=x hidden>TEXT of it</div>",
        "<div class='accordion-body' style=display:none>TEXT of it</div>",
        "<li class=dropdown><a href=/a>A</a><ul style=display:none><li>TEXT of it</ul>",
        "<style>.m{display:none} .m.open{display:block}</style><div class=m>TEXT of it</div>",
        "<style>.m{opacity:0} .on .m{opacity:1}</style><div class=m>TEXT of it</div>",
        "<style>#n ul{position:absolute;left:-999em} #n li:hover ul{left:auto}</style>\
         <ul id=n><li>One<ul><li>TEXT of it</ul></ul>",
        "<style>.faq{max-height:0;overflow:hidden}</style><div class=faq>TEXT of it</div>",
        // A logo in place of a heading.
        "<h1 style='text-indent:-9999px'>TEXT of it</h1>",
        "<style>.visually-hidden{position:absolute;clip:rect(0,0,0,0)}</style>\
         <h2 class=visually-hidden>TEXT of it</h2>",
    ] {
        check_folded(html);
    }
    check_folded(&format!("<p>Loading</p><div style=opacity:0><p>{PROSE} TEXT</div>"));
}

#[test]
fn words_for_screen_readers_do_not_tear_a_line() {
    let sheet = "<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden}</style>";
    let parsed = page(&format!("{sheet}<p>Read<span class=sr-only> more about tea</span> it here"));
    assert_eq!(lines(&parsed), "B Read it here");
    assert_eq!(reasons(&parsed), [Folded]);
    assert_eq!(parsed.hidden[0].text, "more about tea");
}

#[test]
fn a_component_excuses_no_list_of_search_words() {
    for html in [
        "<div class=accordion style=display:none>SECRET {}</div>",
        "<a href=#x>seen</a><div id=x style=display:none>SECRET {}</div>",
        "<style>.m{display:none} .m.open{display:block}</style><div class=m>SECRET {}</div>",
    ] {
        check(&format!("<p>seen{}", html.replace("{}", KEYWORDS)), NotShown);
    }
    // Nor does saying it in pieces.
    let piece = "<i style='position:absolute;left:-999em'>SECRET cheap hotels paris deal</i>";
    let parsed = page(&format!("<p>seen{}", piece.repeat(100)));
    assert!(lines(&parsed).matches("SECRET").count() <= 12, "{}", lines(&parsed));
    assert!(reasons(&parsed).contains(&OffScreen));
}

#[test]
fn hidden_links_are_known_but_vouch_for_nothing() {
    let parsed = page(
        "<a href=/seen>seen</a><div style=display:none><a href=/secret>secret</a></div>
         <nav hidden><a href=/menu>menu</a></nav><a href=/sign aria-hidden=true>#</a>",
    );
    let link = |path: &str| {
        let found = parsed.links.iter().find(|link| link.target.as_str().ends_with(path));
        found.unwrap_or_else(|| panic!("{path} in {:?}", parsed.links))
    };
    assert!(!link("/seen").rel.nofollow);
    assert!(link("/secret").rel.nofollow && link("/secret").anchor.is_empty());
    assert!(!link("/menu").rel.nofollow, "folded links are honest");
    assert!(!link("/sign").rel.nofollow, "everybody sees it but screen readers");
}

#[test]
fn htm_16_samples_are_bounded() {
    let styles = ["display:none", "font-size:0", "color:#fff", "clip-path:inset(50%)"];
    let words = "secret ".repeat(20_000);
    let boxes: Vec<_> =
        styles.iter().map(|style| format!("<p style='{style}'>{words}</p>")).collect();
    let noscript = format!("<noscript>{words}</noscript><p hidden>{words}</p>");
    let parsed = page(&format!("<p>seen</p>{}{noscript}", boxes.concat()));
    assert_eq!(lines(&parsed), "B seen");
    assert_eq!(reasons(&parsed), [NotShown, Attribute, Colour, Tiny, Clipped, NoScript]);
    let lengths: Vec<usize> = parsed.hidden.iter().map(|hidden| hidden.text.len()).collect();
    assert!(lengths.iter().all(|length| (1_000..=4_096).contains(length)), "{lengths:?}");
    assert!(lengths.iter().sum::<usize>() <= 16 * 1_024, "{lengths:?}");
}

#[test]
fn htm_16_pages_made_to_be_slow_are_judged_in_linear_time() {
    // Many rules under one name, many elements with that name, deep nesting, many hidden boxes.
    let rules: String =
        (0..5_000).map(|i| format!(".a .b{i} .a{{color:red;display:block}}")).collect();
    let elements = "<p class=a>x".repeat(20_000);
    let classes = format!("<p class='{}'>x", "a ".repeat(20_000)).repeat(20);
    let deep = "<div class=a style=visibility:hidden>x<div style=visibility:visible>".repeat(300);
    let boxes = "<div style=display:none><p>x y z</p></div>".repeat(5_000);
    let details = "<details>".repeat(400);
    for body in [elements, classes, deep, boxes, details] {
        page(&format!("<style>{rules}</style>{body}"));
    }
    page(&"<style>.a{display:none}</style>".repeat(5_000));
    page(&format!("<p style='{}'>x", "a:b;".repeat(200_000)));
    page(&format!("<noscript>{}</noscript>", "<".repeat(200_000)));
}

/// Returns the phrases of six words of a text.
fn phrases(text: &str) -> HashSet<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(6).map(|words| words.join(" ")).collect()
}

#[test]
fn the_articles_of_the_readability_pack_are_not_taken_for_hidden() {
    let Some(folder) = pack("readability/mozilla-readability/test/test-pages") else { return };
    let (mut pages, mut lost) = (0, Vec::new());
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for path in folders {
        let Ok(source) = std::fs::read_to_string(path.join("source.html")) else { continue };
        let Ok(article) = std::fs::read_to_string(path.join("expected.html")) else { continue };
        pages += 1;
        let article = page(&article);
        let text: Vec<&str> = article.blocks.iter().map(|block| block.text.as_str()).collect();
        let article = phrases(&text.join(" "));
        let source = page(&source);
        let is_honest = |reason| matches!(reason, Folded | AriaHidden);
        let hidden = source.hidden.iter().filter(|hidden| !is_honest(hidden.reason));
        let both: Vec<String> = hidden
            .flat_map(|hidden| phrases(&hidden.text))
            .filter(|phrase| article.contains(phrase))
            .collect();
        if both.len() * 20 > article.len() {
            lost.push(format!("{} {:?}", path.display(), both.first()));
        }
    }
    assert!(pages > 100, "{pages} pages");
    // One is made of hidden copies of its own text, of one a list of other articles is expected.
    assert!(lost.len() <= 2, "{lost:#?}");
}
