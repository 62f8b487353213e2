//! What filters ask of a page: what it is, how old it is, where it belongs (Q11).

use base::{ContentKind, Dated, Host, PageRecord, Timestamp, Url};

/// How sure a page's own date must be to count before the moment of the fetch.
const SURE: u8 = 50;
/// Longest extension of a file name that names a type.
const EXTENSION_BYTES: usize = 8;
/// Domains kept of one host; names have fewer but where somebody plays with them.
const MOST_DOMAINS: usize = 16;
/// Countries kept of one page.
const MOST_COUNTRIES: usize = 8;

/// Returns the names of what a page is: the one of its bytes first, then the extension of its
/// address if that says something else.
pub fn kinds(record: &PageRecord) -> Vec<String> {
    let mut kinds: Vec<String> = kind_name(record.kind).map(str::to_owned).into_iter().collect();
    if let Some(name) = kind_by_address(&record.url)
        && !kinds.contains(&name)
    {
        kinds.push(name);
    }
    kinds
}

/// Returns the one of [`kinds`] that the extension of an address names.
pub fn kind_by_address(url: &Url) -> Option<String> {
    let extension = extension(url.path())?;
    Some(kind_of_extension(&extension).map_or(extension, str::to_owned))
}

/// Returns the name under which [`kinds`] keeps what a person calls a type of file.
pub fn kind_of(word: &str) -> String {
    let word = word.trim_start_matches('.').to_ascii_lowercase();
    kind_of_extension(&word).map_or(word, str::to_owned)
}

/// Returns the domains that a host is below, itself included: `a.b.example` is below `b.example`
/// and `example`. An address is below itself alone.
pub fn domains(host: &Host) -> Vec<&str> {
    let name = host.as_str();
    let mut domains = vec![name];
    if host.address().is_none() {
        let dots = name.match_indices('.').take(MOST_DOMAINS);
        domains.extend(dots.map(|(dot, _)| &name[dot + 1..]));
    }
    domains
}

/// Returns the moment a page is filed under: its own date, published before changed, if it is
/// sure of it, else when it was fetched.
pub fn date(record: &PageRecord) -> Timestamp {
    let own = sure(record, record.about.published).or(sure(record, record.about.modified));
    own.unwrap_or(record.fetched)
}

/// Returns when a page says it was last worked on, if it is sure of that.
pub fn worked_on(record: &PageRecord) -> Option<Timestamp> {
    sure(record, record.about.modified).max(sure(record, record.about.published))
}

/// Returns a date that is likely, and not after the page was fetched.
fn sure(record: &PageRecord, dated: Option<Dated>) -> Option<Timestamp> {
    dated
        .filter(|dated| dated.confidence >= SURE && dated.at <= record.fetched)
        .map(|dated| dated.at)
}

/// Top domains of two letters that the whole world registers names under, whatever country they
/// were made for: sites about television, companies of artificial intelligence.
#[rustfmt::skip]
const WORLDWIDE: [&str; 30] = [
    "ac", "ad", "ag", "ai", "as", "bz", "cc", "cd", "cf", "co", "dj", "fm", "ga", "gg", "gq",
    "io", "la", "ly", "me", "ml", "ms", "nu", "sc", "sr", "su", "tk", "to", "tv", "vc", "ws",
];

/// Returns the countries of a page: of the top domain of its host, of places it names, and of the
/// region that it is written for (`de-AT`), by its own word or by that of its other versions.
pub fn countries(record: &PageRecord) -> Vec<String> {
    let top = country_by_address(&record.url);
    let places = record.about.places.iter().filter_map(|place| place.country.clone());
    let mut countries = Vec::new();
    for country in top.into_iter().chain(places).chain(regions(record)) {
        if let Some(code) = country_code(&country)
            && !countries.contains(&code)
            && countries.len() < MOST_COUNTRIES
        {
            countries.push(code);
        }
    }
    countries
}

/// Returns the one of [`countries`] that the top domain of an address names.
pub fn country_by_address(url: &Url) -> Option<String> {
    let host = url.host();
    let (_, top) = host.as_str().rsplit_once('.')?;
    let is_of_country = host.address().is_none() && !WORLDWIDE.contains(&top);
    if is_of_country { country_code(top) } else { None }
}

/// Returns the regions of the languages that a page declares for itself.
fn regions(record: &PageRecord) -> impl Iterator<Item = String> {
    let versions = record.about.alternates.iter();
    let own = versions.filter(|version| version.target == record.url);
    let tags = own.map(|version| version.language.as_str()).chain(record.about.language.as_deref());
    // `en-us` is what page makers write who mean English: it says nothing of a place.
    let tags = tags.filter(|tag| *tag != "en-us");
    tags.filter_map(region).map(str::to_owned)
}

/// Returns the region of a language tag: its part of two letters behind the first (`zh-hant-tw`).
fn region(tag: &str) -> Option<&str> {
    // What stands behind a single letter is not of the tag itself.
    let mut parts = tag.split('-').skip(1).take_while(|part| part.len() > 1);
    parts.find(|part| part.len() == 2)
}

/// Returns the code of a country in the form that [`countries`] keeps; `None` if it is none.
pub fn country_code(text: &str) -> Option<String> {
    let is_code = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let code = is_code.then(|| text.to_ascii_lowercase())?;
    match code.as_str() {
        "uk" => Some("gb".to_owned()),
        // The union has a top domain, but is no country.
        "eu" => None,
        _ => Some(code),
    }
}

/// Returns the extension of the last step of a path, in lower case.
fn extension(path: &str) -> Option<String> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.')?;
    let is_extension = (1..=EXTENSION_BYTES).contains(&extension.len())
        && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_extension && !stem.is_empty()).then(|| extension.to_ascii_lowercase())
}

/// Extensions that are other names of a type.
fn kind_of_extension(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "htm" | "xhtml" | "html" => "html",
        "text" | "txt" => "txt",
        "markdown" | "md" => "md",
        _ => return None,
    })
}

fn kind_name(kind: ContentKind) -> Option<&'static str> {
    Some(match kind {
        ContentKind::Html => "html",
        ContentKind::Text => "txt",
        ContentKind::Pdf => "pdf",
        ContentKind::Markdown => "md",
        ContentKind::Rtf => "rtf",
        ContentKind::Epub => "epub",
        ContentKind::Docx => "docx",
        ContentKind::Xlsx => "xlsx",
        ContentKind::Pptx => "pptx",
        ContentKind::Odt => "odt",
        ContentKind::Ods => "ods",
        ContentKind::Odp => "odp",
        ContentKind::Doc => "doc",
        ContentKind::Xls => "xls",
        ContentKind::Ppt => "ppt",
        ContentKind::Sitemap => "sitemap",
        ContentKind::Feed => "feed",
        ContentKind::Other | ContentKind::Empty => return None,
    })
}

#[cfg(test)]
mod tests {
    use base::{Alternate, DateSource, PageId, Place};

    use super::*;

    fn record(url: &str, kind: ContentKind) -> PageRecord {
        let (id, fetched) = (PageId::new(0, 0).unwrap(), Timestamp::from_millis(1_000));
        PageRecord { kind, ..PageRecord::new(id, Url::parse(url).unwrap(), fetched, 200) }
    }

    #[test]
    fn a_page_is_what_its_bytes_and_its_name_say() {
        let check = |url: &str, kind, expected: &[&str]| {
            assert_eq!(kinds(&record(url, kind)), expected, "{url}");
        };
        check("http://a.example/x.HTM", ContentKind::Html, &["html"]);
        check("http://a.example/x.php?y=z.pdf", ContentKind::Html, &["html", "php"]);
        check("http://a.example/x.pdf", ContentKind::Pdf, &["pdf"]);
        check("http://a.example/v1.2/", ContentKind::Text, &["txt"]);
        check("http://a.example/.profile", ContentKind::Text, &["txt"]);
        check("http://a.example/a.thisisnotype", ContentKind::Other, &[]);
        let by_address = |url: &str| kind_by_address(&Url::parse(url).unwrap());
        assert_eq!(by_address("http://a.example/x.HTM?y").as_deref(), Some("html"));
        assert_eq!(by_address("http://a.example/x?y=z.pdf"), None);
        assert_eq!((kind_of(".HTM"), kind_of("PDF")), ("html".to_owned(), "pdf".to_owned()));
    }

    #[test]
    fn a_host_is_below_all_that_its_name_says() {
        let check = |name: &str, expected: &[&str]| {
            assert_eq!(domains(&Host::parse(name).unwrap()), expected);
        };
        check("a.b.example", &["a.b.example", "b.example", "example"]);
        check("localhost", &["localhost"]);
        check("127.0.0.1", &["127.0.0.1"]);
        check("::1", &["::1"]);
    }

    fn dated(millis: i64, confidence: u8) -> Option<Dated> {
        let (at, source) = (Timestamp::from_millis(millis), DateSource::Meta);
        Some(Dated { at, source, confidence })
    }

    #[test]
    fn a_page_was_worked_on_at_the_last_date_that_it_is_sure_of() {
        let check = |published, modified, expected: Option<i64>| {
            let mut page = record("http://a.example/", ContentKind::Html);
            (page.about.published, page.about.modified) = (published, modified);
            assert_eq!(worked_on(&page).map(Timestamp::as_millis), expected);
        };
        // When it was fetched says nothing of that.
        check(None, None, None);
        check(dated(500, 90), None, Some(500));
        check(None, dated(700, 90), Some(700));
        check(dated(500, 90), dated(700, 90), Some(700));
        check(dated(700, 90), dated(500, 90), Some(700));
        check(dated(500, 90), dated(700, 49), Some(500));
        check(dated(500, 49), dated(700, 49), None);
        // The page was fetched at 1,000: what comes later is not believed.
        check(dated(500, 90), dated(1_001, 100), Some(500));
        check(None, dated(1_000, 50), Some(1_000));
    }

    #[test]
    fn a_page_has_its_own_date_only_if_it_is_sure() {
        let mut page = record("http://a.example/", ContentKind::Html);
        assert_eq!(date(&page), page.fetched);
        page.about.modified = dated(700, 90);
        assert_eq!(date(&page).as_millis(), 700);
        page.about.published = dated(500, 90);
        assert_eq!(date(&page).as_millis(), 500);
        page.about.published = dated(500, 20);
        assert_eq!(date(&page).as_millis(), 700);
        // Nothing is from the future.
        page.about.modified = dated(2_000, 100);
        assert_eq!(date(&page), page.fetched);
    }

    #[test]
    fn countries_come_from_the_domain_and_from_places() {
        let check = |url: &str, place: Option<&str>, expected: &[&str]| {
            let mut page = record(url, ContentKind::Html);
            let country = place.map(str::to_owned);
            page.about.places.push(Place { country, ..Place::default() });
            assert_eq!(countries(&page), expected, "{url}");
        };
        check("http://a.dk/", None, &["dk"]);
        check("http://a.co.uk/", Some("gb"), &["gb"]);
        check("http://a.com/", Some("se"), &["se"]);
        check("http://a.eu/", None, &[]);
        check("http://127.0.0.1/", None, &[]);
        check("http://localhost/", None, &[]);
        // Names that the whole world registers.
        check("http://a.io/", None, &[]);
        check("http://a.tv/", Some("tv"), &["tv"]);
        let by_address = |url: &str| country_by_address(&Url::parse(url).unwrap());
        assert_eq!(by_address("http://a.co.uk/x").as_deref(), Some("gb"));
        assert_eq!((by_address("http://a.tv/"), by_address("http://127.0.0.1/")), (None, None));
    }

    #[test]
    fn countries_come_from_the_region_that_a_page_is_written_for() {
        let check = |tag: &str, expected: &[&str]| {
            let mut page = record("http://a.example/", ContentKind::Html);
            page.about.language = Some(tag.to_owned());
            assert_eq!(countries(&page), expected, "{tag}");
            page.about.language = None;
            let version = |target: &str| Alternate {
                language: tag.to_owned(),
                target: Url::parse(target).unwrap(),
            };
            page.about.alternates = vec![version("http://a.example/other")];
            assert_eq!(countries(&page), Vec::<String>::new(), "{tag}");
            page.about.alternates.push(version("http://a.example/"));
            assert_eq!(countries(&page), expected, "{tag}");
        };
        check("de-at", &["at"]);
        check("zh-hant-tw", &["tw"]);
        check("en-gb", &["gb"]);
        check("de", &[]);
        check("es-419", &[]);
        check("de-u-co-phonebk", &[]);
        check("x-default", &[]);
        // What is written without a thought.
        check("en-us", &[]);
    }
}
