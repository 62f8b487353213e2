//! Questions, answers, and the file that is made of them.

use super::*;

/// Holds the dialogue with these lines as answers; `bad.example` does not exist.
fn held(given: Given, lines: &str) -> (Result<Answers>, String) {
    let mut said = Vec::new();
    let look = |seeds: &[Url]| {
        let named = |name: &str| seeds.iter().any(|url| url.as_str().contains(name));
        match (named("bad.example"), named("away.example")) {
            (true, _) => Some(Doubt { because: "there is no host".to_owned(), is_sure: true }),
            (_, true) => Some(Doubt { because: "cannot look it up".to_owned(), is_sure: false }),
            _ => None,
        }
    };
    let dialogue = Dialogue { read: lines.as_bytes(), write: &mut said };
    let answers = dialogue.hold(given, &look);
    (answers, String::from_utf8(said).unwrap())
}

fn nothing() -> Given {
    Given { seeds: None, scope: None, contact: None }
}

fn answers(seeds: &[&str], scope: ScopeConfig, contact: &str) -> Answers {
    let seeds = seeds.iter().map(|url| Url::parse(url).unwrap()).collect();
    Answers { seeds, scope, contact: contact.to_owned() }
}

#[test]
fn enter_takes_the_defaults() {
    let (heard, said) = held(nothing(), "example.org\n\n\n");
    assert_eq!(heard.unwrap(), answers(&["https://example.org/"], ScopeConfig::Sites, ""));
    for text in ["1. Which sites", "[sites] > ", "[none] > "] {
        assert!(said.contains(text), "{said}");
    }
}

#[test]
fn bad_answers_are_asked_again_with_the_reason() {
    let lines = "\nftp://a.example/\nbad.example\na.example, http://b.example/x\nfar\n3\n\nme\n\
                 me@a.example\n";
    let (heard, said) = held(nothing(), lines);
    let seeds = ["https://a.example/", "http://b.example/x"];
    assert_eq!(heard.unwrap(), answers(&seeds, ScopeConfig::Open, "me@a.example"));
    for reason in [
        "there must be a page",
        "cannot begin at `ftp://a.example/`",
        "there is no host",
        "`far` is no scope",
        "must be reachable",
        "neither a page",
    ] {
        assert!(said.contains(reason), "{reason}: {said}");
    }
}

#[test]
fn a_host_that_cannot_be_looked_up_now_is_taken_with_a_note() {
    let (heard, said) = held(nothing(), "away.example\nhost\n\n");
    assert_eq!(heard.unwrap().scope, ScopeConfig::Host);
    assert!(said.contains("Note: cannot look it up."), "{said}");
}

#[test]
fn what_flags_say_is_not_asked() {
    let given = Given {
        seeds: Some(vec![Url::parse("http://a.example/").unwrap()]),
        scope: Some(ScopeConfig::Host),
        contact: None,
    };
    let (heard, said) = held(given, "https://a.example/bot\n");
    assert_eq!(heard.unwrap().contact, "https://a.example/bot");
    assert!(!said.contains("1. Which") && !said.contains("2. How far"), "{said}");
}

#[test]
fn answers_that_end_or_never_fit_end_the_dialogue() {
    assert!(held(nothing(), "a.example\n").0.unwrap_err().to_string().contains("ended"));
    let endless = "bad.example\n".repeat(1_000);
    assert!(held(nothing(), &endless).0.unwrap_err().to_string().contains("no answer"));
    let long = "a".repeat(10_000_000);
    assert!(held(nothing(), &long).0.is_err());
}

#[test]
fn the_file_holds_the_answers_and_every_comment() {
    let scopes = [
        ScopeConfig::Page,
        ScopeConfig::Host,
        ScopeConfig::Sites,
        ScopeConfig::Open,
        ScopeConfig::Country("dk".to_owned()),
        ScopeConfig::Domains(vec!["dk".to_owned(), "example.org".to_owned()]),
    ];
    for scope in scopes {
        let answers = answers(&["http://a.example/"], scope.clone(), "https://a.example/b?x=\"y");
        let text = filled_in(&answers).unwrap();
        let config: Config = toml::from_str(&text).unwrap();
        assert_eq!(config.crawl.scope, scope);
        assert_eq!(config.crawl.contact, answers.contact);
        let changed = TEMPLATE.lines().zip(text.lines()).filter(|(old, new)| old != new);
        let changed: Vec<&str> = changed.map(|(old, _)| old).collect();
        assert_eq!(changed, ["#scope = \"sites\"", "#contact = \"\""]);
        assert_eq!(TEMPLATE.lines().count(), text.lines().count());
    }
}

#[test]
fn nothing_that_is_there_is_overwritten() {
    for name in ["lookfar.toml", "seeds.txt", "VERSION", "letter.txt"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), "mine").unwrap();
        assert!(refuse_used(folder.path()).is_err(), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    let (dir, seeds) = (folder.path().join("new/deep"), [Url::parse("http://a.example/").unwrap()]);
    refuse_used(&dir).unwrap();
    write(&dir, "a", &seeds).unwrap();
    assert!(write(&dir, "b", &seeds).is_err());
    assert_eq!(fs::read_to_string(dir.join("lookfar.toml")).unwrap(), "a");
}

#[test]
fn the_next_command_can_be_copied() {
    assert_eq!(next_command(Path::new("./lookfar")), "lookfar up");
    assert_eq!(next_command(Path::new("a/b")), "lookfar up --dir a/b");
    assert_eq!(next_command(Path::new("it's mine")), r"lookfar up --dir 'it'\''s mine'");
}
