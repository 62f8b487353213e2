//! Character sets as browsers choose them (CHR cases).

use std::path::Path;

use base::{ContentKind, Oddity};
use parse::{Input, Options, Parsed, parse};

use super::real::pack;
use super::{bytes, has, lines};

#[track_caller]
fn check(body: &[u8], content_type: &str, charset: &str, text: &str) -> Parsed {
    let parsed = bytes(body, content_type);
    assert_eq!((parsed.charset, lines(&parsed).as_str()), (charset, text), "{content_type}");
    parsed
}

#[test]
fn chr_01_a_wrong_header_does_not_hide_the_text() {
    let russian = "Жил-был царь, и был у него сын, который хотел жениться на принцессе. Он объездил весь свет.";
    let (body, _, _) = encoding_rs::WINDOWS_1251.encode(russian);
    let parsed = check(&body, "text/html; charset=utf-8", "windows-1251", &format!("B {russian}"));
    assert!(has(&parsed, Oddity::BadCharacters));
    assert_eq!(parsed.language.map(text::Language::code), Some("ru"));
}

#[test]
fn chr_02_broken_sequences_become_replacements() {
    let mut body = "<p>été à la crème brûlée, là-bas où l’âme ".as_bytes().to_vec();
    body.extend_from_slice(b"a\x80b \xC0\xAF \xED\xA0\x80 caf\xC3\xA9 \xC3");
    let text = "B été à la crème brûlée, là-bas où l’âme \
        a\u{FFFD}b \u{FFFD}\u{FFFD} \u{FFFD}\u{FFFD}\u{FFFD} café \u{FFFD}";
    let parsed = check(&body, "text/html;charset=utf-8", "UTF-8", text);
    assert!(has(&parsed, Oddity::BadCharacters));
}

#[test]
fn chr_03_mark_then_header_then_meta() {
    check(
        b"\xEF\xBB\xBF<meta charset=koi8-r><p>\xC3\xA9",
        "text/html; charset=windows-1251",
        "UTF-8",
        "B é",
    );
    check(
        b"<meta charset=koi8-r><p>\xE9",
        "text/html; charset=windows-1252",
        "windows-1252",
        "B é",
    );
    check(b"<meta charset=windows-1252><p>\xE9", "text/html", "windows-1252", "B é");
    check(
        b"<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-2'><p>\xB3",
        "text/html",
        "ISO-8859-2",
        "B ł",
    );
    check(b"<!-- <meta charset=koi8-r> --><p>\xC3\xA9", "text/html", "UTF-8", "B é");
}

#[test]
fn chr_04_wide_characters_with_and_without_mark() {
    let little: Vec<u8> =
        "<p>hello wörld, how are you".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> =
        "<p>hello wörld, how are you".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let text = "B hello wörld, how are you";
    check(&little, "text/html", "UTF-16LE", text);
    // Tags are seen also where the server says nothing.
    for content_type in ["", "application/octet-stream"] {
        check(&little, content_type, "UTF-16LE", text);
        check(&[b"\xFE\xFF", big.as_slice()].concat(), content_type, "UTF-16BE", text);
    }
    check(&big, "text/html", "UTF-16BE", text);
    check(&[b"\xFF\xFE", little.as_slice()].concat(), "text/html", "UTF-16LE", text);
    check(&[b"\xFE\xFF", big.as_slice()].concat(), "text/html; charset=utf-8", "UTF-16BE", text);
    let wide = |bytes: fn(u32) -> [u8; 4]| -> Vec<u8> {
        "<p>hello wörld, how are you 🐆".chars().flat_map(|letter| bytes(letter.into())).collect()
    };
    let (little_32, big_32) = (wide(u32::to_le_bytes), wide(u32::to_be_bytes));
    let text_32 = format!("{text} 🐆");
    check(&little_32, "", "UTF-32LE", &text_32);
    check(&little_32, "text/html", "UTF-32LE", &text_32);
    check(&big_32, "text/html", "UTF-32BE", &text_32);
    check(&[b"\xFF\xFE\0\0", little_32.as_slice()].concat(), "text/html", "UTF-32LE", &text_32);
    check(
        &[b"\0\0\xFE\xFF", big_32.as_slice(), b"x"].concat(),
        "text/html",
        "UTF-32BE",
        &format!("{text_32}\u{FFFD}"),
    );
    // A mark of UTF-16 and zeros, numbers of four bytes, and nothing at all are no UTF-32.
    let numbers: Vec<u8> = (0..500_u32).flat_map(u32::to_le_bytes).collect();
    for body in [&b"\xFF\xFE\0\0"[..], &[0; 64], &numbers, b"\0\0\xFE\xFF"] {
        assert!(!bytes(body, "text/html").charset.starts_with("UTF-32"));
    }
    check(&[little.as_slice(), b"x"].concat(), "text/html", "UTF-16LE", &format!("{text}\u{FFFD}"));
}

#[test]
fn chr_05_unknown_names_are_ignored() {
    for name in ["x-unknown", "utf-8utf-8", "", ";;;", "\"", &"x".repeat(1024)] {
        check(b"<p>caf\xC3\xA9", &format!("text/html; charset={name}"), "UTF-8", "B café");
    }
    check(b"<p>caf\xC3\xA9", "text/html; charset=iso-2022-kr", "UTF-8", "B café");
}

#[test]
fn chr_06_a_late_meta_is_not_asked() {
    let body = format!("<!-- {} --><meta charset=koi8-r><p>café", "x".repeat(1_100));
    check(body.as_bytes(), "text/html", "UTF-8", "B café");
}

#[test]
fn chr_07_east_asian_pages_are_read() {
    let text = "吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。";
    for encoding in [encoding_rs::SHIFT_JIS, encoding_rs::EUC_JP, encoding_rs::ISO_2022_JP] {
        let (body, _, _) = encoding.encode(text);
        check(
            &body,
            &format!("text/html; charset={}", encoding.name()),
            encoding.name(),
            &format!("B {text}"),
        );
        check(&body, "text/html", encoding.name(), &format!("B {text}"));
    }
    let text = "我们在北京大学学习，天气很好。";
    let (body, _, _) = encoding_rs::GB18030.encode(text);
    check(&body, "text/html; charset=gb18030", "gb18030", &format!("B {text}"));
    let text = "臺灣的天氣很好，我們一起去看海。";
    let (body, _, _) = encoding_rs::BIG5.encode(text);
    check(&body, "text/html; charset=big5", "Big5", &format!("B {text}"));
    let text = "한국어 문장을 나눈다";
    let (body, _, _) = encoding_rs::EUC_KR.encode(text);
    check(&body, "text/html; charset=euc-kr", "EUC-KR", &format!("B {text}"));
}

/// Writes links as lines: path, then what is clicked.
fn links(parsed: &Parsed) -> Vec<String> {
    let line = |link: &base::Link| format!("{} {}", link.target.path(), link.anchor);
    parsed.links.iter().map(line).collect()
}

/// Checks the links that a page has in a browser.
#[track_caller]
fn check_links(content_type: &str, body: &[u8], expected: &[&str]) {
    let shown = String::from_utf8_lossy(body);
    assert_eq!(links(&bytes(body, content_type)), expected, "{content_type}: {shown:?}");
}

#[test]
fn chr_07_half_a_character_does_not_swallow_markup() {
    for (charset, lead) in [
        ("shift_jis", &b"\x81"[..]),
        ("windows-31j", b"\xFC"),
        ("euc-jp", b"\xA4"),
        ("euc-jp", b"\x8F"),
        ("euc-jp", b"\x8F\xA1"),
        ("gbk", b"\x81"),
        ("gb18030", b"\x81\x30"),
        ("gb18030", b"\x81\x30\x81"),
        ("big5", b"\x81"),
        ("big5-hkscs", b"\xFE"),
        ("euc-kr", b"\xA1"),
        ("utf-8", b"\xE4"),
        ("utf-8", b"\xE4\xB8"),
        ("utf-8", b"\xF0\x9F"),
        ("iso-2022-jp", b"\x1B"),
        ("iso-2022-jp", b"\x1B$"),
    ] {
        let content_type = format!("text/html; charset={charset}");
        let put = |pieces: &[&[u8]]| pieces.join(lead);
        let attribute =
            put(&[b"<p title=\"", b"\"><a href=/1>one</a><p title='", b"'><a href=/2>two</a>"]);
        check_links(&content_type, &attribute, &["/1 one", "/2 two"]);
        let text = put(&[b"<p>a", b"<a href=/1>one</a>", b"</p>b", b"<a href=/2>two"]);
        check_links(&content_type, &text, &["/1 one", "/2 two"]);
        let parsed = bytes(&text, &content_type);
        assert!(has(&parsed, Oddity::BadCharacters), "{charset}");
    }
}

#[test]
fn chr_07_escapes_hide_markup_only_where_browsers_hide_it() {
    let japanese = "text/html; charset=iso-2022-jp";
    for (body, declared, undeclared) in [
        (
            &b"<p>x\x1B$B<a href=/1>one</a>\x1B(B<a href=/2>two</a>"[..],
            &["/2 two"][..],
            &["/1 one", "/2 two"][..],
        ),
        (b"<p>x\x1B$B<a href=/1>one</a><p>more", &[], &["/1 one"]),
        (b"<p>\x1B$B$3$s\n<a href=/1>one</a>", &[], &["/1 one"]),
        (b"<p>\x1B(I12<a href=/1>one</a>", &[], &["/1 one"]),
        (b"<p title=\"\x1B$B\"><a href=/1>one</a>", &[], &["/1 one"]),
        (b"<p>\x1B$(D0!<a href=/1>one</a>", &["/1 one"], &["/1 one"]),
        (b"<p>\x1B$)C\x0E<a href=/1>one</a>\x0F", &["/1 one"], &["/1 one"]),
        (b"<p>\x1B(J\\<a href=/1>o~ne</a>", &["/1 o\u{203E}ne"], &["/1 o~ne"]),
        (b"<p>\x1B$B$3$s\x1B(B<a href=/1>\x1B$B$3$s\x1B(B</a>", &["/1 こん"], &["/1 こん"]),
    ] {
        check_links(japanese, body, declared);
        check_links("text/html", body, undeclared);
    }
    // HZ, UTF-7 and EBCDIC are no character sets of the web: their signs are what they look like.
    for charset in ["hz-gb-2312", "utf-7", "cp037", "iso-2022-kr", "iso-2022-cn"] {
        let content_type = format!("text/html; charset={charset}");
        for content_type in [content_type.as_str(), "text/html"] {
            check_links(content_type, b"<p>~{<a href=/1>one</a>~}", &["/1 one"]);
            check_links(content_type, b"<p>+ADw-a href=/1+AD4-one<a href=/2>two</a>", &["/2 two"]);
        }
    }
}

#[test]
fn chr_08_nul_bytes_part_words_and_vanish() {
    let parsed =
        bytes(b"<p>one t\0wo <b>three\0</b> and a good deal of text that follows it", "text/html");
    assert!(!lines(&parsed).contains('\0'));
    assert!(lines(&parsed).contains("one t"));
}

/// Character sets of the detector's files that the encoding standard does not have: no browser
/// reads them, and neither do we. Their files count as wrong.
const UNKNOWN: [&str; 4] = ["EUC-TW", "IBM855", "Johab", "iso-2022-kr"];

/// Returns what a file of UTF-32 says.
fn utf_32(folder: &str, body: &[u8]) -> String {
    let is_big = folder.ends_with("BE") || body.starts_with(b"\0\0\xFE\xFF");
    let letter = |quad: &[u8]| {
        let quad = quad.try_into().unwrap();
        char::from_u32(if is_big { u32::from_be_bytes(quad) } else { u32::from_le_bytes(quad) })
    };
    body.chunks_exact(4).map(|quad| letter(quad).unwrap()).collect()
}

/// Returns the character set that a folder of the detector's files is named after.
fn named(folder: &str) -> &'static encoding_rs::Encoding {
    let label = match folder {
        "CP932" => "shift_jis",
        "CP949" => "euc-kr",
        "MacCyrillic" => "x-mac-cyrillic",
        "MacRoman" => "macintosh",
        "UTF-16" => "utf-16le",
        "utf-8-sig" => "utf-8",
        _ if folder.starts_with("iso-8859-") => {
            folder.splitn(4, '-').take(3).collect::<Vec<_>>().join("-").leak()
        }
        _ if folder.starts_with("windows-") => {
            folder.splitn(3, '-').take(2).collect::<Vec<_>>().join("-").leak()
        }
        _ => folder,
    };
    encoding_rs::Encoding::for_label(label.as_bytes()).unwrap()
}

/// What the files themselves say of their character set.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Declared {
    Kept,
    Hidden,
}

/// Spells the words that declare a character set wrong, in place.
fn hide(body: &mut [u8]) {
    for word in [&b"encoding"[..], b"charset"] {
        let last = word.len() - 1;
        for start in 0..body.len().saturating_sub(last) {
            if body[start..=start + last].eq_ignore_ascii_case(word) {
                body[start + last] = b'x';
            }
        }
    }
}

/// Returns whether a text was read as it is, white space aside; a page as it is read in UTF-8.
fn says(parsed: &Parsed, text: &str) -> bool {
    if parsed.kind == ContentKind::Html {
        return parsed.blocks == super::page(text).blocks;
    }
    let read: String =
        parsed.blocks.iter().flat_map(|block| block.text.split_whitespace()).collect();
    let text: String = text.split_whitespace().collect();
    read == text
}

/// Reads all files of the detector's pack; returns how many were right, how many there are, and
/// what was wrong.
fn read_all(pack: &Path, declared: Declared) -> (usize, usize, Vec<String>) {
    let url = super::url();
    let (mut right, mut count, mut wrong) = (0, 0, Vec::new());
    let mut folders: Vec<_> =
        std::fs::read_dir(pack).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders.into_iter().filter(|path| path.is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            let mut body = std::fs::read(&path).unwrap();
            if declared == Declared::Hidden {
                hide(&mut body);
            }
            let input = Input::new(&url, &body);
            let parsed = parse(&input, &Options::default());
            let found = encoding_rs::Encoding::for_label(parsed.charset.as_bytes());
            // Another name is as good where the text is the same.
            let is_right = if UNKNOWN.contains(&name) {
                false
            } else if name.starts_with("UTF-32") {
                parsed.charset.starts_with("UTF-32")
                    && says(&parsed, utf_32(name, &body).trim_start_matches('\u{FEFF}'))
            } else {
                let wanted = named(name).decode(&body).0;
                found.is_some_and(|found| found.decode(&body).0 == wanted)
            };
            count += 1;
            match is_right {
                true => right += 1,
                false => wrong.push(format!(
                    "{name}/{}: {} {:?}",
                    path.file_name().unwrap().to_string_lossy(),
                    parsed.charset,
                    parsed.kind
                )),
            }
        }
    }
    (right, count, wrong)
}

#[test]
#[allow(clippy::print_stderr, reason = "figures for the record, with --nocapture")]
fn files_of_many_character_sets_are_read_right() {
    let Some(pack) = pack("conformance/chardet/tests") else { return };
    for declared in [Declared::Kept, Declared::Hidden] {
        let (right, count, wrong) = read_all(&pack, declared);
        let share = right as f64 / count as f64;
        eprintln!("{declared:?}: {right} of {count} right, {share:.3}; wrong: {wrong:#?}");
        assert!(count > 420, "{count} files");
        assert!(share >= 0.93, "{declared:?}: {right} of {count}, wrong: {wrong:#?}");
    }
}

#[test]
fn letters_of_an_old_mac_are_told_from_those_of_windows() {
    let russian = "Моя семья жила в деревне; я помню, какая тишина стояла зимою. Я тоже.";
    for encoding in [encoding_rs::X_MAC_CYRILLIC, encoding_rs::WINDOWS_1251] {
        let (body, _, _) = encoding.encode(russian);
        check(&body, "text/html", encoding.name(), &format!("B {russian}"));
    }
}
