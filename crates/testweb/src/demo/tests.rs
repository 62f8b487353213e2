//! Walks the demo web without a network and checks what it promises.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::Duration;

use super::*;
use crate::site::{Answer, Request};

const LATER: Duration = Duration::from_secs(100);

/// The web as a map from host to site.
struct Net(HashMap<String, Box<dyn Site>>);

impl Net {
    fn new(seed: u64) -> Self {
        Self(sites(seed).into_iter().map(|site| (site.host().to_owned(), site)).collect())
    }

    fn get_at(&self, url: &str, elapsed: Duration) -> Answer {
        let rest = url.strip_prefix("http://").unwrap();
        let (host, target) = rest.split_at(rest.find('/').unwrap());
        let site = self.0.get(host).unwrap_or_else(|| panic!("no host for `{url}`"));
        site.answer(&Request { method: "GET", target, headers: &[], elapsed })
    }

    fn get(&self, url: &str) -> Answer {
        self.get_at(url, LATER)
    }

    fn html(&self, url: &str) -> String {
        let answer = self.get(url);
        assert_eq!(answer.status, 200, "{url}");
        String::from_utf8_lossy(&answer.body).into_owned()
    }
}

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

/// Every `href` of our own HTML, with the text of the link.
fn links(html: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for piece in html.split("<a href=\"").skip(1) {
        let (href, rest) = piece.split_once('"').unwrap();
        let label = rest.split_once('>').map_or("", |(_, tail)| tail).split("</a>").next().unwrap();
        found.push((href.replace("&amp;", "&"), label.to_owned()));
    }
    found
}

/// The little canonicalisation that our own links need (W13).
fn resolve(base: &str, href: &str) -> String {
    let lower = href.split_at(href.len().min(7)).0.to_lowercase();
    let whole = if lower == "http://" {
        href.to_owned()
    } else {
        let host_end = base[7..].find('/').unwrap() + 7;
        format!("{}{href}", &base[..host_end])
    };
    let rest = &whole[7..];
    let (host, path) = rest.find('/').map_or((rest, "/"), |at| rest.split_at(at));
    let host = host.to_lowercase().trim_end_matches(":80").to_owned();
    let path = path.split('#').next().unwrap();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/').skip(1) {
        if segment == ".." {
            segments.pop();
        } else {
            segments.push(segment);
        }
    }
    let mut path = segments.join("/");
    if path == "index.html" {
        path.clear();
    }
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !pair.starts_with("utm_") && !pair.starts_with("sid="))
        .collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    format!("http://{host}/{path}{query}")
}

/// Follows every link from the seed; traps are entered a few steps only.
fn walk(net: &Net) -> HashMap<String, Answer> {
    let mut seen = HashMap::new();
    let mut queue = VecDeque::from([SEED.to_owned()]);
    let mut trapped = 0;
    while let Some(url) = queue.pop_front() {
        if seen.contains_key(&url) || kind_of(&url) == Some(Kind::Barred) {
            continue;
        }
        if kind_of(&url) == Some(Kind::Trap) {
            trapped += 1;
            if trapped > 12 {
                continue;
            }
        }
        let answer = net.get(&url);
        if answer.status / 100 == 3 {
            queue.push_back(resolve(&url, header(&answer, "Location")));
        }
        if header(&answer, "Content-Type").starts_with("text/html") {
            let html = String::from_utf8_lossy(&answer.body);
            if !html.contains("content=\"nofollow\"") {
                queue.extend(links(&html).iter().map(|(href, _)| resolve(&url, href)));
            }
        }
        seen.insert(url, answer);
    }
    seen
}

#[test]
fn every_good_page_is_reached_from_the_seed() {
    let reached = walk(&Net::new(7));
    let good = good_pages(7);
    assert!((1900..=2600).contains(&good.len()), "{} good pages", good.len());
    let missing: Vec<&String> = good.iter().filter(|url| !reached.contains_key(*url)).collect();
    assert!(
        missing.is_empty(),
        "{} not reached: {:?}",
        missing.len(),
        &missing[..missing.len().min(9)]
    );
    let hosts: BTreeSet<&str> =
        good.iter().map(|url| url[7..].split('/').next().unwrap()).collect();
    assert!((55..=65).contains(&hosts.len()), "{} hosts", hosts.len());
    for url in &good {
        assert!(is_good(url), "{url}");
        assert_eq!(reached[url].status, 200, "{url}");
    }
}

#[test]
fn no_link_is_dead_but_the_intended_ones() {
    let reached = walk(&Net::new(3));
    let dead: BTreeSet<&str> = reached
        .iter()
        .filter(|(_, answer)| answer.status >= 400)
        .map(|(url, _)| url.as_str())
        .collect();
    let intended = ["http://post.lookfar/closed", "http://post.lookfar/counter/missing-window"];
    assert_eq!(dead, BTreeSet::from(intended));
    for (url, answer) in &reached {
        let text = String::from_utf8_lossy(&answer.body);
        assert!(!text.contains('⟦'), "a slot or reference of {url} has no text");
    }
}

#[test]
fn addresses_do_not_depend_on_the_seed_and_bytes_depend_on_nothing_else() {
    assert_eq!(good_pages(1), good_pages(2));
    let (one, again, other) = (Net::new(1), Net::new(1), Net::new(2));
    let mut changed = 0;
    for url in good_pages(1) {
        let body = one.get(&url).body;
        assert_eq!(body, again.get(&url).body, "{url}");
        changed += usize::from(body != other.get(&url).body);
    }
    assert!(changed > 1500, "only {changed} pages differ between two seeds");
}

/// The words of a page outside tags, styles and the head.
fn words(html: &str) -> Vec<String> {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let mut text = String::new();
    let mut inside = false;
    for ch in format!("<{body}").chars() {
        match ch {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            _ if !inside => text.push(ch),
            _ => {}
        }
    }
    let split = |ch: char| !ch.is_alphanumeric() && ch != '$';
    text.to_lowercase().split(split).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Counts what two sorted lists have in common.
fn num_shared(mut one: &[u64], mut two: &[u64]) -> usize {
    let mut shared = 0;
    while let (Some(a), Some(b)) = (one.first(), two.first()) {
        shared += usize::from(a == b);
        let (from_one, from_two) = (usize::from(a <= b), usize::from(b <= a));
        (one, two) = (&one[from_one..], &two[from_two..]);
    }
    shared
}

#[test]
fn no_two_good_pages_are_alike() {
    let net = Net::new(5);
    let mut by_host: HashMap<String, Vec<(String, Vec<u64>)>> = HashMap::new();
    let mut bodies = HashSet::new();
    for url in good_pages(5) {
        let html = net.html(&url);
        assert!(bodies.insert(html.clone()), "{url} repeats a page");
        let words = words(&html);
        let shingle = |window: &[String]| world::hash(&[window.join(" ").as_bytes()]);
        let mut shingles: Vec<u64> = words.windows(4).map(shingle).collect();
        shingles.sort_unstable();
        shingles.dedup();
        let host = url[7..].split('/').next().unwrap().to_owned();
        by_host.entry(host).or_default().push((url, shingles));
    }
    for pages in by_host.values() {
        for (at, (url, shingles)) in pages.iter().enumerate() {
            for (other, others) in &pages[at + 1..] {
                let shared = num_shared(shingles, others);
                let all = shingles.len() + others.len() - shared;
                assert!(
                    shared * 10 < all * 6,
                    "{url} and {other} share {shared} of {all} shingles"
                );
            }
        }
    }
}

#[test]
fn pages_are_neither_tiny_nor_huge() {
    let net = Net::new(1);
    for url in good_pages(1) {
        let size = net.get(&url).body.len();
        assert!((600..40_000).contains(&size), "{url} has {size} bytes");
    }
}

#[test]
fn the_seven_documents_hold_their_words_and_no_others_of_w9() {
    const SETS: [&str; 7] = [
        "jaguar new world mammal felidae family",
        "jaguar design four new engine",
        "jaguar atari keen 68k family device",
        "jacksonville jaguar professional us football team",
        "mac os x jaguar available price us $199 apple new family pack",
        "one such rule family incorporate jaguar their name paw",
        "big cat",
    ];
    // `one`, `four`, `their` and the like are stop words or too common to keep apart.
    const APART: &str =
        "jaguar new family cat world football us rule engine design mammal atari apple paw";
    let net = Net::new(1);
    let stem = |word: &str| match word {
        "ruling" | "ruler" | "rulers" | "ruled" => "rule".to_owned(),
        "incorporated" => "incorporate".to_owned(),
        "us" | "such" => word.to_owned(),
        _ => word.trim_end_matches('s').to_owned(),
    };
    for (at, set) in SETS.iter().enumerate() {
        let html = net.html(&format!("http://seven.lookfar/d{}", at + 1));
        let title = html.split("<title>").nth(1).unwrap().split('<').next().unwrap();
        let mut found: HashSet<String> = words(&html).iter().map(|word| stem(word)).collect();
        found.extend(words(title).iter().map(|word| stem(word)));
        for word in set.split(' ') {
            assert!(found.contains(&stem(word)), "d{} lacks `{word}`", at + 1);
        }
        for word in APART.split(' ').filter(|word| !set.split(' ').any(|own| own == *word)) {
            assert!(!found.contains(&stem(word)), "d{} has `{word}`", at + 1);
        }
    }
}

#[test]
fn the_company_is_named_by_others_only() {
    let net = Net::new(1);
    let home = "http://atelier57.lookfar/";
    let html = net.html(home).to_lowercase();
    let name = company::NAME.to_lowercase();
    for word in name.split(' ') {
        assert!(!html.contains(word) && !home.contains(word), "the home page says `{word}`");
    }
    let own = net.html("http://atelier57.lookfar/room/glass").to_lowercase();
    assert!(!own.contains("ostrelund"));
    let (mut anchors, mut mentions, mut hosts) = (0, 0, BTreeSet::new());
    for url in good_pages(1) {
        let page = net.html(&url);
        let hits = links(&page)
            .iter()
            .filter(|(href, label)| href == home && label.to_lowercase() == name)
            .count();
        anchors += hits;
        mentions += usize::from(page.to_lowercase().contains(&name));
        if hits > 0 {
            hosts.insert(url[7..].split('/').next().unwrap().to_owned());
        }
    }
    assert!(anchors >= 8 && hosts.len() >= 5, "{anchors} anchors from {hosts:?}");
    assert!(mentions >= 8);
}

#[test]
fn article_and_sidebar_speak_of_different_things() {
    let html = Net::new(1).html("http://lighthouses.lookfar/lights/a-keepers-day");
    let (main, aside) = html.split_once("<aside>").unwrap();
    let main = main.split_once("<main>").unwrap().1.to_lowercase();
    assert!(main.contains("lighthouse") && !main.contains("saffron"));
    assert!(
        aside.to_lowercase().contains("saffron") && !aside.to_lowercase().contains("lighthouse ")
    );
}

#[test]
fn every_phenomenon_answers() {
    let net = Net::new(1);
    let mut names = HashSet::new();
    for phenomenon in phenomena() {
        assert!(names.insert(phenomenon.name), "{} is listed twice", phenomenon.name);
        let answer = net.get(phenomenon.url);
        let expected = match phenomenon.name {
            "redirect" | "redirect chain" | "redirect loop" | "www" => 301,
            "not found" => 404,
            "gone" => 410,
            _ => 200,
        };
        assert_eq!(answer.status, expected, "{}", phenomenon.name);
    }
}

#[test]
fn faults_are_as_described() {
    let net = Net::new(1);
    let mut url = "http://post.lookfar/moved/first".to_owned();
    let mut hops = Vec::new();
    while net.get(&url).status != 200 {
        hops.push(net.get(&url).status);
        url = resolve(&url, header(&net.get(&url), "Location"));
    }
    assert_eq!(hops, [301, 302, 307, 308]);
    let slow = net.get("http://post.lookfar/counter/queue").pace.before;
    assert!(slow > Duration::from_millis(500) && slow <= Duration::from_secs(1));
    let closed = net.get_at("http://post.lookfar/counter/opening", Duration::from_secs(1));
    assert_eq!((closed.status, header(&closed, "Retry-After")), (503, "3"));
    assert_eq!(net.get("http://post.lookfar/counter/opening").status, 200);
    let now = |seconds| net.get_at("http://clock.lookfar/now", Duration::from_secs(seconds)).body;
    assert_eq!(now(61), now(119));
    assert_ne!(now(61), now(121));
    assert!(
        net.get("http://reading-room.lookfar/files/tide-report.pdf").body.starts_with(b"%PDF-1.4")
    );
    let danish = net.get("http://dansk.lookfar/side/blaesten");
    assert!(String::from_utf8(danish.body).is_err());
}

#[test]
fn traps_have_no_end_and_no_good_pages() {
    let net = Net::new(1);
    let mut url = "http://almanac.lookfar/calendar/2031/05".to_owned();
    for _ in 0..300 {
        let html = net.html(&url);
        let next = links(&html).into_iter().find(|(_, label)| label == "Next month").unwrap().0;
        assert_eq!(kind_of(&url), Some(Kind::Trap));
        url = resolve(&url, &next);
    }
    assert!(url.ends_with("/calendar/2056/05"));
    assert_eq!(net.get("http://almanac.lookfar/calendar/2031/13").status, 404);
    let shop = |seconds| {
        let answer = net.get_at("http://bazaar.lookfar/", Duration::from_secs(seconds));
        links(&String::from_utf8_lossy(&answer.body))
            .into_iter()
            .map(|(href, _)| href)
            .find(|href| href.contains("sid="))
            .unwrap()
    };
    assert_eq!(shop(1), shop(59));
    assert_ne!(shop(1), shop(61));
    assert!(!is_good(&format!("http://bazaar.lookfar{}", shop(1))));
    assert_eq!(net.get(&format!("http://bazaar.lookfar{}", shop(1))).status, 200);
    let soft = net.html("http://oldtown.lookfar/no/such/page");
    assert!(soft.contains("/no/such/page/older"));
}

#[test]
fn copies_know_their_originals() {
    let net = Net::new(1);
    let mirror = "http://birds-mirror.lookfar/birds/robin.html";
    assert_eq!(copy_of(mirror), Some("http://birds.lookfar/birds/robin.html"));
    assert_eq!(net.get(mirror).body, net.get(copy_of(mirror).unwrap()).body);
    assert!(!is_good(mirror) && is_good(copy_of(mirror).unwrap()));
    let list = net.html("http://courier.lookfar/reprints");
    let reprint =
        links(&list).into_iter().find(|(href, _)| href.starts_with("/reprint/")).unwrap().0;
    let reprint = format!("http://courier.lookfar{reprint}");
    let original = copy_of(&reprint).unwrap();
    let shingles = |url: &str| -> HashSet<String> {
        words(&net.html(url)).windows(4).map(|window| window.join(" ")).collect()
    };
    let (one, two) = (shingles(original), shingles(&reprint));
    let shared = one.intersection(&two).count();
    assert!(
        shared * 10 > one.len().min(two.len()) * 5,
        "{shared} of {} and {}",
        one.len(),
        two.len()
    );
    assert_eq!(copy_of("http://islands.lookfar/index.html"), Some("http://islands.lookfar/"));
}

#[test]
fn farm_is_large_and_not_good() {
    let net = Net::new(1);
    let supporters = ["cheap-lamps.lookfar", "best-offers.lookfar"]
        .iter()
        .flat_map(|host| {
            (1..=spam::FARM_PAGES).map(move |page| format!("http://{host}/offer/{page}"))
        })
        .filter(|url| links(&net.html(url)).iter().any(|(href, _)| href == spam::TARGET))
        .count();
    assert!(supporters >= 60);
    assert_eq!(kind_of(spam::TARGET), Some(Kind::Spam));
}

#[test]
fn sink_leads_nowhere_else_and_dead_end_nowhere() {
    let net = Net::new(1);
    for url in good_pages(1).iter().filter(|url| url.starts_with("http://whirlpool.lookfar/")) {
        for (href, _) in links(&net.html(url)) {
            let target = resolve(url, &href);
            assert!(target.starts_with("http://whirlpool.lookfar/"), "{url} leads out to {target}");
        }
    }
    assert!(links(&net.html("http://northhaven.lookfar/town/end-of-stair-lane")).is_empty());
}

#[test]
fn unchanged_pages_answer_304() {
    let net = Net::new(1);
    let tag = header(&net.get(SEED), "ETag").to_owned();
    let headers = [("if-none-match".to_owned(), tag)];
    let request = Request { method: "GET", target: "/", headers: &headers, elapsed: LATER };
    assert_eq!(net.0["directory.lookfar"].answer(&request).status, 304);
}
