//! Tokens as the standard has them: the tokenizer tests of html5lib (`LOOKFAR_DATA`), and the
//! tokens that html5ever makes of real pages and of nonsense.
//!
//! Errors that the tests expect are not compared: nobody is told of them.

use std::cell::RefCell;
use std::path::PathBuf;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    self, BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts,
};
use parse::tokens::{Mode, Rules, Tokenizer, prepared};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::real::pack;

/// Runs of the tests, all of which are right: a test counts once for each state that it begins in.
/// Four more tests, of halves of characters, cannot be said in our strings.
const RUN: usize = 7_028;

#[derive(Default)]
struct Tokens {
    tokens: RefCell<Vec<Value>>,
    /// Answers tags as a tree builder does, so that scripts and titles are raw text.
    answers: bool,
    is_foreign: bool,
}

impl Tokens {
    /// Adds characters; those of neighbours are one token, and no characters are none.
    fn characters(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut tokens = self.tokens.borrow_mut();
        if let Some(Value::Array(last)) = tokens.last_mut()
            && last[0] == "Character"
            && let Value::String(before) = &mut last[1]
        {
            return before.push_str(text);
        }
        tokens.push(json!(["Character", text]));
    }

    fn tag(&self, tag: &Tag) {
        let token = match tag.kind {
            TagKind::EndTag => json!(["EndTag", &*tag.name]),
            TagKind::StartTag => {
                let attribute = |one: &html5ever::Attribute| {
                    (one.name.local.to_string(), Value::from(one.value.to_string()))
                };
                let attributes: Map<String, Value> = tag.attrs.iter().map(attribute).collect();
                if tag.self_closing {
                    json!(["StartTag", &*tag.name, attributes, true])
                } else {
                    json!(["StartTag", &*tag.name, attributes])
                }
            }
        };
        self.tokens.borrow_mut().push(token);
    }
}

impl TokenSink for Tokens {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => self.characters(&text),
            Token::NullCharacterToken => self.characters("\0"),
            Token::TagToken(tag) => {
                self.tag(&tag);
                if self.answers && tag.kind == TagKind::StartTag {
                    return answer(&tag.name);
                }
            }
            Token::CommentToken(text) => self.tokens.borrow_mut().push(json!(["Comment", &*text])),
            Token::DoctypeToken(doctype) => {
                let said = |text: &Option<StrTendril>| text.as_ref().map(ToString::to_string);
                let (name, public) = (said(&doctype.name), said(&doctype.public_id));
                let system = said(&doctype.system_id);
                let token = json!(["DOCTYPE", name, public, system, !doctype.force_quirks]);
                self.tokens.borrow_mut().push(token);
            }
            Token::EOFToken | Token::ParseError(_) => {}
            #[allow(unreachable_patterns, reason = "kinds that later versions may have")]
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.is_foreign
    }
}

fn answer(name: &str) -> TokenSinkResult<()> {
    match name {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" | "iframe" | "noscript" => TokenSinkResult::RawData(RawKind::Rawtext),
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

const ALL: Rules =
    Rules { mode: Mode::Data, attributes: usize::MAX, comment_bytes: usize::MAX, keeps: |_| true };

fn tokens(input: &str, mode: Mode, last_start_tag: Option<&str>) -> Vec<Value> {
    let (text, sink) = (prepared(input), Tokens::default());
    let mut tokenizer = Tokenizer::new(&text, &sink, Rules { mode, ..ALL });
    if let Some(name) = last_start_tag {
        tokenizer.set_last_start(name);
    }
    while tokenizer.advance(1) {}
    tokenizer.end();
    sink.tokens.into_inner()
}

/// Returns our tokens of a page and html5ever's.
fn both(page: &str, is_foreign: bool) -> [Vec<Value>; 2] {
    let sink = || Tokens { answers: true, is_foreign, ..Tokens::default() };
    let (text, ours) = (prepared(page), sink());
    let mut tokenizer = Tokenizer::new(&text, &ours, ALL);
    while tokenizer.advance(usize::MAX) {}
    tokenizer.end();
    let options = TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() };
    let tokenizer = tokenizer::Tokenizer::new(sink(), options);
    let buffer = BufferQueue::default();
    buffer.push_back(StrTendril::from(page));
    while !matches!(tokenizer.feed(&buffer), TokenizerResult::Done) {}
    tokenizer.end();
    [ours.tokens.into_inner(), tokenizer.sink.tokens.into_inner()]
}

/// Undoes `\uXXXX` in a text that was escaped twice; `None` if half a character is left over.
fn unescaped(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

/// Undoes the second escapes in all texts of a value.
fn unescape_all(value: &mut Value) -> Option<()> {
    match value {
        Value::String(text) => *text = unescaped(text)?,
        Value::Array(values) => {
            for value in values {
                unescape_all(value)?;
            }
        }
        Value::Object(map) => {
            let pairs = std::mem::take(map);
            for (name, mut value) in pairs {
                unescape_all(&mut value)?;
                map.insert(unescaped(&name)?, value);
            }
        }
        _ => {}
    }
    Some(())
}

/// Joins characters of neighbouring tokens, as [`Tokens`] does.
fn joined(expected: &[Value]) -> Vec<Value> {
    let tokens = Tokens::default();
    for token in expected {
        match token[1].as_str().filter(|_| token[0] == "Character") {
            Some(text) => tokens.characters(text),
            None => tokens.tokens.borrow_mut().push(token.clone()),
        }
    }
    tokens.tokens.into_inner()
}

fn mode(name: &str) -> Mode {
    match name {
        "Data state" => Mode::Data,
        "PLAINTEXT state" => Mode::Plaintext,
        "RCDATA state" => Mode::Rcdata,
        "RAWTEXT state" => Mode::Rawtext,
        "Script data state" => Mode::Script,
        "CDATA section state" => Mode::Cdata,
        other => panic!("unknown state {other}"),
    }
}

#[test]
fn tokens_are_those_of_the_standard() {
    let Some(folder) = pack("conformance/html5lib-tests/tokenizer") else { return };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut run, mut left_out) = (0, 0);
    let mut wrong = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|end| end == "test")) {
        let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        // Those of the other list are of a way to make XML of it.
        for test in file["tests"].as_array().into_iter().flatten() {
            let mut test = test.clone();
            let is_twice = test["doubleEscaped"] == true;
            let (mut input, mut output) = (test["input"].take(), test["output"].take());
            if is_twice && unescape_all(&mut input).and(unescape_all(&mut output)).is_none() {
                left_out += 1;
                continue;
            }
            let expected = joined(output.as_array().unwrap());
            let states = test["initialStates"].as_array().cloned();
            for name in states.unwrap_or_else(|| vec![json!("Data state")]) {
                run += 1;
                let name = name.as_str().unwrap();
                let last = test["lastStartTag"].as_str();
                if tokens(input.as_str().unwrap(), mode(name), last) != expected {
                    let file = path.file_stem().unwrap().to_string_lossy();
                    wrong.push(format!("{file}, {name}: {}", test["description"]));
                }
            }
        }
    }
    eprintln!("{run} run, {left_out} left out");
    assert!(run >= RUN, "only {run} of {RUN} were found");
    assert!(wrong.is_empty(), "wrong: {wrong:#?}");
}

#[test]
fn tokens_of_real_pages_are_those_of_html5ever() {
    let Some(folder) = pack("webkb/webkb-raw") else { return };
    let mut folders = vec![folder];
    let mut num_pages = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            num_pages += 1;
            // One in four: all of them take a minute.
            if num_pages % 4 == 0 {
                let bytes = std::fs::read(&path).unwrap();
                let [ours, theirs] = both(&String::from_utf8_lossy(&bytes), false);
                assert!(ours == theirs, "{}", path.display());
            }
        }
    }
    assert!(num_pages > 8_000, "{num_pages}");
}

/// Pieces of which pages are made, and others.
const PIECES: [&str; 64] = [
    "<",
    "</",
    ">",
    "/>",
    "/",
    "=",
    "\"",
    "'",
    "&",
    "&amp;",
    "&am",
    "&notit;",
    "&copy",
    "&#65;",
    "&#x",
    "&#xD800;",
    "&#0;",
    "&#x80",
    ";",
    "<!--",
    "-->",
    "--!>",
    "--",
    "-",
    "!",
    "<!",
    "<?",
    "<!doctype html",
    "<!DOCTYPE",
    " public",
    " SYSTEM ",
    "[CDATA[",
    "<![CDATA[",
    "]]>",
    "]]",
    "script",
    "<script",
    "</script",
    "<SCRIPT>",
    "</Script >",
    "<title>",
    "</title>",
    "</titl",
    "<style>",
    "</style",
    "<textarea>",
    "<plaintext>",
    "<a href=",
    "<p class='a b' CLASS=c>",
    " a",
    " B=",
    "x",
    "é",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "\t",
    "\x0C",
    " ",
    "\u{FEFF}",
    "\u{10FFFF}",
    "<noscript>",
    "</noscript",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn tokens_of_nonsense_are_those_of_html5ever(
        places in prop::collection::vec(0..PIECES.len(), 0..24),
        is_foreign: bool,
    ) {
        let page: String = places.iter().map(|place| PIECES[*place]).collect();
        let [ours, theirs] = both(&page, is_foreign);
        prop_assert_eq!(ours, theirs, "{:?}", page);
    }
}

#[test]
fn htm_03_attributes_past_the_limit_and_unwanted_ones_are_dropped() {
    let rules = Rules { attributes: 2, keeps: |name| &**name != "b", ..ALL };
    let (text, sink) = (prepared("<p a b=1 c d>x</p a b>"), Tokens::default());
    let mut tokenizer = Tokenizer::new(&text, &sink, rules);
    while tokenizer.advance(8) {}
    assert!(tokenizer.has_lost_attributes());
    let found = sink.tokens.into_inner();
    assert_eq!(
        found,
        [json!(["StartTag", "p", {"a": ""}]), json!(["Character", "x"]), json!(["EndTag", "p"])]
    );
}

#[test]
fn long_comments_leave_no_trace() {
    let rules = Rules { comment_bytes: 9, ..ALL };
    let (text, sink) = (prepared("a<!--12-->b<!--123-->c<!1234567>d"), Tokens::default());
    let mut tokenizer = Tokenizer::new(&text, &sink, rules);
    while tokenizer.advance(8) {}
    assert_eq!(
        sink.tokens.into_inner(),
        [json!(["Character", "a"]), json!(["Comment", "12"]), json!(["Character", "bcd"])]
    );
}
