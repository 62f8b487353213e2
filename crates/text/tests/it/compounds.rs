//! Compounds, identifiers, addresses: a page and a query in other spellings meet (T2).

use text::{Form, Token};

use super::analyzer;

/// Writes terms as `position:surface`, those over the running text in brackets.
fn shown(terms: &[Token]) -> String {
    let term = |term: &Token| match term.form {
        Form::Word | Form::Member | Form::Pair => term.surface.clone(),
        _ => format!("[{}:{}+{}]", term.surface, term.position, term.length),
    };
    terms.iter().map(term).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(code: &str, text: &str, expected: &str) {
    assert_eq!(shown(&analyzer(code).terms(text)), expected, "{code} {text:?}");
}

#[test]
fn compounds_stand_whole_over_their_members() {
    check("en", "a host-name here", "a host [hostname:1+2] name here");
    check("en", "pg_stat_activity", "pg [pgstatactivity:0+3] stat activity");
    check("en", "state-of-the-art", "state [stateoftheart:0+4] of the art");
    check("en", "e-mail", "e [email:0+2] mail");
    check("fr", "l'arc-en-ciel", "arc [arcenciel:0+3] en ciel");
    check("en", "well-", "well");
}

#[test]
fn identifiers_are_found_whole_and_by_part() {
    check("en", "getElementById()", "getelementbyid [get:0+1] [element:0+1] [by:0+1] [id:0+1]");
    check("en", "JavaScript on iPhone", "javascript on iphone");
}

#[test]
fn addresses_are_words() {
    check(
        "en",
        "Mail bob.smith@example.com.",
        "mail bob [bob.smith@example.com:1+4] smith example com",
    );
    check(
        "en",
        "see https://Example.com/a-b?c=d, now",
        "see https [example.com/a-b?c=d:1+7] example com a b c d now",
    );
    check("en", "www.example.com/x.", "www [www.example.com/x:0+4] example com x");
    check("en", "node.js", "node [node.js:0+2] js");
}

#[test]
fn names_with_signs_are_kept() {
    check("en", "C++ C++20 C# F#", "c++ c++ 20 c# f#");
    check("en", "the .NET runtime", "the net [.net:1+1] runtime");
    check("en", "ASP.NET", "asp [asp.net:0+2] net");
    check("en", "AT&T and R&D", "at [at&t:0+2] t and r [r&d:3+2] d");
    check("en", "TCP/IP and/or", "tcp [tcpip:0+2] ip and or");
    check("en", "U.S.A. USA U.S.", "usa usa us");
}

#[test]
fn numbers_units_and_dates_are_read_by_value() {
    check("en", "10km 10 km 2.5GHz 1,000,000 68k", "10 km 10 km 2.5 ghz 1000000 68k");
    check("de", "1.000.000 3,14 1.5 15.01.2024", "1000000 3.14 1.5 15 01 2024");
    check("fr", "1\u{202F}000\u{202F}000 euros", "1000000 euros");
    check("de", "1'000 CHF", "1000 chf");
    check("fa", "۱۴۰۳", "1403");
    check("ar", "٣٫١٤", "3.14");
    check("en", "555-123456", "555 [555123456:0+2] 123456");
}

/// Returns the stems that a page would be found by, and those that a query asks for.
fn meets(code: &str, page: &str, query: &str) -> bool {
    let analyzer = analyzer(code);
    let page: Vec<String> = analyzer.terms(page).into_iter().map(|term| term.stem).collect();
    let query = analyzer.terms(query);
    let running = query.iter().filter(|term| term.form.is_running());
    let whole = |term: &&Token| term.form == Form::Whole && page.contains(&term.stem);
    let tokens: Vec<&Token> = running.clone().collect();
    let joined = tokens.windows(2).any(|pair| {
        let joined = text::join(&pair[0].surface, &pair[1].surface);
        joined.is_some_and(|joined| page.contains(&analyzer.stem_of(&joined)))
    });
    let split = tokens.iter().any(|token| {
        let knows = |part: &str| page.contains(&analyzer.stem_of(part));
        !analyzer.splits(&token.surface, knows).is_empty()
    });
    running.into_iter().all(|term| page.contains(&term.stem))
        || query.iter().any(|term| whole(&term))
        || joined
        || split
}

#[test]
fn one_word_two_words_and_a_hyphen_meet_each_other() {
    let spellings = ["hostname", "host-name", "host name", "host_name", "Hostname"];
    for page in spellings {
        for query in spellings {
            assert!(meets("en", page, query), "page {page:?}, query {query:?}");
        }
    }
    assert!(!meets("en", "hostess", "host-name"));
    assert!(meets("en", "document.getElementById(x)", "element"));
    assert!(meets("en", "document.getElementById(x)", "getelementbyid"));
    assert!(meets("en", "select from pg_stat_activity", "activity"));
    assert!(meets("de", "das Amt für Arbeit", "Arbeitsamt"));
}

#[test]
fn chinese_and_japanese_run_as_pairs_under_the_dictionary() {
    check("zh", "北京大学", "北京 京大 大学");
    check("zh", "我们学习中文", "我们 们学 学习 习中 中文");
    check("zh", "猫", "猫");
    check("zh", "GPU和CPU", "gpu 和 cpu");
}

#[test]
fn every_word_of_a_chinese_page_is_found_by_itself() {
    let analyzer = analyzer("zh");
    let text = "苹果公司在加利福尼亚州发布了新的手机，大家都很喜欢。";
    let terms = analyzer.terms(text);
    for word in analyzer.tokens(text) {
        let query = analyzer.terms(&word.surface);
        let found = query.iter().filter(|term| term.form.is_running());
        for term in found {
            assert!(terms.iter().any(|other| other.stem == term.stem), "{}", word.surface);
        }
    }
}
