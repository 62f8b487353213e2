//! Term spam (S1): made spam scores high, real pages do not; languages are told by the text.

use std::path::{Path, PathBuf};

use base::{SpamKind, Url};
use parse::{Input, Options, Parsed, parse};

use super::page;
use super::real::pack;

/// A score from which a page counts as spam here.
const SPAM: u8 = 50;

fn read(path: &Path) -> Parsed {
    let url = Url::parse("http://real.example/").unwrap();
    let body = std::fs::read(path).unwrap();
    let input = Input { content_type: Some("text/html"), ..Input::new(&url, &body) };
    parse(&input, &Options::default())
}

/// Returns all files below a folder whose names end so.
fn files(folder: &Path, ends: fn(&str) -> bool) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if ends(&path.to_string_lossy()) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A page with a title and some text.
fn made(title: &str, body: &str) -> Parsed {
    page(&format!("<title>{title}</title><h1>Welcome</h1>{body}"))
}

/// Made spam scores high, for the reason given before all others.
#[track_caller]
fn check_spam(title: &str, body: &str, kind: SpamKind) {
    let spam = made(title, body).spam;
    assert!(spam.score >= 70, "{title}: {spam:?}");
    assert!(spam.reasons.iter().any(|reason| reason.kind == kind), "{spam:?}");
    assert!(spam.reasons.iter().all(|reason| reason.evidence.len() <= 80), "{spam:?}");
    assert!(spam.reasons.is_sorted_by(|one, other| one.weight >= other.weight), "{spam:?}");
}

/// What search engines were once fed with.
const PHRASES: [&str; 12] = [
    "cheap hotel paris",
    "paris hotel",
    "hotel deals paris",
    "paris cheap hotels",
    "best paris hotel",
    "hotel in paris",
    "hotel booking paris",
    "paris hotel rooms",
    "cheap paris rooms",
    "paris hotel centre",
    "hotel rooms paris",
    "last minute paris hotel",
];

#[test]
fn spm_01_a_word_repeated_ten_thousand_times_is_spam() {
    let body = format!("<p>{}</p>", "viagra ".repeat(10_000));
    check_spam("Welcome", &body, SpamKind::Repetition);
    check_spam("Welcome", &body, SpamKind::Frequency);
    check_spam(&"viagra ".repeat(10_000), "<p>Some words.", SpamKind::StuffedTitle);
    // In boxes of their own, and in a script without blanks.
    check_spam("Welcome", &"<p>cheap watches</p>".repeat(200), SpamKind::Repetition);
    check_spam("Welcome", &format!("<p>{}", "格安ホテル".repeat(300)), SpamKind::Repetition);
}

#[test]
fn spm_01_lists_of_search_words_are_spam() {
    for separator in [", ", " | ", " "] {
        // Each time in another order, as generators write them.
        let turn = |start: usize| (0..12).map(move |i| PHRASES[(start + i * 5) % 12]);
        let list: Vec<_> = (0..5).flat_map(turn).collect();
        let body = format!("<p>{}</p>", list.join(separator));
        check_spam("Welcome", &body, SpamKind::KeywordList);
    }
}

#[test]
fn spm_01_stuffed_sentences_are_spam() {
    let sentence = |place: usize| {
        let phrase = PHRASES[place % 12];
        format!(
            "If you want a {phrase}, our {phrase} is the hotel that hotel guests in Paris call hotel number {place}. "
        )
    };
    let body: String = (0..40).map(sentence).collect();
    check_spam("Welcome", &format!("<p>{body}"), SpamKind::Frequency);
}

#[test]
fn spm_01_hidden_lists_are_spam() {
    let list = PHRASES.join(", ");
    let honest = "<p>We are a small house near the river. Rooms have a view of the garden, and \
        breakfast is served until eleven.</p>";
    for style in ["display:none", "color:#fff", "font-size:0", "position:absolute;left:-999em"] {
        let body = format!("{honest}<div style='{style}'>{list}</div>");
        check_spam("Hotel in Paris", &body, SpamKind::HiddenText);
    }
    assert_eq!(made("Hotel in Paris", honest).spam.score, 0);
}

#[test]
fn honest_lists_tables_and_short_pages_are_not_spam() {
    let rows: String =
        (0..60).map(|i| format!("<tr><td>Type{i}<td>yes<td>{i} kg<td>ready in {i} days")).collect();
    let index: String = (0..200).map(|i| format!("term{i}, ")).collect();
    for body in [
        format!("<table>{rows}</table>"),
        format!("<p>{index}</p>"),
        String::from("<p>no no no no no no no no no no"),
        format!("<pre>{}</pre>", "0 0 1 0 ".repeat(500)),
        String::from("<p>東京"),
        String::new(),
    ] {
        let spam = made("Welcome to Lookfar", &body).spam;
        assert!(spam.score < SPAM, "{body}: {spam:?}");
    }
}

#[test]
fn spm_11_a_false_language_is_seen_through() {
    let english = "The sea is calm tonight, and the boats have come back to the harbour with \
        the last of the light. Nobody in the village remembers a summer as warm as this one.";
    let german = "Das Meer ist heute Abend ruhig, und die Boote sind mit dem letzten Licht in den \
        Hafen zurückgekehrt. Niemand im Dorf erinnert sich an einen so warmen Sommer.";
    let code = |html: &str| page(html).language.map(text::Language::code);
    for lie in ["ja", "zh-Hant", "da", "xx", "", "not a language at all", "\u{202E}"] {
        assert_eq!(code(&format!("<html lang='{lie}'><p>{english}")), Some("en"), "{lie}");
    }
    assert_eq!(code(&format!("<html lang=en><p>{german}<p>The end.")), Some("de"));
    // Two languages on one page: one of them, whatever is declared.
    let mixed = code(&format!("<html lang=ja><p>{english}<p>{german}"));
    assert!(mixed == Some("en") || mixed == Some("de"), "{mixed:?}");
    // Texts of a few characters are no reason to fail, nor spam.
    for text in ["hello", "你好", "ÆØÅæø", "ก ข", "\u{0}\u{1}", "🙂🙃", "a\u{301}\u{301}", "٣٤"]
    {
        for lang in ["", "ja", "en"] {
            assert_eq!(page(&format!("<html lang='{lang}'><p>{text}")).spam.score, 0, "{text}");
        }
    }
}

/// Reads all pages; at most `per_mille` of a thousand may count as spam. Returns the figures.
#[track_caller]
fn check_honest(pages: &[PathBuf], per_mille: usize) -> String {
    let mut found = Vec::new();
    let mut doubts = [0_usize; 5];
    for path in pages {
        let parsed = read(path);
        for reason in &parsed.spam.reasons {
            doubts[reason.kind as usize] += 1;
        }
        if parsed.spam.score >= SPAM {
            found.push(format!("{} {:?}", path.display(), parsed.spam));
        }
    }
    assert!(found.len() * 1_000 <= pages.len() * per_mille, "{found:#?}");
    format!("{} pages, {} spam, doubts by kind {doubts:?} {found:#?}", pages.len(), found.len())
}

#[test]
fn real_pages_are_not_spam() {
    let Some(pack) = pack("webkb/webkb-raw") else { return };
    let pages = files(&pack, |_| true);
    let every = if std::env::var_os("LOOKFAR_EVERY").is_some() { 1 } else { 8 };
    println!("{}", check_honest(&pages.into_iter().step_by(every).collect::<Vec<_>>(), 5));
}

#[test]
fn articles_of_the_readability_pack_are_not_spam() {
    let Some(pack) = pack("readability") else { return };
    println!("{}", check_honest(&files(&pack, |name| name.ends_with("source.html")), 8));
}

#[test]
fn documentation_is_not_spam() {
    // Far more pages than a test should read: only where a folder is given.
    let Some(docs) = std::env::var_os("LOOKFAR_DOCS").map(PathBuf::from) else {
        println!("skipped: set LOOKFAR_DOCS to unpacked documentation packages");
        return;
    };
    // Manuals of several versions repeat each other; `LOOKFAR_EVERY=1` reads them all.
    let every = std::env::var("LOOKFAR_EVERY").ok().and_then(|step| step.parse().ok());
    let pages = files(&docs, |name| name.ends_with(".html"));
    let pages: Vec<_> = pages.into_iter().step_by(every.unwrap_or(10)).collect();
    println!("{}", check_honest(&pages, 5));
}
