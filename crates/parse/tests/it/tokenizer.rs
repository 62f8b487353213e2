//! Tokens as the standard has them: the tokenizer tests of html5lib (`LOOKFAR_DATA`).
//!
//! The tokenizer is html5ever's; what is asked here is how far it can be relied on. Errors that the
//! tests expect are not compared: nobody is told of them.

use std::cell::RefCell;
use std::path::PathBuf;

use html5ever::TokenizerResult;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use serde_json::{Map, Value, json};

/// Runs of which the tokens are right, of those there are: a test counts once for each state that
/// it begins in. The one that is wrong is an empty CDATA section. Four more tests, of halves of
/// characters, cannot be said in our strings.
const RIGHT: usize = 7_027;
const RUN: usize = 7_028;

#[derive(Default)]
struct Tokens(RefCell<Vec<Value>>);

impl Tokens {
    /// Adds characters; those of neighbours are one token.
    fn characters(&self, text: &str) {
        let mut tokens = self.0.borrow_mut();
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
        self.0.borrow_mut().push(token);
    }
}

impl TokenSink for Tokens {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::CharacterTokens(text) => self.characters(&text),
            Token::NullCharacterToken => self.characters("\0"),
            Token::TagToken(tag) => self.tag(&tag),
            Token::CommentToken(text) => self.0.borrow_mut().push(json!(["Comment", &*text])),
            Token::DoctypeToken(doctype) => {
                let said = |text: &Option<StrTendril>| text.as_ref().map(ToString::to_string);
                let (name, public) = (said(&doctype.name), said(&doctype.public_id));
                let system = said(&doctype.system_id);
                let token = json!(["DOCTYPE", name, public, system, !doctype.force_quirks]);
                self.0.borrow_mut().push(token);
            }
            Token::EOFToken | Token::ParseError(_) => {}
            #[allow(unreachable_patterns, reason = "kinds that later versions may have")]
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

fn tokens(input: &str, state: State, last_start_tag: Option<&str>) -> Vec<Value> {
    let options = TokenizerOpts {
        initial_state: Some(state),
        last_start_tag_name: last_start_tag.map(str::to_owned),
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(Tokens::default(), options);
    let buffer = BufferQueue::default();
    buffer.push_back(StrTendril::from(input));
    while !matches!(tokenizer.feed(&buffer), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.into_inner()
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
            None => tokens.0.borrow_mut().push(token.clone()),
        }
    }
    tokens.0.into_inner()
}

fn state(name: &str) -> State {
    match name {
        "Data state" => State::Data,
        "PLAINTEXT state" => State::Plaintext,
        "RCDATA state" => State::RawData(RawKind::Rcdata),
        "RAWTEXT state" => State::RawData(RawKind::Rawtext),
        "Script data state" => State::RawData(RawKind::ScriptData),
        "CDATA section state" => State::CdataSection,
        other => panic!("unknown state {other}"),
    }
}

#[test]
fn tokens_are_those_of_the_standard() {
    let Some(folder) = std::env::var_os("LOOKFAR_DATA") else {
        eprintln!("LOOKFAR_DATA is not set: skipped");
        return;
    };
    let folder = PathBuf::from(folder).join("conformance/html5lib-tests/tokenizer");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut right, mut run, mut left_out) = (0, 0, 0);
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
                if tokens(input.as_str().unwrap(), state(name), last) == expected {
                    right += 1;
                } else {
                    let file = path.file_stem().unwrap().to_string_lossy();
                    wrong.push(format!("{file}, {name}: {}", test["description"]));
                }
            }
        }
    }
    eprintln!("{right} of {run} right, {left_out} left out; wrong: {wrong:#?}");
    assert!(run >= RUN, "only {run} of {RUN} were found");
    assert!(right >= RIGHT, "{right} are right, and {RIGHT} were");
}
