//! PDF-01 to PDF-13: files made to harm, each followed by one that must still be read.

use std::fmt::Write;

use base::{ContentKind, HiddenReason, LinkKind, Oddity};
use lopdf::{EncryptionState, EncryptionVersion, Permissions};

use super::files::{page_objects, pdf, pdf_page, pdf_with, stream, zlib};
use super::{has, read, survive, words};

const HELLO: &str = "BT /F1 12 Tf 72 700 Td (hello paper) Tj ET";

#[test]
fn pdf_01_nesting_ten_thousand_deep_costs_one_file() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let mut objects = page_objects(HELLO);
    objects.push(deep.clone().into_bytes());
    assert_eq!(words(&survive(&pdf(&objects))), "hello paper");
    objects[2] = format!("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Deep {deep}>>").into_bytes();
    survive(&pdf(&objects));
    let dictionaries = format!("{}1{}", "<</A ".repeat(10_000), ">>".repeat(10_000));
    objects[2] = dictionaries.into_bytes();
    survive(&pdf(&objects));
    assert_eq!(words(&survive(&pdf_page(&format!("{HELLO} {deep} TJ")))), "hello paper");
}

#[test]
fn pdf_02_a_page_tree_that_contains_itself_is_bounded() {
    let mut objects = page_objects(HELLO);
    objects[1] = b"<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R 3 0 R]/Count 2147483648>>".to_vec();
    assert_eq!(words(&survive(&pdf(&objects))), "hello paper");
}

#[test]
fn pdf_03_streams_that_expand_without_end_are_bounded() {
    let mut objects = page_objects("");
    objects[3] = stream("/Filter/FlateDecode", &zlib(&vec![b' '; 64 * 1024 * 1024]));
    let parsed = survive(&pdf(&objects));
    assert!(parsed.blocks.is_empty() && has(&parsed, Oddity::DocumentCut));
    let filters = format!("/Filter[{}]", "/FlateDecode".repeat(50));
    let mut packed = HELLO.as_bytes().to_vec();
    for _ in 0..50 {
        packed = zlib(&packed);
    }
    objects[3] = stream(&filters, &packed);
    assert_eq!(words(&survive(&pdf(&objects))), "hello paper");
}

#[test]
fn pdf_04_broken_cross_references_are_recovered_or_refused() {
    let good = pdf_page(HELLO);
    let text = String::from_utf8_lossy(&good).into_owned();
    let xref = text.find("xref\n0").unwrap();
    // No table at all, as where a body was cut: the objects themselves are found.
    let parsed = survive(&text.as_bytes()[..xref]);
    assert!(words(&parsed) == "hello paper" || has(&parsed, Oddity::Unreadable), "{parsed:?}");
    for (from, to) in [
        ("startxref\n", "startxref\n99999999"),
        ("startxref\n", "startxref\n-5\n"),
        ("00000 n", "99999 n"),
        ("0000000009", "9999999999"),
        ("xref\n0 6", "xref\n0 4294967295"),
    ] {
        let parsed = survive(text.replacen(from, to, 1).as_bytes());
        assert!(words(&parsed) == "hello paper" || !parsed.oddities.is_empty(), "{to}");
    }
    let mut objects = page_objects(HELLO);
    objects.push(stream("/Type/XRef/W[1 4000000000 -3]/Index[0 2147483647]/Size 7", b"abc"));
    survive(&pdf(&objects));
}

#[test]
fn pdf_05_broken_fonts_give_what_text_they_can() {
    let content = "BT /F1 12 Tf 72 700 Td (first) Tj /F2 12 Tf 0 -40 Td (second) Tj \
                   /F3 12 Tf 0 -40 Td (third) Tj /F4 12 Tf 0 -40 Td <00410042> Tj \
                   /F9 12 Tf 0 -40 Td (no font) Tj ET";
    let mut objects = page_objects(content);
    objects[2] = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources\
        <</Font<</F1 5 0 R/F2 6 0 R/F3 7 0 R/F4 8 0 R>>>>>>"
        .to_vec();
    objects.push(
        b"<</Type/Font/Subtype/TrueType/ToUnicode 9 0 R/FirstChar -5/Widths[1 (x) null]>>".to_vec(),
    );
    objects.push(
        b"<</Type/Font/Subtype/Type3/FontMatrix[(x)]/CharProcs 7 0 R/Encoding<</Differences\
          [116/t/h/uni69 /r -3 /d 999 /x]>>>>"
            .to_vec(),
    );
    objects.push(
        b"<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 9 0 R/DescendantFonts[8 0 R]>>"
            .to_vec(),
    );
    objects.push(stream(
        "",
        b"1 begincodespacerange <00> <f> endcodespacerange 1 beginbfrange <00> <7> <0> endbfrange \
          1 beginbfchar <0041> <00480> endbfchar beginbfrange <1> <ffffffff> [ endbfrange",
    ));
    let parsed = survive(&pdf(&objects));
    assert!(words(&parsed).starts_with("first"), "{}", words(&parsed));
    assert!(words(&parsed).contains("second"), "{}", words(&parsed));
}

#[test]
fn pdf_06_endless_content_ends_at_a_limit() {
    let parsed = survive(&pdf_page(&format!("BI /W 9 /H 9 /BPC 8 ID \x01\x02 EI {HELLO}")));
    assert_eq!(words(&parsed), "hello paper");
    let mut objects = page_objects("");
    objects[3] = stream("/Filter/FlateDecode", &zlib("q\n".repeat(10_000_000).as_bytes()));
    let parsed = survive(&pdf(&objects));
    let is_stopped = has(&parsed, Oddity::DocumentCut) || has(&parsed, Oddity::ReaderKilled);
    assert!(is_stopped, "{:?}", parsed.oddities);
}

/// Encrypts a document of one page.
fn encrypted(user: &str) -> Vec<u8> {
    let id = "/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]";
    let file = pdf_with(&page_objects(HELLO), id);
    let mut document = lopdf::Document::load_mem(&file).unwrap();
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password: user,
        key_length: 128,
        permissions: Permissions::all(),
    };
    let state = EncryptionState::try_from(version).unwrap();
    document.encrypt(&state).unwrap();
    let mut file = Vec::new();
    document.save_to(&mut file).unwrap();
    file
}

#[test]
fn pdf_07_an_empty_password_opens_and_an_unknown_one_is_said() {
    let open = encrypted("");
    assert!(!String::from_utf8_lossy(&open).contains("hello"));
    assert_eq!(words(&survive(&open)), "hello paper");
    let parsed = survive(&encrypted("secret"));
    assert!(parsed.blocks.is_empty() && has(&parsed, Oddity::Encrypted), "{:?}", parsed.oddities);
}

#[test]
fn pdf_08_actions_scripts_and_files_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let mark = dir.path().join("launched");
    let launch =
        format!("<</S/Launch/F(/bin/sh)/Win<</F(sh)/P(-c 'touch {0}')>>>>", mark.display());
    let script = "<</S/JavaScript/JS(app.launchURL\\('http://evil.example/'\\))>>";
    let mut objects = page_objects(HELLO);
    objects[0] = format!(
        "<</Type/Catalog/Pages 2 0 R/OpenAction {launch}/AA<</WC {script}>>/Names<</EmbeddedFiles\
         <</Names[(a)<</EF<</F 6 0 R>>>>]>>>>>>"
    )
    .into_bytes();
    objects[2] = format!(
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/Annots[\
         <</Subtype/Link/A {launch}>><</Subtype/Link/A {script}>>\
         <</Subtype/Link/A<</S/GoToR/F(http://evil.example/x.pdf)>>>>\
         <</Subtype/Link/A<</S/URI/URI(http://good.example/)>>>>\
         <</Subtype/Link/A<</S/URI/URI(javascript:alert\\(1\\))>>>>]>>"
    )
    .into_bytes();
    objects.push(stream("", b"secret words of an attachment"));
    let parsed = survive(&pdf(&objects));
    assert_eq!(words(&parsed), "hello paper");
    let links: Vec<&str> = parsed.links.iter().map(|link| link.target.as_str()).collect();
    assert_eq!(links, ["http://good.example/"]);
    assert!(!mark.exists());
}

#[test]
fn words_under_a_link_are_its_anchor() {
    let mut objects = page_objects(
        "BT /F1 12 Tf 1 0 0 1 72 700 Tm (See) Tj 1 0 0 1 100 700 Tm (the annual) Tj \
         1 0 0 1 170 700 Tm (report) Tj 1 0 0 1 230 700 Tm (for more) Tj \
         1 0 0 1 72 600 Tm (Or visit http://c.example/y today.) Tj ET",
    );
    objects[2] = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R\
        /Resources<</Font<</F1 5 0 R>>>>/Annots[\
        <</Subtype/Link/Rect[98 696 215 712]/A<</S/URI/URI(http://b.example/)>>>>\
        <</Subtype/Link/Rect[10 10 20 20]/Contents(Said)/A<</S/URI/URI(http://d.example/)>>>>\
        <</Subtype/Link/Rect[0 0 9 (x)]/A<</S/URI/URI(http://e.example/)>>>>]>>"
        .to_vec();
    let parsed = survive(&pdf(&objects));
    assert_eq!(
        words(&parsed),
        "See the annual report for more | Or visit http://c.example/y today."
    );
    let links: Vec<_> = parsed
        .links
        .iter()
        .map(|link| (link.target.as_str(), link.kind, link.anchor.as_str()))
        .collect();
    assert_eq!(
        links,
        [
            ("http://b.example/", LinkKind::Anchor, "the annual report"),
            ("http://d.example/", LinkKind::Anchor, "Said"),
            ("http://e.example/", LinkKind::Anchor, ""),
            ("http://c.example/y", LinkKind::Mention, ""),
        ]
    );
    let around = |place: usize| text::around(&parsed.blocks, parsed.anchors[place].unwrap(), 2);
    assert_eq!(around(0), ("See", "for more"));
    assert_eq!(around(3), ("Or visit", "today."));
    assert_eq!(parsed.anchors[1], None);
}

#[test]
fn pdf_09_pictures_of_pages_have_no_text_and_say_so() {
    let mut objects = page_objects("q 612 0 0 792 0 0 cm /I Do Q");
    objects[2] =
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 6 0 R>>>>>>".to_vec();
    objects
        .push(stream("/Type/XObject/Subtype/Image/Width 1/Height 1/Filter/DCTDecode", b"\xFF\xD8"));
    let parsed = survive(&pdf(&objects));
    assert!(parsed.blocks.is_empty() && has(&parsed, Oddity::NoText), "{:?}", parsed.oddities);
    // Letters that a scanner put over its picture are not seen, but they are the text.
    objects[3] = stream("", format!("q 612 0 0 792 0 0 cm /I Do Q 3 Tr {HELLO}").as_bytes());
    objects[2] = b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 6 0 R>>\
        /Font<</F1 5 0 R>>>>>>"
        .to_vec();
    assert_eq!(words(&survive(&pdf(&objects))), "hello paper");
}

#[test]
fn pdf_10_the_bytes_say_what_it_is() {
    let good = pdf_page(HELLO);
    assert_eq!(read(&good, "text/html").kind, ContentKind::Pdf);
    assert_eq!(words(&read(&good, "text/html")), "hello paper");
    let html = b"<!doctype html><p>not a PDF, but %PDF- is mentioned";
    assert_eq!(read(html, "application/pdf").kind, ContentKind::Html);
    let mut late = vec![b'x'; 500];
    late.extend(&good);
    assert_eq!(words(&survive(&late)), "hello paper");
    let mut junk = vec![b'x'; 1024 * 1024];
    junk.extend(&good);
    assert_ne!(survive(&junk).kind, ContentKind::Pdf);
}

#[test]
fn pdf_11_of_a_cut_file_whole_pages_are_read_or_nothing() {
    let mut objects = page_objects(HELLO);
    objects[1] = b"<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>".to_vec();
    objects.push(
        b"<</Type/Page/Parent 2 0 R/Contents 7 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_vec(),
    );
    objects.push(stream("", "BT /F1 12 Tf 72 700 Td (second page) Tj ET".as_bytes()));
    let whole = pdf(&objects);
    assert_eq!(words(&survive(&whole)), "hello paper | second page");
    for share in [2, 4, 6, 8, 9] {
        let parsed = read(&whole[..whole.len() * share / 10], "application/pdf");
        let text = words(&parsed);
        assert!("hello paper | second page".starts_with(&text), "{text}");
        assert!(!text.is_empty() || !parsed.oddities.is_empty());
    }
}

#[test]
fn pdf_12_what_readers_do_not_see_is_kept_apart() {
    let mut content = String::from("1 1 1 rg BT /F1 12 Tf 72 500 Td (white words) Tj ET 0 g ");
    content += "BT /F1 12 Tf 5000 700 Td (far away) Tj ET BT /F1 0.1 Tf 72 600 Td (dust) Tj ET ";
    content += HELLO;
    let parsed = survive(&pdf_page(&content));
    assert_eq!(words(&parsed), "hello paper");
    let hidden: Vec<(HiddenReason, &str)> =
        parsed.hidden.iter().map(|found| (found.reason, found.text.as_str())).collect();
    assert!(hidden.contains(&(HiddenReason::Colour, "white words")), "{hidden:?}");
    assert!(hidden.contains(&(HiddenReason::OffScreen, "far away")), "{hidden:?}");
    assert!(hidden.contains(&(HiddenReason::Tiny, "dust")), "{hidden:?}");
    // White letters on a dark ground are for readers.
    let dark = "0 0 0.5 rg 0 600 612 100 re f 1 g BT /F1 12 Tf 72 650 Td (white on blue) Tj ET";
    assert_eq!(words(&survive(&pdf_page(dark))), "white on blue");
    // One letter each, in no order.
    let mut letters = String::new();
    for i in 0_u32..50_000 {
        let x = i.wrapping_mul(2_654_435_761) % 600;
        let y = i.wrapping_mul(40_503) % 780;
        write!(letters, "BT /F1 9 Tf {x} {y} Td (a) Tj ET ").unwrap();
    }
    let parsed = survive(&pdf_page(&letters));
    let total: usize = parsed.blocks.iter().map(|block| block.text.len()).sum();
    assert!(total <= 200_000, "{total}");
}

#[test]
fn pdf_13_a_title_is_cut_and_cleaned_like_any_title() {
    let mut objects = page_objects(HELLO);
    let title = format!("<b>Big\\ttitle</b>\\n{}", "x".repeat(1024 * 1024));
    objects.push(format!("<</Title({title})/Author(Jane)>>").into_bytes());
    let parsed = survive(&pdf_with(&objects, "/Info 6 0 R"));
    assert!(parsed.title.starts_with("<b>Big title</b> xxx"), "{}", &parsed.title[..40]);
    assert!(parsed.title.chars().count() <= 512);
    assert_eq!(parsed.about.author, "Jane");
    assert_eq!(words(&parsed), "hello paper");
}
