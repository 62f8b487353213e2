//! Anchor texts are credited to their targets, by distinct sites.

use std::cell::RefCell;
use std::fs;

use base::{Block, PageId, PageRecord, Rel, Span, Zone};
use index::anchors::{Anchors, Built, Knowledge, Options, Step, build, build_with};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Term};

use crate::web::{Web, link, page};

const HOME: &str = "http://pictures.example/";

/// Pages that link to the home page of the pictures.
fn linking(number: u64, url: &str, anchors: &[&str]) -> PageRecord {
    let mut record = page(number, url, "text");
    record.links = anchors.iter().map(|anchor| link(HOME, anchor)).collect();
    record
}

fn home(number: u64) -> PageRecord {
    let mut record = page(number, HOME, "");
    record.blocks.clear();
    record
}

struct Generation {
    web: Web,
    built: Built,
    anchors: Anchors,
}

fn generation(records: &[PageRecord], options: Options) -> Generation {
    let mut web = Web::new();
    for record in records {
        web.log.append(record).unwrap();
    }
    web.log.sync().unwrap();
    let folder = web.collection.anchors(base::Generation(1));
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    let built = build(&web.collection.pages(), &folder, options).unwrap();
    assert_eq!(built.position, web.log.end());
    assert_eq!(index::anchors::check(&folder).unwrap(), []);
    let anchors = Anchors::open(&folder).unwrap();
    Generation { web, built, anchors }
}

/// Returns how much a stem weighs for the page with a number.
fn weight(anchors: &Anchors, number: u64, stem: &str) -> u32 {
    let id = PageId::new(0, number).unwrap();
    let Some(address) = anchors.find(id) else { return 0 };
    let segment = anchors.searcher.segment_reader(address.segment_ord);
    let term = Term::from_field_text(anchors.fields.stems, stem);
    let index = segment.inverted_index(anchors.fields.stems).unwrap();
    let postings = index.read_postings(&term, IndexRecordOption::WithFreqs).unwrap();
    let Some(mut postings) = postings else { return 0 };
    use tantivy::postings::Postings;
    if postings.seek(address.doc_id) == address.doc_id { postings.term_freq() } else { 0 }
}

#[test]
fn a_site_counts_once_and_the_own_site_little() {
    let records = [
        home(0),
        linking(1, "http://a.example/1", &["Acme pictures"]),
        linking(2, "http://www.a.example/2", &["Acme", "the Acme company"]),
        linking(3, "http://b.example/", &["Acme"]),
        linking(4, "http://pictures.example/more", &["our start", "Acme"]),
    ];
    let Generation { built, anchors, .. } = generation(&records, Options::default());
    assert_eq!((built.num_targets, built.num_links), (1, 6));
    assert_eq!(weight(&anchors, 0, "acm"), index::anchors::weight(2, true));
    assert_eq!(weight(&anchors, 0, "pictur"), index::anchors::weight(1, false));
    assert_eq!(weight(&anchors, 0, "our"), index::anchors::weight(0, true));
    let address = anchors.find(PageId::new(0, 0).unwrap()).unwrap();
    assert_eq!(anchors.num_sites(address), 2);
    let target = anchors.target(address).unwrap().unwrap();
    assert_eq!((target.url.as_str(), target.text.as_str()), (HOME, "Acme"));
    assert_eq!(target.fetched, Some(home(0).fetched));
}

#[test]
fn hosts_and_folders_of_a_domain_are_one_voice_and_so_are_domains_that_are_one() {
    let records = [
        home(0),
        linking(1, "http://cs.uni.example/~ann/", &["Acme"]),
        linking(2, "http://cs.uni.example/~bob/", &["Acme"]),
        linking(3, "http://law.uni.example/", &["Acme"]),
        linking(4, "http://shop.example/", &["Acme"]),
        linking(5, "http://shop-service.example/", &["Acme"]),
        linking(6, "http://pictures-service.example/", &["pictures"]),
    ];
    let Generation { web, anchors, .. } = generation(&records, Options::default());
    assert_eq!(weight(&anchors, 0, "acm"), index::anchors::weight(3, false));
    assert_eq!(weight(&anchors, 0, "pictur"), index::anchors::weight(1, false));
    let folder = web.collection.anchors(base::Generation(2));
    let voice_of = |url: &base::Url| url.site().as_str().replace("-service", "");
    let knowledge = Knowledge { voice_of: &voice_of, ..Knowledge::default() };
    build_with(&web.collection.pages(), &folder, Options::default(), &knowledge).unwrap();
    let anchors = Anchors::open(&folder).unwrap();
    assert_eq!(weight(&anchors, 0, "acm"), index::anchors::weight(2, false));
    assert_eq!(weight(&anchors, 0, "pictur"), index::anchors::weight(0, true));
}

#[test]
fn building_says_how_far_it_is() {
    let records = [
        home(0),
        linking(1, "http://a.example/", &["Acme"]),
        linking(2, "http://b.example/", &["Acme", "pictures"]),
    ];
    let Generation { web, .. } = generation(&records, Options::default());
    let told = RefCell::new(Vec::new());
    let on_read = |step: Step, done: u64, total: u64| told.borrow_mut().push((step, done, total));
    let knowledge = Knowledge { on_read: &on_read, ..Knowledge::default() };
    let folder = web.collection.anchors(base::Generation(2));
    let options = Options { links_per_pass: 1, ..Options::default() };
    build_with(&web.collection.pages(), &folder, options, &knowledge).unwrap();
    let log = base::file::size_below(&web.collection.pages());
    let told = told.into_inner();
    assert!(told.is_sorted_by_key(|(step, done, _)| (*step, *done)), "{told:?}");
    // Three links are gathered in as many readings.
    for (step, total) in [(Step::Survey, log), (Step::Gather, 3 * log)] {
        let of_step: Vec<_> = told.iter().filter(|(is, ..)| *is == step).collect();
        assert!(of_step.iter().all(|(.., is)| *is == total), "{told:?}");
        assert_eq!(**of_step.last().unwrap(), (step, total, total));
    }
}

#[test]
fn spm_06_thousands_of_pages_of_one_domain_say_a_phrase_once() {
    let mut records = vec![home(0)];
    let farm = |number| format!("http://h{}.farm.example/{number}", number % 500);
    records.extend((1..=2_000).map(|n| linking(n, &farm(n), &["miserable failure"])));
    for (number, host) in [(2_001, "one"), (2_002, "two")] {
        records.push(linking(number, &format!("http://{host}.example/"), &["Acme pictures"]));
    }
    let Generation { anchors, .. } = generation(&records, Options::default());
    for stem in ["miser", "failur"] {
        assert_eq!(weight(&anchors, 0, stem), index::anchors::weight(1, false), "{stem}");
    }
    assert_eq!(weight(&anchors, 0, "acm"), index::anchors::weight(2, false));
    let address = anchors.find(PageId::new(0, 0).unwrap()).unwrap();
    assert_eq!(anchors.num_sites(address), 3);
    assert_eq!(anchors.target(address).unwrap().unwrap().text, "Acme pictures");
}

#[test]
fn texts_that_say_nothing_are_damped() {
    let records = [
        home(0),
        linking(1, "http://a.example/", &["click here"]),
        linking(2, "http://b.example/", &["Click here!"]),
        linking(3, "http://c.example/", &["2"]),
    ];
    let Generation { anchors, .. } = generation(&records, Options::default());
    assert_eq!(weight(&anchors, 0, "click"), index::anchors::weight(0, true));
}

#[test]
fn only_links_that_their_page_vouches_for_count() {
    let mut paid = linking(1, "http://a.example/", &["Acme"]);
    paid.links[0].rel = Rel { sponsored: true, ..Rel::default() };
    let mut error = linking(2, "http://b.example/", &["Acme"]);
    error.status = 500;
    let silent = linking(3, "http://c.example/", &["", "  ", "…"]);
    let Generation { built, .. } = generation(&[home(0), paid, error, silent], Options::default());
    assert_eq!(built.num_targets, 0);
}

#[test]
fn the_latest_record_of_a_page_counts() {
    let records = [
        home(0),
        linking(1, "http://a.example/", &["Acme"]),
        linking(1, "http://a.example/", &["Zebra"]),
    ];
    let Generation { anchors, built, .. } = generation(&records, Options::default());
    assert_eq!(built.num_links, 1);
    assert_eq!((weight(&anchors, 0, "acm"), weight(&anchors, 0, "zebra")), (0, 4));
}

#[test]
fn anchors_follow_redirects_and_avoid_pages_that_are_no_answer() {
    let mut moved = page(0, HOME, "");
    moved.status = 301;
    moved.redirect = Some(base::Url::parse("http://new.example/").unwrap());
    let fresh = page(1, "http://new.example/", "here");
    let mut hidden = page(2, "http://hidden.example/", "x");
    hidden.robots.noindex = true;
    let mut source = linking(3, "http://a.example/", &["Acme"]);
    source.links.push(link("http://hidden.example/", "secret"));
    source.links.push(link("http://unseen.example/", "unseen"));
    let Generation { anchors, built, .. } =
        generation(&[moved, fresh, hidden, source], Options::default());
    assert_eq!(built.num_targets, 2);
    assert_eq!(weight(&anchors, 1, "acm"), 4);
    assert_eq!(weight(&anchors, 2, "secret"), 0);
}

#[test]
fn several_passes_give_the_same_index() {
    let mut records = Vec::new();
    for number in 0..20 {
        let mut record = page(number, &format!("http://s{number}.example/"), "text");
        for target in 0..20 {
            let url = format!("http://s{target}.example/");
            record.links.push(link(&url, &format!("word{target}")));
        }
        records.push(record);
    }
    for links_per_pass in [1, 37, 1_000] {
        let options = Options { links_per_pass, ..Options::default() };
        let Generation { anchors, built, .. } = generation(&records, options);
        assert_eq!((built.num_targets, built.num_links), (20, 400));
        assert_eq!(anchors.searcher.segment_readers().len(), 1);
        for number in 0..20 {
            // All sites but its own.
            assert_eq!(weight(&anchors, number, &format!("word{number}")), 19 * 4);
        }
    }
}

#[test]
fn building_again_replaces_what_a_killed_build_left() {
    let Generation { web, .. } = generation(&[home(0)], Options::default());
    let folder = web.collection.anchors(base::Generation(1));
    let beside = folder.with_added_extension("new");
    fs::create_dir_all(&beside).unwrap();
    fs::write(beside.join("rest"), "x").unwrap();
    build(&web.collection.pages(), &folder, Options::default()).unwrap();
    assert!(!beside.exists());
    assert_eq!(Anchors::open(&folder).unwrap().num_targets(), 0);
}

/// A page that links to the home page of the pictures by one word of its text.
fn saying(number: u64, url: &str, zone: Zone, text: &str, anchor: &str) -> PageRecord {
    let mut record = linking(number, url, &[anchor]);
    let start = text.find(anchor).unwrap();
    let (start, end) = (start as u32, (start + anchor.len()) as u32);
    record.blocks = vec![Block { zone, text: text.to_owned() }];
    record.anchors = vec![Some(Span { block: 0, start, end })];
    record
}

#[test]
fn words_beside_a_link_that_says_nothing_speak_for_its_target() {
    let text = "The photographs of walruses are here and nowhere else";
    let named = "Walruses and penguins are at Acme as well";
    let menu = "Imprint Privacy more Jobs";
    let records = [
        home(0),
        saying(1, "http://a.example/", Zone::Body, text, "here"),
        saying(2, "http://b.example/", Zone::Body, named, "Acme"),
        saying(3, "http://c.example/", Zone::Boilerplate, menu, "more"),
        saying(4, "http://d.example/", Zone::Body, "Chapter 1 2 3 of giraffes", "2"),
    ];
    let Generation { anchors, .. } = generation(&records, Options::default());
    for stem in ["walrus", "photograph", "nowher"] {
        assert_eq!(weight(&anchors, 0, stem), index::anchors::weight(0, true), "{stem}");
    }
    // Not what stands beside a name, in a menu or among page numbers, nor what stands everywhere.
    for stem in ["penguin", "job", "giraff", "the"] {
        assert_eq!(weight(&anchors, 0, stem), 0, "{stem}");
    }
    let address = anchors.find(PageId::new(0, 0).unwrap()).unwrap();
    assert_eq!(anchors.num_sites(address), 1, "`here` is nobody's voice");
    assert_eq!(anchors.target(address).unwrap().unwrap().text, "Acme");
}
