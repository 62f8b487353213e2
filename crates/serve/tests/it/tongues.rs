//! The page in six languages (U2).

use rank::Part;
use serve::{CopyForm, CopyRequest, NoCopy, Options, PageCopy};

use crate::client::{get, get_with};
use crate::pages::{HOSTILE, check_only_our_markup, encode};
use crate::server::{Server, found, hit, state};

/// Each language, what it calls results and what it says of nothing.
const LANGUAGES: [(&str, &str, &str, &str); 6] = [
    ("en", "ltr", "30 results in 3.4 ms", "Nothing found for"),
    ("da", "ltr", "30 resultater på 3,4 ms", "Intet fundet til"),
    ("de", "ltr", "30 Ergebnisse in 3,4 ms", "Nichts gefunden für"),
    ("fr", "ltr", "30 résultats en 3,4 ms", "Rien trouvé pour"),
    ("ja", "ltr", "30件 3.4ミリ秒", "見つかりませんでした："),
    ("ar", "rtl", "٣٠ نتيجة في ٣٫٤ مللي ثانية", "لا توجد نتائج لـ"),
];

#[test]
fn the_page_speaks_the_language_that_the_browser_the_cookie_or_the_address_asks_for() {
    let full = Server::with_hits(vec![hit("http://a.example/", "A", "*a*"); 30]);
    let empty = Server::with_hits(Vec::new());
    for (code, direction, results, nothing) in LANGUAGES {
        let accept = format!("Accept-Language: xx, {code};q=0.9, en;q=0.1\r\n");
        let cookie = format!("Accept-Language: ja\r\nCookie: lookfar=interface={code}\r\n");
        for (path, fields) in [
            ("/search?q=a".to_owned(), accept.as_str()),
            ("/search?q=a".to_owned(), cookie.as_str()),
            (format!("/search?q=a&ui={code}"), "Accept-Language: ja\r\n"),
        ] {
            let reply = get_with(full.address, &path, fields);
            check_only_our_markup(&reply.body);
            let html = format!("<html lang=\"{code}\" dir=\"{direction}\" class=\"auto\">");
            assert!(reply.body.contains(&html), "{path} {fields}: {}", reply.body);
            assert!(reply.body.contains(results), "{path} {fields}: {}", reply.body);
            assert_eq!(reply.header("vary"), Some("accept-language, cookie"));
        }
        let none = get_with(empty.address, "/search?q=a", &accept).body;
        assert!(none.contains(nothing), "{code}: {none}");
    }
    let unknown = get_with(full.address, "/search?q=a&ui=xx", "Accept-Language: xx\r\n").body;
    assert!(unknown.contains("<html lang=\"en\" dir=\"ltr\""));
}

#[test]
fn every_page_leads_to_the_interface_for_programs() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "*a*")]);
    let texts = [
        ("en", "API for programs"),
        ("da", "API til programmer"),
        ("de", "API für Programme"),
        ("fr", "API pour les programmes"),
        ("ja", "プログラム向け API"),
        ("ar", "واجهة API للبرامج"),
    ];
    for (code, text) in texts {
        for path in ["/", "/search?q=a", "/preferences", "/nothing"] {
            let accept = format!("Accept-Language: {code}\r\n");
            let page = get_with(server.address, path, &accept).body;
            let foot = page.split("<footer").nth(1).unwrap();
            assert!(foot.contains(&format!("<a href=\"/api\">{text}</a>")), "{path}: {foot}");
        }
    }
    let page = get(server.address, "/api").body;
    assert!(page.contains(" id=\"problems\""), "docs/api.md links there");
}

#[test]
fn a_language_that_was_asked_for_goes_along_with_every_link_and_search() {
    let mut first = hit("http://a.example/", "A", "*a*");
    (first.similar, first.held_back) = (2, 3);
    let hits = vec![first; 30];
    let state = state(move |request| found(request, &hits), Options::default());
    let server = Server::start(state.with_copies(std::sync::Arc::new(copy)));
    let page = |path: &str| get(server.address, path).body;
    let results = page("/search?q=a&offset=10&lang=en&ui=da");
    let mut links = links(&results);
    assert_eq!(lost(&links), [""; 0]);
    for begin in ["?q=a&", "?q=a&lang=en&site=", "?q=related:", "/cache?"] {
        let count = links.iter().filter(|link| link.starts_with(begin)).count();
        assert!(count >= 10, "{count} links to {begin}: {links:?}");
    }
    assert!(results.contains("<input type=\"hidden\" name=\"ui\" value=\"da\">"));
    // And from there on: a copy leads back to where its visitor was, and so on.
    links.retain(|link| link.starts_with("/cache?"));
    let copy = page(&links[0]);
    let back = "<a href=\"/search?q=a&#38;offset=10&#38;lang=en&#38;ui=da\">Tilbage";
    assert!(copy.contains(back), "{copy}");
    for path in
        [links[0].as_str(), "/?ui=da", "/preferences?ui=da", "/nothing?ui=da", "/search?ui=da"]
    {
        let links = self::links(&page(path));
        assert!(!links.is_empty(), "{path}");
        assert_eq!(lost(&links), [""; 0], "{path}");
    }
    for path in ["/search?q=a", "/cache?page=0:0&q=a", "/", "/preferences"] {
        assert!(!page(path).contains("ui="), "{path}");
    }
}

/// Returns where the links of a page lead to pages of ours.
fn links(body: &str) -> Vec<String> {
    let targets = body.split("<a ").skip(1).map(|tag| tag.split('>').next().unwrap());
    let targets = targets.filter_map(|tag| tag.split("href=\"").nth(1)?.split('"').next());
    let is_ours = |link: &&str| link.starts_with(['?', '/']);
    targets.filter(is_ours).map(|link| link.replace("&#38;", "&")).collect()
}

/// Returns those that have lost the language; what is written in one language alone needs none.
fn lost(links: &[String]) -> Vec<&str> {
    let is_lost =
        |link: &&str| !link.contains("ui=da") && !["/api", "/about-crawler"].contains(link);
    links.iter().map(String::as_str).filter(is_lost).collect()
}

fn copy(request: &CopyRequest) -> Result<PageCopy, NoCopy> {
    match request.query.as_str() {
        "gone" => Err(NoCopy::Gone),
        _ => Ok(PageCopy {
            url: base::Url::parse("http://a.example/").unwrap(),
            title: "A".to_owned(),
            fetched: base::Timestamp::from_millis(1_763_285_400_000),
            language: Some("en".to_owned()),
            html: "<p>text</p>".to_owned(),
            is_cut: true,
            form: CopyForm::Page,
        }),
    }
}

#[test]
fn dates_explanations_problems_and_copies_are_told_in_the_language_of_the_page() {
    let mut cats = hit("http://zoo.example/a", "Cats", "a *cat*");
    cats.parts = vec![
        Part { name: "text", value: 1.5, raw: 1.5, weight: 1.0 },
        Part { name: "bm25", value: 0.5, raw: 0.5, weight: 1.0 },
    ];
    let hits = vec![cats];
    let state = state(move |request| found(request, &hits), Options::default());
    let server = Server::start(state.with_copies(std::sync::Arc::new(copy)));
    let page = |path: &str| get(server.address, path).body;
    let german = page("/search?q=cat&explain=1&ui=de");
    assert!(german.contains("<time datetime=\"2025-11-16\">Geholt am 16. Nov. 2025</time>"));
    assert!(german.contains("wie oft der Text die Wörter sagt"), "{german}");
    assert!(german.contains("<span lang=\"en\">frequency of the words"), "English is marked so");
    assert!(german.contains("75\u{a0}%") && german.contains("<td>1,50</td>"), "{german}");
    assert!(page("/nothing?ui=da").contains("Der er intet på denne adresse."));
    let bad = page("/search?q=a&offset=-1&ui=fr");
    assert!(bad.contains("Impossible de répondre"), "{bad}");
    assert!(
        bad.contains(
            "<p class=\"detail\" lang=\"fr\"><bdi>`offset` doit être un nombre entier de 0"
        ),
        "{bad}"
    );
    let bad = page("/search?q=a&topic=%3Cb%3E:x&ui=ja");
    assert!(bad.contains("`topic`に`&#60;b&#62;:x`は指定できません"), "{bad}");
    let copy = page("/cache?page=0:1&q=cat&ui=ja");
    assert!(copy.contains("<html lang=\"ja\"") && copy.contains("2025年11月16日"), "{copy}");
    assert!(copy.contains("検索結果に戻る") && copy.contains("保存版はここまで"));
    assert!(page("/cache?page=0:1&q=gone&ui=ar").contains("لم تعد نسخة هذه الصفحة"));
    for code in ["en", "da", "de", "fr", "ja", "ar"] {
        for path in ["/", "/preferences", "/nothing", "/search?q=cat&explain=1"] {
            let sign = if path.contains('?') { '&' } else { '?' };
            check_only_our_markup(&page(&format!("{path}{sign}ui={code}")));
        }
    }
}

#[test]
fn words_that_run_the_other_way_keep_their_full_stop_behind_them() {
    let mixed = hit("http://a.example/", "Languages", "دفتر *الجزر*. · Texts");
    let server = Server::with_hits(vec![mixed]);
    for ui in ["en", "ar"] {
        let body = get(server.address, &format!("/search?q=a&ui={ui}")).body;
        let snippet = "<p><bdi dir=\"rtl\">دفتر <mark>الجزر</mark>.</bdi> · Texts</p>";
        assert!(body.contains(snippet), "{ui}: {body}");
    }
}

#[test]
fn web_01_hostile_languages_and_queries_stay_text_in_every_language() {
    let server = Server::with_hits(vec![hit("http://a.example/", "A", "*a*"); 30]);
    for (i, text) in HOSTILE.into_iter().enumerate() {
        let code = LANGUAGES[i % LANGUAGES.len()].0;
        let reply = get(server.address, &format!("/search?q={}&ui={code}", encode(text)));
        check_only_our_markup(&reply.body);
        let odd = get(server.address, &format!("/search?q=a&ui={}", encode(text)));
        check_only_our_markup(&odd.body);
        assert!(odd.body.contains("<html lang=\"en\""));
        let odd = get_with(server.address, "/search?q=a", &format!("Accept-Language: {text}\r\n"));
        check_only_our_markup(&odd.body);
    }
}
