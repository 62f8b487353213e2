//! Sitemaps and feeds (C7): what they list.

mod hostile;
mod real;

use base::{ContentKind, Listed, ListedKind, Oddity, Url};
use parse::{Expects, Input, Options, Parsed, parse};

use super::{check_caps, has};

fn url() -> Url {
    Url::parse("http://a.example/dir/sitemap.xml").unwrap()
}

/// Reads a body that a sitemap was expected in.
fn sitemap(body: &[u8]) -> Parsed {
    within(body, &Options::default())
}

fn within(body: &[u8], options: &Options) -> Parsed {
    let url = url();
    let input = Input { expects: Expects::Sitemap, ..Input::new(&url, body) };
    let parsed = parse(&input, options);
    check_caps(&parsed);
    assert!(parsed.listing.len() <= options.listing_entries);
    let mut targets: Vec<_> = parsed.listing.iter().map(|listed| &listed.target).collect();
    targets.sort();
    targets.dedup();
    assert_eq!(targets.len(), parsed.listing.len(), "each target once");
    parsed
}

/// Writes entries as lines: target without our host, then what is said of it.
fn lines(parsed: &Parsed) -> Vec<String> {
    let line = |listed: &Listed| {
        let mut line = listed.target.as_str().replace("http://a.example", "");
        if listed.kind == ListedKind::Sitemap {
            line.push_str(" sitemap");
        }
        if let Some(modified) = listed.modified {
            line.push_str(&format!(" {}", modified.rfc3339().replace("T00:00:00Z", "")));
        }
        if listed.priority != 5 {
            line.push_str(&format!(" p{}", listed.priority));
        }
        line
    };
    parsed.listing.iter().map(line).collect()
}

#[track_caller]
fn check(body: &str, expected: &[&str]) {
    assert_eq!(lines(&sitemap(body.as_bytes())), expected, "{body}");
}

/// Wraps the insides of a sitemap.
fn urlset(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{inside}</urlset>"
    )
}

#[track_caller]
fn check_urls(inside: &str, expected: &[&str]) {
    check(&urlset(inside), expected);
}

#[test]
fn a_sitemap_lists_pages_with_dates_and_priorities() {
    let parsed = sitemap(
        urlset(
            "<url><loc>http://a.example/1</loc><lastmod>2024-05-06</lastmod>\
             <changefreq>daily</changefreq><priority>0.8</priority></url>\n\
             <url><priority>0.0</priority><loc>/2</loc></url>\
             <url><lastmod>2024-05-06T07:08:09+02:00</lastmod><loc>https://b.example/x</loc></url>",
        )
        .as_bytes(),
    );
    assert_eq!(
        lines(&parsed),
        ["/1 2024-05-06 p8", "/2 p0", "https://b.example/x 2024-05-06T05:08:09Z"]
    );
    assert_eq!((parsed.kind, parsed.charset), (ContentKind::Sitemap, "UTF-8"));
    assert_eq!(parsed.oddities, []);
    assert!(parsed.links.is_empty() && parsed.blocks.is_empty());
}

#[test]
fn an_index_lists_sitemaps() {
    check(
        "<sitemapindex><sitemap><loc>http://a.example/s1.xml.gz</loc><lastmod>2024</lastmod>\
         </sitemap><sitemap>\nhttp://a.example/s2?a=1&amp;b\n</sitemap></sitemapindex>",
        &["/s1.xml.gz sitemap 2024-01-01", "/s2?a=1&b sitemap"],
    );
}

#[test]
fn a_sitemap_is_one_also_where_a_page_was_expected() {
    let url = url();
    let body = urlset("<url><loc>/1</loc></url>");
    let input = Input { content_type: Some("text/xml"), ..Input::new(&url, body.as_bytes()) };
    let parsed = parse(&input, &Options::default());
    assert_eq!((parsed.kind, lines(&parsed)), (ContentKind::Sitemap, vec!["/1".to_owned()]));
    let list = Input::new(&url, b"http://a.example/1\nhttp://a.example/2\n");
    let parsed = parse(&list, &Options::default());
    assert_eq!((parsed.kind, parsed.listing.len()), (ContentKind::Text, 0));
}

#[test]
fn extensions_are_read_or_passed_over() {
    check_urls(
        "<url><loc>/1</loc><image:image><image:loc>/i.png</image:loc></image:image>\
         <video:video><video:publication_date>2024-01-01</video:publication_date>\
         <video:player_loc>/p</video:player_loc></video:video></url>",
        &["/1"],
    );
    check_urls(
        "<url><loc>/1</loc><news:news><news:publication_date>2024-02-03</news:publication_date>\
         <news:title>x</news:title></news:news></url>",
        &["/1 2024-02-03"],
    );
    check_urls(
        "<url><loc>/en</loc><xhtml:link rel='alternate' hreflang='de' href='/de?a&amp;b'/>\
         <xhtml:link rel='alternate' hreflang='en' href='/en'/><xhtml:link rel='amphtml' href='/amp'/></url>\
         <url><loc>/fr</loc><lastmod>2024</lastmod></url>",
        &["/en", "/fr 2024-01-01", "/de?a&b"],
    );
    check_urls("<url><PageMap><loc>/no</loc></PageMap><loc>/1</loc></url>", &["/1"]);
}

#[test]
fn pages_come_before_their_other_languages_when_room_is_short() {
    let options = Options { listing_entries: 3, ..Options::default() };
    let links: String =
        (0..9).map(|i| format!("<xhtml:link rel='alternate' href='/l{i}'/>")).collect();
    let inside = format!("<url>{links}<loc>/1</loc></url><url>{links}<loc>/2</loc></url>");
    let parsed = within(urlset(&inside).as_bytes(), &options);
    assert_eq!(lines(&parsed), ["/1", "/2", "/l0"]);
    assert!(has(&parsed, Oddity::ListingCut));
}

#[test]
fn rss_lists_its_items() {
    check(
        "<rss version='2.0'><channel><title>t</title><link>http://a.example/home</link>\
         <image><url>/logo.png</url><link>/no</link></image><pubDate>Mon, 06 Sep 2010 00:01:00 +0000</pubDate>\
         <item><title>x & y</title><link> /1?a&amp;b </link><pubDate>Thu, 05 Jan 2017 13:34:51 +0100</pubDate></item>\
         <item><guid>http://a.example/2</guid><dc:date>2017-01-05</dc:date></item>\
         <item><guid isPermaLink='false'>http://a.example/no</guid></item>\
         <item><guid isPermaLink='false'>http://a.example/no</guid><link>/3</link>\
         <description>a<br>b <link>/no</link></description></item>\
         <item><atom:link rel='self' href='/no'/><link>/4</link><enclosure url='/no.mp3'/></item>\
         </channel></rss>",
        &["/1?a&b 2017-01-05T12:34:51Z", "/2 2017-01-05", "/3", "/4", "/home"],
    );
}

#[test]
fn rss_1_lists_its_items() {
    check(
        "<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
         xmlns='http://purl.org/rss/1.0/'><channel rdf:about='/no'><link>/home</link><items><rdf:Seq>\
         <rdf:li rdf:resource='/no'/></rdf:Seq></items></channel>\
         <item rdf:about='http://a.example/no'><link>/1</link><dc:date>2004-03-02T01:02:03Z</dc:date></item>\
         <item rdf:about='http://a.example/2'><title>x</title></item></rdf:RDF>",
        &["/1 2004-03-02T01:02:03Z", "/2", "/home"],
    );
}

#[test]
fn atom_lists_its_entries() {
    check(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://a.example/blog/'>\
         <link rel='self' href='/no'/><link href='./'/><link rel='next' href='?page=2'/>\
         <updated>2020-01-01T00:00:00Z</updated>\
         <entry><link href='1'/><link rel='edit' href='/no'/><link rel='alternate' type='text/html' href='1.html'/>\
         <published>2003-12-12T00:00:00Z</published><updated>2003-12-13T00:00:00Z</updated>\
         <source><link href='/no'/><updated>2019-01-01T00:00:00Z</updated></source>\
         <content type='xhtml'><div><link href='/no'/></div></content></entry>\
         <entry xml:base='/other/'><link href='2'/><id>urn:x</id></entry>\
         <entry><link href='3'/></entry></feed>",
        &[
            "/blog/1 2003-12-13",
            "/blog/1.html 2003-12-13",
            "/other/2",
            "/blog/3",
            "/blog/",
            "/blog/?page=2",
        ],
    );
}

#[test]
fn each_target_is_listed_once_with_its_latest_date() {
    check_urls(
        "<url><loc>/1</loc><lastmod>2020</lastmod></url><url><loc>/1#x</loc><lastmod>2024</lastmod></url>\
         <url><loc>/1</loc></url>",
        &["/1 2024-01-01"],
    );
}
