//! Which leaves a query has, and what may stand in their place.

use super::*;

fn plan(query: &str, codes: &[&str]) -> Plan {
    let present: Vec<_> = codes.iter().map(|code| ((*code).to_owned(), 9)).collect();
    let languages = Languages::new(&present, query);
    Plan::new(&Query::parse(query).unwrap(), &languages, &Nowhere).unwrap()
}

#[track_caller]
fn check(query: &str, made_of: &str, num_leaves: usize) {
    let plan = plan(query, &["en"]);
    assert_eq!((plan.made_of.as_str(), plan.leaves.len()), (made_of, num_leaves));
}

#[test]
fn stop_words_are_left_to_the_order() {
    check("the jaguar", "jaguar", 2);
    check("the jaguar OR a cat", "jaguar OR cat", 4);
    check("the -jaguar", "the NOT jaguar", 2);
    check("\"the jaguar\" and", "\"the jaguar\"", 2);
    check("+the jaguar", "+the jaguar", 2);
    check("the lang:en", "the lang:en", 2);
    // Who writes AND means every word.
    check("the AND jaguar", "the AND jaguar", 2);
}

#[test]
fn a_query_of_stop_words_is_searched_as_it_is() {
    check("to be or not to be", "to be or not to be", 4);
    check("it", "it", 1);
}

#[test]
fn equal_leaves_are_one() {
    check("jaguar OR jaguars OR Jaguar", "jaguar OR jaguars OR Jaguar", 1);
    assert_eq!(plan("jaguar jaguars", &["en"]).root, Some(Expr::Leaf(0)));
    // What excludes is kept apart from what includes.
    check("jaguar OR NOT jaguars", "jaguar OR NOT jaguars", 2);
}

#[test]
fn words_without_letters_are_left_out() {
    assert_eq!(plan("… jaguar NOT …", &["en"]).root, Some(Expr::Leaf(0)));
    assert_eq!(plan("…", &["en"]).root, None);
    assert_eq!(plan("title:… jaguar NEAR …", &["en"]).leaves[0].kind, Kind::Word);
}

#[test]
fn each_language_may_read_a_word_in_its_way() {
    let plan = plan("running", &["en", "da"]);
    assert!(plan.leaves[0].forms.len() > 1, "{:?}", plan.leaves);
    let stems: Vec<_> = plan.leaves[0].forms.iter().map(|form| form[0].as_str()).collect();
    assert!(stems.contains(&"run"));
}

/// Knows some stems.
struct Stems(&'static [&'static str]);

impl World for Stems {
    fn is_used(&self, stems: &[String]) -> tantivy::Result<bool> {
        Ok(stems.iter().all(|stem| self.0.contains(&stem.as_str())))
    }
}

#[test]
fn readings_that_no_page_has_are_left_out() {
    let present: Vec<_> = text::Language::all().map(|it| (it.code().to_owned(), 9)).collect();
    let forms = |query: &str, known: &'static [&'static str]| {
        let languages = Languages::new(&present, query);
        let query = Query::parse(query).unwrap();
        let mut plan = Plan::new(&query, &languages, &Stems(known)).unwrap();
        plan.leaves.remove(0).forms
    };
    let main = forms("running", &[]);
    assert_eq!(main.len(), 1, "one reading stays");
    assert_eq!(forms("running", &["run"]), [main[0].clone(), vec!["run".to_owned()]]);
    assert_eq!(forms("host-name", &["hostnam"]).last(), Some(&vec!["hostnam".to_owned()]));
}

/// Knows some stems in pages of one language each.
struct Pages(&'static [(&'static str, &'static str)]);

impl World for Pages {
    fn is_used(&self, stems: &[String]) -> tantivy::Result<bool> {
        Ok(stems.iter().all(|stem| self.0.iter().any(|(known, _)| known == stem)))
    }

    fn is_used_in(&self, stems: &[String], codes: &[&str]) -> tantivy::Result<bool> {
        let is_known = |stem: &String| {
            self.0.iter().any(|(known, code)| known == stem && codes.contains(code))
        };
        Ok(stems.iter().all(is_known))
    }
}

#[test]
fn a_rare_language_reads_what_its_own_pages_have() {
    let present = ["en", "de", "fr", "es", "nl", "pt", "ru", "ja", "da"];
    let present: Vec<_> = present.map(|code| (code.to_owned(), 9)).into();
    let languages = Languages::new(&present, "landsbyerne");
    let has = |known: &'static [(&'static str, &'static str)]| {
        let query = Query::parse("landsbyerne").unwrap();
        let mut plan = Plan::new(&query, &languages, &Pages(known)).unwrap();
        plan.leaves.remove(0).forms.contains(&vec!["landsby".to_owned()])
    };
    assert!(has(&[("landsby", "da")]));
    // To others the stem is another word.
    assert!(!has(&[("landsby", "en")]));
}

#[test]
fn every_language_reads_a_query_but_those_that_read_alike_do_so_once() {
    let present: Vec<_> = text::Language::all().map(|it| (it.code().to_owned(), 9)).collect();
    let languages = Languages::new(&present, "jaguar");
    let analyzers = languages.analyzers();
    let stemmed = text::Language::all().filter(|it| it.has_stemmer()).count();
    assert!(analyzers.len() < stemmed + 16, "{}", analyzers.len());
    for language in text::Language::all() {
        let read = |analyzer: &text::Analyzer, word: &str| analyzer.stem_of(word);
        let own = text::Analyzer::new(Some(language));
        for word in ["straße", "running", "köylerde", "côte", "người", "домами", "l'été"]
        {
            let is_same = |analyzer| read(analyzer, word) == read(&own, word);
            assert!(analyzers.iter().any(is_same), "{language:?} {word}");
        }
    }
}

#[test]
fn a_compound_may_be_written_in_one() {
    let plan = plan("host-name", &["en"]);
    assert_eq!(plan.leaves[0].forms, [vec!["host", "name"], vec!["hostnam"]]);
}

#[test]
fn others_words_include_a_page_but_never_exclude_it() {
    let plan = plan("jaguar -car", &["en"]);
    let root = plan.root.unwrap();
    let in_anchors = |_: usize| true;
    assert!(root.holds(&in_anchors, &|_| false));
    assert!(!root.holds(&in_anchors, &|place| place == 1));
}

#[test]
fn unknown_words_keep_their_place_in_a_phrase() {
    let forms = |query| plan(query, &["en"]).leaves.remove(0).forms;
    assert_eq!(forms("\"new * mammal\""), [["new", "", "mammal"]]);
    assert_eq!(
        forms("\"new * * state-owned mammal\""),
        [["new", "", "", "state", "owned", "mammal"]]
    );
    assert_eq!(forms("+Jaguars"), [["jaguars"]]);
}

#[test]
fn questions_bring_words_to_order_by() {
    let plan = plan("title:jaguar cat NEAR/3 dog -inurl:x", &["en"]);
    let kinds: Vec<_> = plan.leaves.iter().map(|leaf| (leaf.kind, leaf.helpers.clone())).collect();
    assert_eq!(
        kinds,
        [
            (Kind::Word, vec![]),
            (Kind::Check, vec![0]),
            (Kind::Word, vec![]),
            (Kind::Word, vec![]),
            (Kind::Check, vec![2, 3]),
            (Kind::Check, vec![]),
        ]
    );
    let term = |place, term: &str| Check::Term(place, term.to_owned());
    assert_eq!(plan.leaves[1].check, Some(term(Place::Title, "jaguar")));
    assert_eq!(plan.leaves[5].check, Some(term(Place::Address, "x")));
}

#[track_caller]
fn asks(query: &str, expected: &Check) {
    assert_eq!(plan(query, &["en"]).leaves[0].check.as_ref(), Some(expected), "{query}");
}

#[test]
fn sites_are_terms_or_ranges_of_addresses() {
    let term = |place, term: &str| Check::Term(place, term.to_owned());
    let below = |is_any_port: bool, path: &str, origins: &[&str]| {
        let start = |origin: &&str| Start {
            origin: (*origin).to_owned(),
            is_any_port,
            path: path.to_owned(),
        };
        Check::Below(origins.iter().map(start).collect())
    };
    asks("site:example.org", &term(Place::Domain, "example.org"));
    asks("site:WWW.Example.org", &term(Place::Domain, "www.example.org"));
    asks("site:.dk", &term(Place::Domain, "dk"));
    asks("site:127.0.0.1", &term(Place::Domain, "127.0.0.1"));
    let plain = ["example,a:http", "example,a:https", "example,a,www:http", "example,a,www:https"];
    asks("site:a.example/b", &below(true, "/b", &plain));
    let ported = plain.map(|origin| format!("{origin}:8080"));
    let ported = ported.each_ref().map(String::as_str);
    asks("site:a.example:8080/b", &below(false, "/b", &ported));
    asks("site:a.example:8080", &below(false, "/", &ported));
    let usual =
        ["example,a:http", "example,a:https:80", "example,a,www:http", "example,a,www:https:80"];
    asks("site:a.example:80/b", &below(false, "/b", &usual));
    asks("host:www.example.org", &term(Place::Host, "www.example.org"));
    asks("before:2024", &Check::Dated(None, Some(1_704_067_200_000)));
}

#[test]
fn only_loose_words_may_be_missing() {
    let words = |query| plan(query, &["en"]).loosen().map(|loosened| loosened.num_words);
    assert_eq!(words("jaguar zebra"), Some(2));
    assert_eq!(words("jaguar zebra lion -cat lang:en"), Some(3));
    assert_eq!(words("jaguar AND zebra"), None);
    assert_eq!(words("jaguar lang:en"), None);
    assert_eq!(words("jaguar OR zebra"), None);
    // A compound is one word, a sentence without spaces many.
    assert_eq!(words("host-name"), None);
    assert_eq!(words("法国的首都"), Some(4));
    assert_eq!(words("法国的首都 jaguar 首都"), Some(5));
    let mut plan = plan("jaguar zebra lion -cat", &["en"]);
    let strict = plan.root.clone();
    let loosened = plan.loosen().unwrap();
    let loose = plan.root.clone().unwrap();
    let holds = |has: &[usize]| {
        let has = |place: usize| has.contains(&place);
        loose.holds(&has, &has)
    };
    assert!(holds(&[0, 2]) && holds(&[1]) && !holds(&[]) && !holds(&[0, 1, 3]));
    plan.tighten(loosened);
    assert_eq!(plan.root, strict);
}

/// Otherwise a title with two characters of a sentence would count as if it had all of it.
#[test]
fn the_parts_of_a_sentence_count_in_its_place() {
    let mut plan = plan("法国的首都", &["zh"]);
    let wanted = |plan: &Plan| plan.wanted().map(|leaf| leaf.forms[0].len()).collect::<Vec<_>>();
    assert_eq!(wanted(&plan), [4]);
    let loosened = plan.loosen().unwrap();
    assert_eq!(wanted(&plan), [1, 1, 1, 1]);
    plan.tighten(loosened);
    assert_eq!(wanted(&plan), [4]);
}

#[test]
fn a_sentence_wants_a_list_and_words_an_answer() {
    let is_sentence = |query| plan(query, &["en"]).is_sentence;
    assert!(!is_sentence("jaguar zebra lion"));
    assert!(is_sentence("where do the jaguar and the zebra meet the lion"));
    assert!(!is_sentence("jaguar zebra lion site:a.example lang:en -cat"));
    assert!(!is_sentence("to be or not to be"));
    assert!(!is_sentence("法国的首都在哪里"));
}
