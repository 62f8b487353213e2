//! Lists of crawler-commons' own tests, where the data packs are at hand (`LOOKFAR_DATA`).

use base::ContentKind;

use super::super::real::pack;
use super::{lines, sitemap};

/// File, number of entries, and one of them.
const CASES: &str = "
sitemaps/atom.xml 3 http://example.org/2003/12/13/atom03 2003-12-13T18:30:02Z
sitemaps/sitemap.ns.xml 2 http://www.example.com/2
sitemaps/sitemap.badns.xml 2 http://www.example.com/2
sitemaps/sitemap-with-bom.txt 2 http://www.domain.com/page1.html
sitemaps/sitemap.txt 2 http://www.domain.com/page2.html
sitemaps/sitemap.txt.gz 5 http://www.example.com/catalog?item=83&desc=vacation_usa
sitemaps/xmlSitemap.gz 5 http://www.example.com/ 2005-01-01 p8
sitemaps/sitemap.index.xml 15 https://example.com/sitemap.jss?portalCode=10260&lang=en sitemap
sitemaps/extension/sitemap-mobile.xml 3 http://www.example.com/no-mobile/
sitemaps/extension/sitemap-news.xml 2 http://www.example.org/business/article55.html 2008-12-23
sitemaps/extension/sitemap-videos-tvshow.xml 1 https://example.org/my-tv-show/23/13/
sitemaps/extension/sitemap-videos.xml 3 http://www.example.com/videos/some_video_landing_page.html
sitemaps/extension/sitemap-images.xml 1 http://www.example.com/images/some_image_landing_page.html
sitemaps/extension/pagemaps-sitemap.xml 2 http://www.example.com/bar
sitemaps/extension/sitemap-links.xml 3 http://www.example.com/schweiz-deutsch/
rss/xmlRss_pubDate.xml 8 http://www.example.com/article_4 2017-01-05T12:34:54Z
rss/feed.rss 4 https://www.example.com/foo?q=a&l=fr
";

/// The folder of the lists.
const LISTS: &str = "conformance/crawler-commons/src/test/resources";

#[test]
fn lists_of_crawler_commons_are_read() {
    let Some(folder) = pack(LISTS) else { return };
    for case in CASES.lines().filter(|case| !case.is_empty()) {
        let mut parts = case.splitn(3, ' ');
        let name = parts.next().unwrap();
        let count: usize = parts.next().unwrap().parse().unwrap();
        let entry = parts.next().unwrap();
        let parsed = sitemap(&std::fs::read(folder.join(name)).unwrap());
        let is_feed = name.starts_with("rss") || name.contains("atom");
        let kind = if is_feed { ContentKind::Feed } else { ContentKind::Sitemap };
        let found = lines(&parsed);
        assert_eq!((parsed.kind, found.len()), (kind, count), "{name}: {found:#?}");
        assert!(found.iter().any(|found| found == entry), "{name}: {found:#?}");
        assert_eq!(parsed.oddities, [], "{name}");
    }
}

#[test]
fn a_long_list_of_crawler_commons_has_its_dates() {
    let Some(folder) = pack(LISTS) else { return };
    let name = "sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml";
    let body = std::fs::read(folder.join(name)).unwrap();
    let count = String::from_utf8_lossy(&body).matches("<lastmod>").count();
    let parsed = sitemap(&body);
    assert_eq!(parsed.listing.len(), count);
    assert!(parsed.listing.iter().all(|listed| listed.modified.is_some()));
}
