//! Small crawls, told page by page; and anything at all, told to lessons that must stay sane.

use proptest::prelude::*;

use super::*;

fn url(text: &str) -> Url {
    let text =
        if text.starts_with('/') { format!("http://a.example{text}") } else { text.to_owned() };
    Url::parse(&text).unwrap()
}

/// Tells the lessons of pages in turn; equal texts are copies of the first that had them.
#[derive(Default)]
struct Crawl {
    lessons: Lessons,
    pages: Vec<(String, Url)>,
}

impl Crawl {
    /// A page with a text of its own, or one that was there before.
    fn page(&mut self, address: &str, text: &str) -> &mut Self {
        let here = url(address);
        let hash = Some(xxhash_rust::xxh3::xxh3_64(text.as_bytes()));
        let known = self.pages.iter().find(|(known, _)| known == text).map(|(_, url)| url.clone());
        let outcome = known.as_ref().map_or(Outcome::New, Outcome::CopyOf);
        self.lessons.observe(&Observation {
            url: &here,
            from: Some(&here),
            text_hash: hash,
            sketch: &Sketch::default(),
            outcome,
        });
        if known.is_none() {
            self.pages.push((text.to_owned(), here));
        }
        self
    }

    fn missing(&mut self, address: &str) -> &mut Self {
        self.observe(address, Outcome::Missing)
    }

    fn redirect(&mut self, from: &str, to: &str) -> &mut Self {
        let to = url(to);
        self.observe(from, Outcome::Redirect(&to))
    }

    fn observe(&mut self, address: &str, outcome: Outcome<'_>) -> &mut Self {
        let url = url(address);
        self.lessons.observe(&Observation {
            url: &url,
            from: Some(&url),
            text_hash: None,
            sketch: &Sketch::default(),
            outcome,
        });
        self
    }

    #[track_caller]
    fn check(&self, address: &str, expected: &str) {
        match self.lessons.verdict(&url(address)) {
            Advice::Fetch => assert_eq!(url(address), url(expected)),
            Advice::Instead(instead) => assert_eq!(instead, url(expected), "{address}"),
            Advice::Skip(fruitless) => panic!("{address} is skipped: {fruitless:?}"),
        }
    }

    fn is_skipped(&self, address: &str) -> bool {
        matches!(self.lessons.verdict(&url(address)), Advice::Skip(_))
    }
}

#[test]
fn a_parameter_that_changes_nothing_is_dropped_after_five_witnesses() {
    let mut crawl = Crawl::default();
    crawl.page("/item?id=1&view=a", "one");
    for view in ["b", "c", "d", "e"] {
        crawl.page(&format!("/item?id=1&view={view}"), "one");
    }
    crawl.check("/item?id=7&view=z", "/item?id=7&view=z");
    crawl.page("/item?id=1&view=f", "one");
    crawl.check("/item?id=7&view=z", "/item?id=7");
    crawl.check("/item?view=z", "/item");
    crawl.check("/item?id=7", "/item?id=7");
    assert_eq!(crawl.lessons.idle_parameters().collect::<Vec<_>>(), ["view"]);
}

#[test]
fn a_page_without_the_parameter_is_a_witness_too() {
    let mut crawl = Crawl::default();
    for item in 1..=5 {
        crawl.page(&format!("/item/{item}"), &format!("text {item}"));
        crawl.page(&format!("/item/{item}?from=menu"), &format!("text {item}"));
    }
    crawl.check("/other?from=foot", "/other");
}

#[test]
fn one_page_that_differs_by_a_parameter_keeps_it_for_good() {
    let mut crawl = Crawl::default();
    for item in 1..=9 {
        crawl.page(&format!("/item/{item}?p=1"), &format!("text {item}"));
        crawl.page(&format!("/item/{item}?p=2"), &format!("text {item}"));
    }
    crawl.check("/item/10?p=3", "/item/10");
    crawl.page("/item/1?p=9", "something else");
    crawl.check("/item/10?p=3", "/item/10?p=3");
    for item in 20..=40 {
        crawl.page(&format!("/item/{item}?p=1"), &format!("text {item}"));
        crawl.page(&format!("/item/{item}?p=2"), &format!("text {item}"));
    }
    crawl.check("/item/10?p=3", "/item/10?p=3");
}

#[test]
fn a_missing_page_counts_against_a_parameter() {
    let mut crawl = Crawl::default();
    crawl.page("/item?p=1", "one");
    for other in 2..=8 {
        crawl.page(&format!("/item?p={other}"), "one");
    }
    crawl.check("/item?p=9", "/item");
    crawl.missing("/item?p=10");
    crawl.check("/item?p=9", "/item?p=9");
}

#[test]
fn a_page_fetched_again_is_no_new_witness() {
    let mut crawl = Crawl::default();
    crawl.page("/item?p=1", "one");
    for _ in 0..10 {
        crawl.page("/item?p=2", "one");
        crawl.redirect("/old", "/old/");
    }
    crawl.check("/item?p=3", "/item?p=3");
    // Nor does a page that changes speak against its parameters.
    for other in 3..=7 {
        crawl.page(&format!("/item?p={other}"), "one");
    }
    crawl.page("/item?p=2", "news of today");
    crawl.check("/item?p=9", "/item");
}

#[test]
fn redirects_that_add_a_parameter_keep_it() {
    let mut crawl = Crawl::default();
    for item in 1..=5 {
        crawl.redirect(&format!("/item/{item}?x=1"), &format!("/item/{item}"));
    }
    crawl.check("/a?x=2", "/a");
    crawl.redirect("/b", "/b?x=3");
    crawl.check("/a?x=2", "/a?x=2");
}

#[test]
fn origins_are_learnt_from_three_redirects_that_keep_path_and_query() {
    let mut crawl = Crawl::default();
    for path in ["/a?x=1", "/b"] {
        crawl.redirect(path, &format!("https://www.a.example{path}"));
        crawl.redirect(&format!("/to-home{}", path.len()), "https://www.a.example/");
    }
    crawl.check("/d", "/d");
    crawl.redirect("/c", "https://www.a.example/c");
    crawl.check("/d?e=f", "https://www.a.example/d?e=f");
    crawl.check("https://www.a.example/d", "https://www.a.example/d");
    crawl.check("http://a.example:8080/d", "http://a.example:8080/d");
    crawl.redirect("https://www.a.example/z", "/z");
    crawl.check("/d", "/d");
}

#[test]
fn origins_are_learnt_from_copies_and_the_better_one_wins() {
    let mut crawl = Crawl::default();
    for page in ["1", "2", "3"] {
        crawl.page(&format!("/{page}"), page);
        crawl.page(&format!("https://a.example/{page}"), page);
        crawl.page(&format!("https://www.a.example/{page}"), page);
    }
    crawl.check("/x", "https://a.example/x");
    crawl.check("https://www.a.example/x", "https://a.example/x");
    crawl.check("https://a.example/x", "https://a.example/x");
    crawl.page("/y", "plain").page("https://a.example/y", "secret");
    crawl.check("/x", "/x");
    crawl.check("https://www.a.example/x", "https://a.example/x");
}

#[test]
fn https_is_never_given_up() {
    let mut crawl = Crawl::default();
    for page in ["/1", "/2", "/3", "/4"] {
        crawl.redirect(&format!("https://a.example{page}"), page);
    }
    crawl.check("https://a.example/x", "https://a.example/x");
}

#[test]
fn origins_that_send_each_other_round_stay_as_they_are() {
    let ring = ["https://a.example", "https://www.a.example"];
    let mut crawl = Crawl::default();
    for page in ["/1", "/2", "/3"] {
        crawl.redirect(&format!("http://www.a.example{page}"), page);
        crawl.redirect(page, &format!("https://www.a.example{page}"));
        crawl.redirect(&format!("{}{page}", ring[1]), &format!("{}{page}", ring[0]));
    }
    crawl.check("http://www.a.example/x", "https://a.example/x");
    for page in ["/4", "/5", "/6"] {
        crawl.redirect(&format!("{}{page}", ring[0]), &format!("{}{page}", ring[1]));
    }
    crawl.check("https://a.example/x", "https://a.example/x");
    crawl.check("http://www.a.example/x", "https://www.a.example/x");
}

#[test]
fn lnk_13_case_of_paths_is_learnt_and_unlearnt() {
    let mut crawl = Crawl::default();
    for page in ["One", "Two", "Three"] {
        crawl.page(&format!("/{}", page.to_lowercase()), page);
        crawl.check("/D/Four%C3%BC?A=B", "/D/Four%C3%BC?A=B");
        crawl.page(&format!("/{page}"), page);
    }
    crawl.check("/D/Four%C3%BC?A=B", "/d/four%C3%BC?A=B");
    crawl.page("/Five", "five").missing("/five");
    crawl.check("/D/Four", "/D/Four");
}

#[test]
fn lnk_13_a_site_that_prefers_upper_case_keeps_it() {
    let mut crawl = Crawl::default();
    for page in ["One", "Two", "Three", "Four"] {
        crawl.redirect(&format!("/{}", page.to_lowercase()), &format!("/{page}"));
    }
    crawl.check("/Five", "/Five");
}

#[test]
fn lnk_13_trailing_slashes_follow_what_the_site_prefers() {
    let mut crawl = Crawl::default();
    for page in ["/a", "/b", "/c"] {
        crawl.redirect(page, &format!("{page}/"));
    }
    crawl.check("/d", "/d/");
    crawl.check("/d.html?x", "/d.html?x");
    crawl.check("/", "/");
    let mut crawl = Crawl::default();
    for page in ["/a", "/b", "/c"] {
        crawl.page(page, page).page(&format!("{page}/"), page);
    }
    crawl.check("/d/?x=1", "/d?x=1");
    crawl.check("/", "/");
    crawl.page("/e", "a page").page("/e/", "a list");
    crawl.check("/d/", "/d/");
}

#[test]
fn lnk_05_the_order_of_parameters_is_learnt() {
    let mut crawl = Crawl::default();
    for page in ["1", "2", "3"] {
        crawl.page(&format!("/list?colour={page}&size=2"), page);
        crawl.page(&format!("/list?size=2&colour={page}"), page);
    }
    crawl.check("/list?size=9&material=wood&colour=7", "/list?colour=7&material=wood&size=9");
    crawl.page("/path?a=1&b=2", "there").page("/path?b=2&a=1", "and back");
    crawl.check("/list?size=9&colour=7", "/list?size=9&colour=7");
}

#[test]
fn lnk_14_a_shape_that_brings_nothing_is_left_but_for_probes() {
    let mut crawl = Crawl::default();
    crawl.page("/list?offset=0", "the end");
    for offset in 1..17 {
        crawl.page(&format!("/list?offset={offset}0&q={offset}"), "the end");
    }
    crawl.check("/list?offset=990&q=7", "/list?offset=990&q=7");
    for offset in 20..23 {
        crawl.page(&format!("/list?offset={offset}0&q={offset}"), "the end");
    }
    assert!(crawl.is_skipped("/list?offset=990&q=7"));
    assert!(!crawl.is_skipped("/list/7"));
    assert_eq!(crawl.lessons.fetched_of_shape(&url("/list?q=&offset=")), 19);
    let skipped = (0..2_000).filter(|n| crawl.is_skipped(&format!("/list?offset={n}&q=x"))).count();
    assert!((1_970..2_000).contains(&skipped), "{skipped}");
}

#[test]
fn a_shape_that_mends_itself_is_noticed() {
    let mut crawl = Crawl::default();
    for day in 0..200 {
        crawl.missing(&format!("/news/{day}"));
    }
    assert!(crawl.is_skipped("/news/1000"));
    for day in 200..210 {
        crawl.page(&format!("/news/{day}"), &format!("news of {day}"));
    }
    assert!(!crawl.is_skipped("/news/1000"));
}

#[test]
fn lnk_06_a_page_of_many_links_to_its_like_comes_to_an_end() {
    let mut crawl = Crawl::default();
    crawl.page("/maze/0", "maze");
    let (mut queue, mut fetched, mut next) = (vec![0_u64], 0, 1_u64);
    while let Some(place) = queue.pop() {
        // Asked when it is found and once more when its turn has come.
        if crawl.is_skipped(&format!("/maze/{place}")) {
            continue;
        }
        fetched += 1;
        assert!(fetched < 400, "no end");
        crawl.page(&format!("/maze/{place}"), "maze");
        for _ in 0..300 {
            next += 1;
            if !crawl.is_skipped(&format!("/maze/{next}")) {
                queue.push(next);
            }
        }
    }
    assert!(fetched >= 20);
}

#[test]
fn redirects_say_nothing_of_a_shape() {
    let mut crawl = Crawl::default();
    for number in 0..40 {
        crawl.redirect(&format!("/go/{number}"), "http://b.example/");
    }
    crawl.check("/go/77", "/go/77");
}

#[test]
fn what_was_countered_outlives_a_flood_of_names() {
    let mut crawl = Crawl::default();
    crawl.page("/?keep=1", "one").page("/?keep=2", "two");
    for number in 0..100 {
        crawl.page(&format!("/n{number}?x{number}=1"), &format!("text {number}"));
        crawl.page(&format!("/n{number}?x{number}=2"), &format!("text {number}"));
    }
    for number in 0..9 {
        crawl.page(&format!("/m{number}?keep=1"), &format!("same {number}"));
        crawl.page(&format!("/m{number}?keep=2"), &format!("same {number}"));
    }
    crawl.check("/z?keep=3", "/z?keep=3");
}

fn any_address() -> impl Strategy<Value = Url> {
    let origin = "https?://(www\\.)?a\\.example(:8080)?";
    let path = "(/[aAbB]|/[0-9]{1,3}|/index.html|/x-y-z[0-9]|/%C3%BC){0,3}/?";
    let query = "([?&][abcABC]{1,2}(=[0-3]{0,2})?){0,4}";
    (origin, path, query).prop_map(|(origin, path, query)| {
        let query = query.replace('?', "&").replacen('&', "?", 1);
        let slash = if path.is_empty() { "/" } else { "" };
        Url::parse(&format!("{origin}{slash}{path}{query}")).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lessons_stay_within_their_bounds_and_advice_leads_somewhere(
        seen in proptest::collection::vec((any_address(), any_address(), 0..7_u8, 0..4_u64), 1..150),
        asked in proptest::collection::vec(any_address(), 20),
    ) {
        let mut lessons = Lessons::default();
        for (url, other, outcome, text) in &seen {
            let outcome = match outcome {
                0 | 1 => Outcome::New,
                2 | 3 => Outcome::CopyOf(other),
                4 => Outcome::Redirect(other),
                5 => Outcome::Missing,
                _ => Outcome::Empty,
            };
            lessons.observe(&Observation { url, from: Some(url), text_hash: Some(*text), sketch: &Sketch::default(), outcome });
        }
        prop_assert!(postcard::to_stdvec(&lessons).unwrap().len() <= MAX_BYTES);
        for url in &asked {
            if let Advice::Instead(instead) = lessons.verdict(url) {
                prop_assert_ne!(&instead, url);
                prop_assert_eq!(lessons.verdict(&instead), Advice::Fetch);
            }
        }
    }

    /// Only what agrees, so that as much as possible is learnt and rewritten.
    #[test]
    fn advice_never_goes_round(
        learnt in proptest::collection::vec((any_address(), any_address()), 20..100),
        evidence in proptest::collection::vec(any::<bool>(), 20),
        asked in proptest::collection::vec(any_address(), 20),
    ) {
        let mut lessons = Lessons::default();
        for (url, other) in &learnt {
            lessons.observe(&Observation { url, from: Some(url), text_hash: None, sketch: &Sketch::default(), outcome: Outcome::Redirect(other) });
        }
        let strong = |on: bool| Evidence { witnesses: if on { 9 } else { 0 }, countered: false };
        lessons.lower_case = strong(evidence[0]);
        lessons.drop_slash = strong(evidence[1]);
        lessons.add_slash = strong(evidence[2]);
        lessons.sort = strong(evidence[3]);
        for (place, on) in evidence[4..].iter().enumerate() {
            lessons.origins[place / Origin::COUNT][place % Origin::COUNT] = strong(*on);
        }
        for name in ["a", "B", "ab"] {
            (0..5).for_each(|_| lessons.weigh_parameter(name, true));
        }
        for url in &asked {
            if let Advice::Instead(instead) = lessons.verdict(url) {
                prop_assert_ne!(&instead, url);
                prop_assert_eq!(lessons.verdict(&instead), Advice::Fetch);
            }
        }
    }
}

#[test]
fn the_largest_lessons_are_within_their_bound() {
    let mut lessons = Lessons::default();
    for number in 0..2_000 {
        let name = format!("{number}").repeat(20);
        let letters: String =
            format!("{number:04}").bytes().map(|b| char::from(b'g' + b - b'0')).collect();
        let url = url(&format!("/{}/?{}=1", letters.repeat(12), &name[..20]));
        let outcome = if number % 3 == 0 { Outcome::New } else { Outcome::Missing };
        let hash = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
        lessons.observe(&Observation {
            url: &url,
            from: Some(&url),
            text_hash: Some(hash),
            sketch: &Sketch::default(),
            outcome,
        });
        lessons.weigh_parameter(&letters.repeat(10), number % 2 == 0);
    }
    assert_eq!((lessons.shapes.len(), lessons.parameters.len()), (MAX_SHAPES, MAX_PARAMETERS));
    let bytes = postcard::to_stdvec(&lessons).unwrap();
    assert!(bytes.len() <= MAX_BYTES && bytes.len() > MAX_BYTES / 2, "{}", bytes.len());
    assert_eq!(postcard::from_bytes::<Lessons>(&bytes).unwrap(), lessons);
}
