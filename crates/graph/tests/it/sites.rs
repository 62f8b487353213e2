//! What a web site is: on made-up webs, and on a real one where it is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::{Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url};
use graph::{Graph, HostGraph, Level, Named, Node, Owners, PageSites};

use crate::web::{graph_in, page, url};

/// Pages by address and what they link to.
#[derive(Default)]
struct Web {
    records: Vec<PageRecord>,
}

impl Web {
    fn page(&mut self, name: &str, targets: &[&str]) -> &mut Self {
        self.records.push(page(self.records.len() as u64, name, targets));
        self
    }

    /// Adds a home page and further pages below `start`, all of which link to the home page, to
    /// each other, and to `navigation`.
    fn section(&mut self, start: &str, num_pages: usize, navigation: &[&str]) -> &mut Self {
        let mut names = vec![start.to_owned()];
        names.extend((1..num_pages).map(|number| format!("{start}p{number}.html")));
        for name in &names {
            let links: Vec<&str> =
                names.iter().map(String::as_str).chain(navigation.iter().copied()).collect();
            self.page(name, &links);
        }
        self
    }

    /// Returns the names of the sites and the site of each address.
    #[track_caller]
    fn check(&self, names: &[&str], pages: &[(&str, &str)]) {
        let folder = tempfile::tempdir().unwrap();
        let graph = graph_in(folder.path(), &self.records);
        let sites = graph.sites().unwrap();
        let found: BTreeSet<&str> = sites.names().iter().map(|name| &**name).collect();
        assert_eq!(found, names.iter().copied().collect());
        assert_eq!(found.len() as u32, sites.num_sites(), "a name is given twice");
        for (name, expected) in pages {
            let node = graph.node_of_url(&url(name)).unwrap().unwrap();
            let site = graph.site(node).unwrap().unwrap();
            assert_eq!(&*sites.names()[site as usize], *expected, "{name}");
        }
    }
}

#[test]
fn users_of_one_host_have_sites_of_their_own() {
    Web::default()
        .section("http://cs.uni.example/", 5, &["http://cs.uni.example/~ann/"])
        .page("http://cs.uni.example/~ann/", &["http://cs.uni.example/"])
        .page("https://cs.uni.example/~ann/dog.html", &["http://cs.uni.example/~bob"])
        .check(
            &["uni.example", "cs.uni.example/~ann/", "cs.uni.example/~bob/"],
            &[
                ("http://cs.uni.example/p1.html", "uni.example"),
                ("https://cs.uni.example/~ann/dog.html", "cs.uni.example/~ann/"),
                ("http://cs.uni.example/~bob", "cs.uni.example/~bob/"),
            ],
        );
}

#[test]
fn a_project_that_keeps_to_itself_is_a_site_and_a_section_is_none() {
    let home = "http://org.example/";
    let navigation = [home, "http://org.example/news/", "http://org.example/projects/x/"];
    Web::default()
        .section(home, 8, &navigation)
        .section("http://org.example/news/", 6, &navigation)
        .section("http://org.example/projects/x/", 6, &[])
        .check(
            &["org.example", "org.example/projects/x/"],
            &[
                ("http://org.example/news/p2.html", "org.example"),
                ("http://org.example/projects/x/p2.html", "org.example/projects/x/"),
            ],
        );
}

#[test]
fn a_folder_that_others_link_deep_into_is_no_site() {
    let deep: Vec<String> =
        (1..6).map(|number| format!("http://org.example/manual/p{number}.html")).collect();
    let deep: Vec<&str> = deep.iter().map(String::as_str).collect();
    Web::default()
        .section("http://org.example/", 8, &deep)
        .section("http://org.example/manual/", 6, &[])
        .check(&["org.example"], &[]);
}

#[test]
fn a_host_whose_pages_lie_in_one_folder_is_one_site() {
    Web::default()
        .page("http://docs.example/", &["http://docs.example/manual/"])
        .section("http://docs.example/manual/", 20, &[])
        .check(&["docs.example"], &[]);
}

#[test]
fn folders_are_sites_where_some_of_their_siblings_are() {
    let mut web = Web::default();
    let department = "http://uni.example/";
    web.section(department, 20, &["http://uni.example/homes/ann/"]);
    for name in ["ann", "bob", "cid"] {
        web.section(&format!("http://uni.example/homes/{name}/"), 5, &[]);
    }
    web.page("http://uni.example/homes/dan/index.html", &[department]);
    web.page("http://uni.example/homes/eve/cv.html", &[department]);
    // What a site keeps in folders is its own affair.
    web.section("http://uni.example/homes/ann/cats/", 4, &[]);
    web.page("http://uni.example/courses/101/", &[department]);
    let homes = ["ann", "bob", "cid", "dan"].map(|name| format!("uni.example/homes/{name}/"));
    let mut names: Vec<&str> = homes.iter().map(String::as_str).collect();
    names.push("uni.example");
    web.check(
        &names,
        &[
            ("http://uni.example/homes/dan/index.html", "uni.example/homes/dan/"),
            ("http://uni.example/homes/ann/cats/p1.html", "uni.example/homes/ann/"),
            // Nothing says where this one begins.
            ("http://uni.example/homes/eve/cv.html", "uni.example"),
        ],
    );
}

#[test]
fn a_folder_without_a_home_page_is_no_site() {
    let mut web = Web::default();
    web.section("http://org.example/", 8, &[]);
    let names: Vec<String> =
        (0..5).map(|number| format!("http://org.example/files/{number}.html")).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in &all {
        web.page(name, &all);
    }
    web.check(&["org.example"], &[]);
}

#[test]
fn hosts_of_a_small_domain_that_link_each_other_are_one_site() {
    let shop = "http://www.firm.example/";
    let blog = "http://blog.firm.example/";
    Web::default()
        .section(shop, 6, &["http://static.firm.example/a.html"])
        .page("http://firm.example/about", &[blog])
        .page("http://www.firm.example/contact", &[blog])
        .section(blog, 6, &[shop])
        .check(&["firm.example"], &[("http://static.firm.example/a.html", "firm.example")]);
}

#[test]
fn hosts_of_a_domain_that_do_not_link_each_other_are_apart() {
    Web::default()
        .section("http://physics.uni.example/", 5, &[])
        .section("http://law.uni.example/", 5, &[])
        .check(&["physics.uni.example", "law.uni.example"], &[]);
}

#[test]
fn guests_of_a_host_are_apart_though_all_carry_its_banner() {
    let mut web = Web::default();
    let guests: Vec<String> =
        (0..12).map(|number| format!("http://guest{number}.free.example/")).collect();
    let listed: Vec<&str> = guests.iter().map(String::as_str).collect();
    web.page("http://www.free.example/catalogue", &listed);
    web.section("http://www.free.example/", 5, &[]);
    for guest in &guests {
        web.section(guest, 4, &["http://www.free.example/"]);
    }
    let names: Vec<String> = (0..12).map(|number| format!("guest{number}.free.example")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.push("free.example");
    web.check(&names, &[]);
}

#[test]
fn guests_that_were_only_heard_of_are_apart_too() {
    let guests: Vec<String> =
        (0..40).map(|number| format!("http://guest{number}.free.example/")).collect();
    let listed: Vec<&str> = guests.iter().map(String::as_str).collect();
    let names: Vec<String> = (0..40).map(|number| format!("guest{number}.free.example")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.push("free.example");
    Web::default()
        .page("http://www.free.example/catalogue", &listed)
        .section("http://www.free.example/", 5, &[])
        .check(&names, &[]);
}

#[test]
fn departments_of_a_large_domain_that_share_navigation_are_one_site() {
    let mut web = Web::default();
    for number in 0..12 {
        web.section(&format!("http://d{number:02}.uni.example/"), 4, &[]);
    }
    let (library, catalogue) = ("http://library.uni.example/", "http://catalogue.uni.example/");
    web.section(library, 5, &[catalogue, "http://covers.uni.example/"]);
    web.section(catalogue, 5, &[library]);
    let names: Vec<String> = (0..12).map(|number| format!("d{number:02}.uni.example")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.push("library.uni.example");
    web.check(&names, &[("http://covers.uni.example/", "library.uni.example")]);
}

#[test]
fn domains_that_share_navigation_are_one_site_and_friends_are_not() {
    let (one, two, friend) =
        ("http://shop.example/", "http://shop-service.test/", "http://friend.test/");
    Web::default()
        .section(one, 7, &[two, friend])
        .section(two, 6, &[one])
        .section(friend, 6, &[])
        .page("http://friend.test/links.html", &[one])
        .check(&["shop.example", "friend.test"], &[(two, "shop.example")]);
}

#[test]
fn the_same_folder_of_hosts_that_are_one_is_one_site() {
    Web::default()
        .page("http://www.uni.example/~ann/", &["http://uni.example/~ann/cat.html"])
        .page("http://uni.example/", &["http://www.uni.example/~ann/"])
        .check(
            &["uni.example", "uni.example/~ann/"],
            &[("http://uni.example/~ann/cat.html", "uni.example/~ann/")],
        );
}

#[test]
fn addresses_and_ports_have_sites_too() {
    Web::default()
        .page("http://127.0.0.1:8080/", &["http://127.0.0.1:9090/", "http://[2001:db8::1]/"])
        .page("http://[2001:db8::1:5]/", &["http://[2001:db8::1]:81/", "http://com/"])
        .check(
            &["127.0.0.1", "2001:db8::1", "2001:db8::1:5", "com"],
            &[("http://127.0.0.1:9090/", "127.0.0.1"), ("http://[2001:db8::1]:81/", "2001:db8::1")],
        );
}

#[test]
fn a_voice_is_a_domain_or_several_that_share_a_site() {
    let (one, two, friend) =
        ("http://shop.example/", "http://shop-service.test/", "http://friend.test/");
    let mut web = Web::default();
    web.section(one, 7, &[two, friend]).section(two, 6, &[one]).section(friend, 6, &[]);
    // Another host of the one domain is another site, and still the same voice.
    web.section("http://jobs.shop-service.test/", 5, &[]);
    web.section("http://cs.uni.example/~ann/", 3, &["http://cs.uni.example/~bob/x.html"]);
    for host in 0..12 {
        web.section(&format!("http://h{host}.farm.example/"), 3, &[]);
    }
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &web.records);
    let place = folder.path().join("graph").join("1");
    let owners = Owners::of(&Named::generation(&place, &mut |_, _| ()).unwrap()).unwrap();
    let node = |name: &str| graph.node_of_url(&url(name)).unwrap().unwrap();
    let site = |name: &str| owners.site(node(name));
    let voice = |name: &str| owners.voice(node(name));
    let farm = ["http://h0.farm.example/", "http://h11.farm.example/"];
    assert_ne!(site(farm[0]), site(farm[1]));
    assert_eq!(voice(farm[0]), voice(farm[1]));
    let people = ["http://cs.uni.example/~ann/", "http://cs.uni.example/~bob/x.html"];
    assert_ne!(site(people[0]), site(people[1]));
    assert_eq!(voice(people[0]), voice(people[1]));
    assert_eq!(site(one), site(two));
    assert_ne!(site(one), site("http://jobs.shop-service.test/"));
    assert_eq!(voice(one), voice("http://jobs.shop-service.test/"));
    assert_ne!(voice(one), voice(friend));
    // Owners stay what they were: an exchange of links must not hide as one owner.
    assert_ne!(owners.owner(node(one)), owners.owner(node(two)));
    let voices = graph.sites().unwrap().voices();
    assert_eq!(voices.of("shop-service.test"), voices.of("shop.example"));
    assert_eq!(voices.of("friend.test"), "friend.test");
    assert_eq!(voices.of("unheard-of.test"), "unheard-of.test");
}

#[test]
fn hosts_and_owners_are_the_same_from_a_generation_and_from_its_export() {
    let mut web = Web::default();
    web.section("http://www.a.example/", 4, &["http://b.example/", "http://shop.a.example/"])
        .page("https://a.example:8443/x", &["http://127.0.0.1/", "http://b.example/"]);
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &web.records);
    let place = folder.path().join("graph").join("1");
    let named = Named::generation(&place, &mut |_, _| ()).unwrap();
    let owners = Owners::of(&named).unwrap();
    let path = folder.path().join("arcs");
    let mut file = std::fs::File::create(&path).unwrap();
    named.write_arcs(&mut file, &mut |_, _| ()).unwrap();
    let read = Named::open(&path, None, &mut |_, _| ()).unwrap();
    let others = Owners::of(&read).unwrap();
    assert_eq!(owners.num_hosts(), others.num_hosts());
    let arcs = |named: &Named| {
        let mut out = Vec::new();
        named.write_arcs(&mut out, &mut |_, _| ()).unwrap();
        let mut lines: Vec<String> =
            String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let stored = Named::at(Level::Hosts, &place, &mut |_, _| ()).unwrap();
    assert_eq!(arcs(&owners.host_graph(named.links()).unwrap()), arcs(&stored));
    assert_eq!(arcs(&others.host_graph(read.links()).unwrap()), arcs(&stored));
    let hosts = owners.hosts_of(&[Node(1), Node(0), Node(1)]);
    assert!(!hosts.is_empty() && hosts.len() <= 2);
    for node in (0..graph.summary().num_nodes).map(Node) {
        let other = read.find(&named.name(node).unwrap()).unwrap().unwrap();
        let host = owners.name(owners.host_of()[node.index()]);
        assert_eq!(host, others.name(others.host_of()[other.index()]));
        for second in (0..graph.summary().num_nodes).map(Node) {
            let other_second = read.find(&named.name(second).unwrap()).unwrap().unwrap();
            let is_one = others.owner(other) == others.owner(other_second);
            assert_eq!(owners.owner(node) == owners.owner(second), is_one);
        }
    }
}

#[test]
fn the_site_of_a_page_is_known_without_the_graph() {
    let mut web = Web::default();
    web.section("http://cs.uni.example/", 5, &["http://cs.uni.example/~ann/"])
        .page("http://cs.uni.example/~ann/", &["http://cs.uni.example/~bob/"])
        .section("http://a.example/", 3, &["http://far.example/x"]);
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &web.records);
    let place = folder.path().join("graph").join("1");
    let by_page = PageSites::open(&place).unwrap();
    let sites = graph.sites().unwrap();
    for record in &web.records {
        let node = graph.node_of_page(record.id).unwrap();
        let expected = &sites.names()[sites.site(node).unwrap() as usize];
        assert_eq!(by_page.site(record.id), Some(expected), "{}", record.url);
        assert_eq!(by_page.site_of_url(&record.url), Some(expected), "{}", record.url);
    }
    assert_eq!(by_page.site(PageId::new(0, 1_000).unwrap()), None);
    assert_eq!(by_page.site(PageId::new(1, 0).unwrap()), None);
    for (address, expected) in [
        ("http://www.cs.uni.example/new.html", Some("uni.example")),
        ("http://cs.uni.example/~ann/new/x.html", Some("cs.uni.example/~ann/")),
        ("http://cs.uni.example/~bob", Some("cs.uni.example/~bob/")),
        ("http://elsewhere.test/", None),
    ] {
        let found = by_page.site_of_url(&url(address)).map(|name| &**name);
        assert_eq!(found, expected, "{address}");
    }
    for name in ["sites", "site-names", "pages"] {
        let path = place.join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        bytes[whole.len() / 2] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(PageSites::open(&place).is_err(), "{name}");
        std::fs::write(&path, whole).unwrap();
    }
}

#[test]
fn an_empty_graph_has_no_hosts_and_no_sites() {
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &[]);
    assert_eq!(graph.sites().unwrap().num_sites(), 0);
    assert_eq!(graph.site(Node(0)).unwrap(), None);
    let hosts = HostGraph::of(&graph).unwrap();
    assert_eq!((hosts.num_hosts(), hosts.arcs().len()), (0, 0));
    assert_eq!(hosts.host_of(Node(0)), None);
}

#[test]
fn hosts_are_linked_by_as_many_pages_as_link() {
    let mut web = Web::default();
    web.page("http://a.example/1", &["http://b.example/1", "http://b.example/2"])
        .page("https://a.example/2", &["http://b.example/1", "http://a.example/1"])
        .page("http://b.example/1", &["http://c.example/"]);
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &web.records);
    let hosts = HostGraph::of(&graph).unwrap();
    let names: Vec<&str> = hosts.names().iter().map(|name| &**name).collect();
    assert_eq!(names, ["a.example", "b.example", "c.example"]);
    let [a, b, c] = [Node(0), Node(1), Node(2)];
    assert_eq!([hosts.weight(a, b), hosts.weight(b, c), hosts.weight(b, a)], [2, 1, 0]);
    assert_eq!([a, b, c].map(|host| hosts.num_linking(host)), [2, 1, 0]);
    assert_eq!(hosts.successors(a).len(), 1);
    let links = hosts.links().unwrap();
    assert_eq!(links.predecessors(c).collect::<Vec<_>>(), [b]);
    for node in (0..graph.summary().num_nodes).map(Node) {
        let host = hosts.host_of(node).unwrap();
        let url = graph.url(node).unwrap().unwrap();
        assert_eq!(&*hosts.names()[host.index()], url.host_str());
    }
    assert_eq!(hosts.by_node(), [0, 0, 1, 1, 2]);
    let place = folder.path().join("graph").join("1");
    let named = Named::at(Level::Hosts, &place, &mut |_, _| ()).unwrap();
    assert_eq!(named.find("b.example").unwrap(), Some(b));
    assert_eq!(named.links(), &links);
}

#[test]
fn hosts_of_a_domain_have_one_owner_even_where_another_comes_between() {
    let mut web = Web::default();
    web.page("http://www.shop.example/", &["http://shop-two.example/"])
        .page("http://shop.example/", &["http://mail.shop.example/"]);
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &web.records);
    let hosts = HostGraph::of(&graph).unwrap();
    let names: Vec<&str> = hosts.names().iter().map(|name| &**name).collect();
    let expected = ["mail.shop.example", "www.shop.example", "shop-two.example", "shop.example"];
    assert_eq!(names, expected);
    assert_eq!(hosts.domains(), [0, 0, 1, 0]);
    let domains: Vec<&str> = hosts.domain_names().iter().map(|name| &**name).collect();
    assert_eq!(domains, ["shop.example", "shop-two.example"]);
    graph::Hosts::new(&hosts.by_node(), hosts.domains()).unwrap();
}

/// Returns what stands in the `href`s of a page: enough of HTML to follow the links of 1997.
fn hrefs(text: &str) -> Vec<&str> {
    let lower = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (place, _) in lower.match_indices("href=") {
        let rest = text[place + 5..].trim_start_matches(['"', '\'', ' ']);
        found.extend(rest.split(['"', '\'', '>', '<', '\n']).next());
    }
    found
}

/// Reads the university web of 1997 as page records.
fn webkb(folder: &Path) -> Vec<PageRecord> {
    let manifest = std::fs::read_to_string(folder.join("webkb-manifest.tsv")).unwrap();
    let mut seen = BTreeSet::new();
    let mut records = Vec::new();
    for (address, file) in manifest.lines().filter_map(|line| line.split_once('\t')) {
        let Ok(address) = Url::parse(address) else { continue };
        let Ok(bytes) = std::fs::read(folder.join(file)) else { continue };
        if !seen.insert(address.clone()) {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let link = |target: Url| Link {
            target,
            kind: LinkKind::Anchor,
            rel: Rel::default(),
            anchor: String::new(),
        };
        let targets = hrefs(&text).into_iter().filter_map(|href| address.join(href).ok());
        let links = targets.map(link).collect();
        let id = PageId::new(0, records.len() as u64).unwrap();
        let fetched = Timestamp::from_millis(1_763_285_400_000);
        records.push(PageRecord { links, ..PageRecord::new(id, address, fetched, 200) });
    }
    records
}

/// Returns the number of pages of each site.
fn sizes(graph: &Graph, records: &[PageRecord]) -> Vec<u32> {
    let sites = graph.sites().unwrap();
    let mut sizes = vec![0; sites.num_sites() as usize];
    for record in records {
        let node = graph.node_of_page(record.id).unwrap();
        sizes[graph.site(node).unwrap().unwrap() as usize] += 1;
    }
    sizes
}

#[test]
fn people_of_universities_have_sites_of_their_own() {
    let Some(data) = std::env::var_os("LOOKFAR_DATA") else {
        println!("skipped: LOOKFAR_DATA is not set, so there is no webkb");
        return;
    };
    let records = webkb(&PathBuf::from(data).join("webkb"));
    assert!(records.len() > 8_000, "{} pages", records.len());
    let folder = tempfile::tempdir().unwrap();
    let graph = graph_in(folder.path(), &records);
    let (sites, sizes) = (graph.sites().unwrap(), sizes(&graph, &records));
    println!("{:?}", graph.summary());
    let mut largest: Vec<_> = sizes.iter().zip(sites.names()).collect();
    largest.sort_by(|one, other| other.cmp(one));
    println!("{} sites with pages", sizes.iter().filter(|size| **size > 0).count());
    for (size, name) in largest.iter().take(25) {
        println!("{size:6} {name}");
    }
    let folders = largest.iter().filter(|(_, name)| name.contains('/') && !name.contains('~'));
    println!("folders: {:?}", folders.take(25).collect::<Vec<_>>());
    let num_homes =
        sites.names().iter().filter(|name| name.starts_with("cs.washington.edu/homes/")).count();
    assert!(num_homes > 100, "{num_homes} sites of people without a tilde");
    let mut num_users = 0;
    for record in &records {
        let user = record.url.path().split('/').nth(1).unwrap();
        if user.starts_with('~') && user.len() > 1 {
            let node = graph.node_of_page(record.id).unwrap();
            let site = &sites.names()[graph.site(node).unwrap().unwrap() as usize];
            assert!(site.ends_with(&format!("/{user}/")), "{} is of {site}", record.url);
            num_users += 1;
        }
    }
    assert!(num_users > 2_000, "{num_users} pages of users");
}
