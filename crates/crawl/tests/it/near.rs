//! Pages that are nearly the same as others: folded, however they differ by accident (C13).

use std::time::Duration;

use base::PageRecord;
use crawl::Handle;
use testweb::{Running, Script, Web};

use crate::help::{Place, options};

/// Sentences of their own for each name.
fn article(name: &str, sentences: usize) -> String {
    const VERBS: [&str; 8] =
        ["knows", "likes", "finds", "mends", "loses", "draws", "hears", "buys"];
    const THINGS: [&str; 9] =
        ["boats", "clocks", "maps", "songs", "lamps", "wheels", "books", "nets", "bells"];
    let mut state = name.bytes().fold(7_u64, |state, byte| state * 31 + u64::from(byte));
    let mut pick = |from: &[&'static str]| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        from[(state >> 33) as usize % from.len()]
    };
    (0..sentences)
        .map(|_| {
            let (verb, thing, verb2, thing2) =
                (pick(&VERBS), pick(&THINGS), pick(&VERBS), pick(&THINGS));
            format!("<p>The {name} {verb} its {thing}, and whoever {verb2} it buys {thing2}.</p>")
        })
        .collect()
}

/// A page in the dress of its site.
fn page(title: &str, dress: &str, main: &str) -> String {
    format!(
        "<title>{title}</title><nav>{dress}</nav><main><h1>{title}</h1>{main}</main>\
         <aside>Read also: {dress}</aside><footer>{dress}</footer>"
    )
}

fn links(to: &[&str]) -> String {
    to.iter().map(|to| format!("<a href=\"{to}\">more</a> ")).collect()
}

struct Crawled {
    place: Place,
    web: Running,
}

fn crawl(web: Web, seed: &str) -> Crawled {
    let web = web.start().unwrap();
    let place = Place::new();
    let mut options = options(&web, Duration::ZERO);
    options.concurrency = 1;
    options.strategy = crawl::Strategy::BreadthFirst;
    place.crawl(&[seed], options);
    place.check();
    Crawled { place, web }
}

impl Crawled {
    fn last(&self, url: &str) -> PageRecord {
        self.place.records()[url].last().unwrap().clone()
    }

    #[track_caller]
    fn check(&self, url: &str, original: Option<&str>) {
        let records = self.place.records();
        let name = |id| records.values().flatten().find(|record| record.id == id);
        let found = self.last(url).copy_of.map(|id| name(id).unwrap().url.to_string());
        assert_eq!(found.as_deref(), original, "{url}");
    }
}

#[test]
fn a_page_with_other_dates_and_side_bars_is_folded() {
    let dated = |dress: &str, date: &str, views: u32| {
        let text = article("smith", 24);
        page("Of smiths", dress, &format!("<p>Posted {date}, seen {views} times</p>{text}"))
    };
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/1", "/2", "/3", "http://b.lookfar/x"]))
        .page("/1", &dated("Home", "12 March 2026", 7))
        .page("/2", &dated("Sale! Everything must go", "Tuesday, 4 August 2026", 1_044))
        .page("/3", &page("Of smiths", "Home", &article("smith", 18)));
    let other = Script::new("b.lookfar").page("/x", &dated("Another site", "5 May 2026", 31));
    let crawled = crawl(Web::new().site(site).site(other), "http://a.lookfar/");
    crawled.check("http://a.lookfar/1", None);
    crawled.check("http://a.lookfar/2", Some("http://a.lookfar/1"));
    crawled.check("http://b.lookfar/x", Some("http://a.lookfar/1"));
    // A quarter less is another page.
    crawled.check("http://a.lookfar/3", None);
    assert!(!crawled.last("http://a.lookfar/2").is_searchable());
    let collection = &crawled.place.collection;
    let why = |url: &str| {
        let options = options(&crawled.web, Duration::ZERO);
        let story = Handle::open(collection, &options).unwrap().why(url).unwrap();
        story.response.unwrap().near_percent
    };
    assert!((90..=99).contains(&why("http://a.lookfar/2").unwrap()));
    assert_eq!(why("http://a.lookfar/1"), None);
}

#[test]
fn different_pages_of_one_template_stay_apart() {
    let shell = article("template", 3);
    let names = ["baker", "miller", "tailor", "sailor", "painter", "barber"];
    let paths: Vec<String> = names.iter().map(|name| format!("/{name}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut site = Script::new("a.lookfar").page("/", &links(&paths));
    for (name, path) in names.iter().zip(&paths) {
        let text = format!("{shell}{}{shell}", article(name, 4));
        site = site.page(path, &page("Of trades", "Home", &text));
    }
    let crawled = crawl(Web::new().site(site), "http://a.lookfar/");
    for path in &paths {
        crawled.check(&format!("http://a.lookfar{path}"), None);
    }
}

#[test]
fn tables_of_other_figures_stay_apart() {
    let table = |seed: u32| -> String {
        let rows = (0..30).map(|row| {
            format!("<tr><td>Station {row}<td>rain<td>{}", (row * 37 + seed * 101) % 997)
        });
        format!(
            "<p>Rain of the last month at all stations</p><table>{}</table>",
            rows.collect::<String>()
        )
    };
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/1", "/2"]))
        .page("/1", &page("Rain", "Home", &table(1)))
        .page("/2", &page("Rain", "Home", &table(2)));
    let crawled = crawl(Web::new().site(site), "http://a.lookfar/");
    crawled.check("http://a.lookfar/1", None);
    crawled.check("http://a.lookfar/2", None);
}

#[test]
fn copies_in_chinese_and_thai_are_folded_by_characters() {
    let chinese = "海边的灯塔是用花岗岩建成的，那时老国王还在位。夜里驶向港口的人，在三十里外就能看见它的灯光，\
                   比城后的山丘从海面升起还要早，也比听见钟声还要早。";
    let thai = "ประภาคารที่ปลายท่าเรือสร้างด้วยหินแกรนิตในรัชสมัยของกษัตริย์องค์ก่อน \
                และผู้ที่มาถึงท่าเรือในเวลากลางคืนจะเห็นแสงไฟจากระยะไกลก่อนที่เนินเขาหลังเมืองจะโผล่พ้นทะเล";
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/zh", "/zh2", "/zh3", "/th", "/th2"]))
        .page("/zh", &page("灯塔", "首页", &format!("<p>2026年3月12日 {chinese}</p>")))
        .page("/zh2", &page("灯塔", "更多", &format!("<p>2025年11月2日 {chinese}</p>")))
        .page(
            "/zh3",
            &page("灯塔", "更多", &format!("<p>{}</p>", chinese.chars().rev().collect::<String>())),
        )
        .page("/th", &page("ประภาคาร", "หน้าแรก", &format!("<p>{thai}</p><p>12.3.2569</p>")))
        .page("/th2", &page("ประภาคาร", "ติดต่อ", &format!("<p>{thai}</p><p>2.11.2568</p>")));
    let crawled = crawl(Web::new().site(site), "http://a.lookfar/");
    crawled.check("http://a.lookfar/zh2", Some("http://a.lookfar/zh"));
    crawled.check("http://a.lookfar/zh3", None);
    crawled.check("http://a.lookfar/th2", Some("http://a.lookfar/th"));
}

#[test]
fn of_near_duplicates_that_name_each_other_one_stands() {
    let canonical = |to: &str| format!("<link rel=canonical href=\"{to}\">");
    let dated = |date: &str| page("News", "Home", &format!("{}<p>{date}", article("smith", 12)));
    let site = Script::new("a.lookfar")
        .page("/", &links(&["/print", "/real", "/old"]))
        .page("/print", &format!("{}{}", canonical("/real"), dated("1 March 2026")))
        .page("/real", &dated("2 March 2026"))
        .page("/old", &dated("3 March 2026"));
    let crawled = crawl(Web::new().site(site), "http://a.lookfar/");
    crawled.check("http://a.lookfar/print", Some("http://a.lookfar/real"));
    crawled.check("http://a.lookfar/real", None);
    crawled.check("http://a.lookfar/old", Some("http://a.lookfar/real"));
}

#[test]
fn lnk_10_a_mirror_that_says_its_own_name_is_read_less_and_less() {
    let all: Vec<String> = (0..28).map(|n| format!("/{n}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let text = |n: usize, host: &str, next: &str| {
        let main = format!("{}<p>Served by {host}</p>", article(&format!("worker{n}"), 12));
        page(&format!("Work {n}"), "Home", &format!("{main}{}", links(&[next])))
    };
    let mut a = Script::new("a.lookfar").page("/", &links(&all));
    let mut mirror = Script::new("mirror.lookfar");
    for (n, path) in all.iter().enumerate() {
        let next = if n == 27 { "http://mirror.lookfar/0" } else { "/" };
        a = a.page(path, &text(n, "a", next));
        mirror = mirror.page(path, &text(n, "mirror", &format!("/{}", n + 1)));
    }
    let crawled = crawl(Web::new().site(a).site(mirror), "http://a.lookfar/");
    let asked = crawled.web.log().under("mirror.lookfar", "/").len();
    assert!((4..=14).contains(&asked), "{asked} requests to a mirror of 28 pages");
    crawled.check("http://mirror.lookfar/3", Some("http://a.lookfar/3"));
}
