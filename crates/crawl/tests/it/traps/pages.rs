//! Pages that look like others: soft 404, parking, spellings, honey-pots, a chain.

use base::Oddity;
use testweb::{Answer, Request, Web};

use super::{Trap, crawl, crawl_with, link, page, prose};

#[test]
fn lnk_09_soft_404_pages_are_few_and_stay_out() {
    let sorry = |request: &Request<'_>| {
        let deeper = link(&format!("{}/older", request.path().trim_end_matches('/')));
        let sorry = prose(&["sorry"], 40);
        Some(page("Sorry", &format!("<p>We could not find it. {sorry}</p>{deeper}")))
    };
    let links: String = (0..40).map(|n| link(&format!("/gone/{n}"))).collect();
    let crawled = crawl(vec![Trap::new("soft", &links, sorry)]);
    crawled.check("soft");
    let records = crawled.place.records();
    let of_the_trap = records
        .iter()
        .filter(|(url, _)| url.starts_with("http://soft.lookfar/") && !url.contains("/good/"));
    let mut found = 0;
    for (url, said) in of_the_trap.filter(|(url, _)| *url != "http://soft.lookfar/") {
        let last = said.last().unwrap();
        let is_out = last.oddities.contains(&Oddity::SoftMissing) || last.copy_of.is_some();
        assert!(is_out, "{url} is in the results");
        found += usize::from(last.oddities.contains(&Oddity::SoftMissing));
    }
    assert!(found > 0, "nothing was recognised");
}

#[test]
fn http_30_a_parking_page_is_left_soon() {
    let parked = |_: &Request<'_>| {
        let links: String = (0..50).map(|n| link(&format!("/topic/{n}"))).collect();
        Some(page("This domain is for sale", &format!("<p>{}</p>{links}", prose(&["sale"], 60))))
    };
    // The whole host says the same, the front page too.
    struct Parked(Box<dyn Fn(&Request<'_>) -> Option<Answer> + Send + Sync>);
    impl testweb::Site for Parked {
        fn host(&self) -> &'static str {
            "parked.lookfar"
        }
        fn answer(&self, request: &Request<'_>) -> Answer {
            (self.0)(request).unwrap_or_else(Answer::not_found)
        }
    }
    let beside = Trap::new("beside", &link("http://parked.lookfar/"), |_| None);
    let crawled = crawl_with(Web::new().site(Parked(Box::new(parked))), vec![beside], |_| ());
    crawled.check("beside");
    let asked = crawled.fetched("parked.lookfar").len();
    println!("parked: {asked} requests");
    assert!(asked <= 57, "{asked} requests for one page");
    let records = crawled.place.records();
    let parked = records.iter().filter(|(url, _)| url.starts_with("http://parked.lookfar/"));
    let searched = parked.filter(|(_, said)| said.last().unwrap().is_searchable());
    assert_eq!(searched.count(), 1, "one page, however many addresses it has");
}

#[test]
fn lnk_13_spellings_of_one_page_are_merged() {
    // Each of thirty pages answers in any case, with and without a slash, as index.html, and
    // with doubled slashes; every page links to all spellings of the next.
    let spellings = |n: usize| {
        [
            format!("/Item/Page{n}"),
            format!("/item/page{n}"),
            format!("/item/page{n}/"),
            format!("/item/page{n}/index.html"),
            format!("/item//page{n}"),
        ]
    };
    let entry: String = spellings(0).iter().map(|path| link(path)).collect();
    let trap = Trap::new("spellings", &entry, move |request| {
        let path = request.path().to_ascii_lowercase().replace("//", "/");
        let path = path.trim_end_matches("index.html").trim_end_matches('/');
        let n: usize = path.strip_prefix("/item/page")?.parse().ok()?;
        let next: String = spellings((n + 1) % 30).iter().map(|path| link(path)).collect();
        Some(page("Item", &format!("<p>{}</p>{next}", prose(&["item", path], 60))))
    });
    let crawled = crawl(vec![trap]);
    let asked = crawled.fetched("spellings.lookfar");
    let items = asked.iter().filter(|path| path.to_ascii_lowercase().starts_with("/item/"));
    let asked = items.count();
    println!("{asked} fetches for 30 pages in 150 spellings");
    assert!(asked <= 75, "{asked} fetches for 30 pages");
    let records = crawled.place.records();
    let items = records.iter().filter(|(url, _)| url.to_ascii_lowercase().contains("/item/"));
    let searched = items.filter(|(_, said)| said.last().unwrap().is_searchable()).count();
    assert_eq!(searched, 30, "each page once");
}

#[test]
fn lnk_16_a_honey_pot_is_never_touched() {
    let entry = "<a href=/pot/1 style=\"display:none\">do not</a><a href=/pot/2 hidden>x</a>";
    let pot = Trap::new("pot", entry, |request| {
        request.path().strip_prefix("/pot/").map(|_| page("Caught", &link("/pot/3")))
    });
    let crawled = crawl(vec![pot.with_robots("User-agent: *\nDisallow: /pot/\n")]);
    crawled.check("pot");
    assert!(!crawled.fetched("pot.lookfar").iter().any(|path| path.starts_with("/pot/")));
    assert_eq!(crawled.snapshot.reasons["robots"], 2);
}

#[test]
fn lnk_17_a_long_chain_ends_at_the_depth_limit() {
    let chain = Trap::new("chain", &link("/link/1"), |request| {
        let n: u32 = request.path().strip_prefix("/link/")?.parse().ok()?;
        (n < 10_000).then(|| {
            let text = prose(&["chain", &n.to_string()], 60);
            page("A link", &format!("<p>{text}</p>{}", link(&format!("/link/{}", n + 1))))
        })
    });
    let crawled = crawl(vec![chain]);
    crawled.check("chain");
    // The hub is the seed, the host's front page lies one link from it, the first link two.
    let links = crawled.fetched("chain.lookfar");
    let links = links.iter().filter(|path| path.starts_with("/link/")).count();
    assert_eq!(links, 31, "32 links from the seed");
    assert_eq!(crawled.snapshot.reasons[crawl::LeftOut::TooDeep.name()], 1);
}
