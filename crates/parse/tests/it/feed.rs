//! The text of feeds (P4): read like a page, whatever the mark-up in it.

use base::{ContentKind, DateSource, LinkKind, Oddity, PageId, PageRecord, Timestamp};
use parse::{Input, Options, Parsed, parse};

use super::{bytes, has, lines, url, words};

fn feed(body: &str) -> Parsed {
    let parsed = bytes(body.as_bytes(), "application/xml");
    assert_eq!(parsed.kind, ContentKind::Feed);
    parsed
}

/// Wraps the insides of a channel.
fn rss(inside: &str) -> String {
    format!("<?xml version='1.0'?><rss version='2.0'><channel>{inside}</channel></rss>")
}

fn item(inside: &str) -> Parsed {
    feed(&rss(&format!("<item>{inside}</item>")))
}

/// Writes links as lines: target, then what is clicked.
fn links(parsed: &Parsed) -> Vec<String> {
    let line = |link: &base::Link| format!("{} {}", link.target, link.anchor);
    parsed.links.iter().map(line).collect()
}

#[test]
fn rss_is_read_like_a_page() {
    let parsed = feed(&rss("<title>The &amp;amp; Daily</title><link>http://a.example/</link>\
         <description>All about &lt;b&gt;herons&lt;/b&gt;</description><language>en-GB</language>\
         <managingEditor>x@a.example (Ada L.)</managingEditor>\
         <lastBuildDate>Mon, 06 Sep 2010 00:01:00 +0000</lastBuildDate>\
         <image><title>no</title><url>/no.png</url></image>\
         <item><title>First &lt; second</title><link>/1</link><pubDate>Thu, 05 Jan 2017 13:34:51 GMT</pubDate>\
         <dc:creator>Bo</dc:creator><description>short</description><media:title>no</media:title>\
         <content:encoded><![CDATA[<p>Long &eacute; <b>te</b>xt</p><p>with <a href='x'>a link</a><script>no()</script>]]></content:encoded></item>\
         <item><title><![CDATA[<i>Sec</i>ond]]></title><guid>http://a.example/2</guid>\
         <description>Plain words.</description></item>"));
    assert_eq!(parsed.title, "The & Daily");
    assert_eq!(
        lines(&parsed),
        "B All about herons\nH First < second\nn 2017-01-05 Bo\nB Long é text\nB with a link\nH Second\nB Plain words."
    );
    assert_eq!(
        links(&parsed),
        [
            "http://a.example/1 First < second",
            "http://a.example/dir/x a link",
            "http://a.example/2 Second"
        ]
    );
    assert!(parsed.links.iter().all(|link| link.kind == LinkKind::Anchor));
    let anchors: Vec<_> = parsed.anchors.iter().map(|span| span.map(|span| span.block)).collect();
    assert_eq!(anchors, [Some(1), Some(4), Some(5)]);
    let about = &parsed.about;
    assert_eq!((about.author.as_str(), about.description.as_str()), ("Ada L.", "All about herons"));
    assert_eq!(about.language.as_deref(), Some("en-gb"));
    let modified = about.modified.unwrap();
    assert_eq!(modified.at.rfc3339(), "2010-09-06T00:01:00Z");
    assert_eq!(modified.source, DateSource::Document);
    assert_eq!(parsed.oddities, []);
    assert_eq!(parsed.listing.len(), 3);
    assert_ne!(parsed.text_hash, 0);
}

#[test]
fn atom_is_read_like_a_page() {
    let parsed = feed(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='de' xml:base='http://a.example/blog/'>\
         <title>Mein &lt;Blog&gt;</title><subtitle type='html'>Reiher &amp;amp; mehr</subtitle>\
         <author><name>Ada</name><uri>/no</uri></author><updated>2020-01-01T00:00:00Z</updated>\
         <entry><title type='html'>Eins &lt;em&gt;zwei&lt;/em&gt;</title><link href='1'/>\
         <author><name>Bo</name></author><published>2003-12-12T00:00:00Z</published>\
         <source><title>no</title><author><name>No</name></author></source><summary>kurz</summary>\
         <content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>un<b>ge</b>teilt</p>\
         <ul><li>a</li><li><a href='2'>b &amp; c</a></li></ul></div></content></entry>\
         <entry><title>a &lt;b&gt; c</title><content type='text'>1 &lt; 2\n\nneu</content></entry></feed>",
    );
    assert_eq!(parsed.title, "Mein <Blog>");
    assert_eq!(
        lines(&parsed),
        "B Reiher & mehr\nH Eins zwei\nn 2003-12-12 Bo\nB ungeteilt\nB a\nB b & c\nH a <b> c\nB 1 < 2\nB neu"
    );
    assert_eq!(
        links(&parsed),
        ["http://a.example/blog/1 Eins zwei", "http://a.example/blog/2 b & c"]
    );
    assert_eq!(
        (parsed.about.author.as_str(), parsed.about.language.as_deref()),
        ("Ada", Some("de"))
    );
}

#[test]
fn a_feed_is_searchable() {
    let mut record =
        PageRecord::new(PageId::new(0, 1).unwrap(), url(), Timestamp::from_millis(0), 200);
    let parsed = item("<title>t</title>");
    (record.kind, record.title, record.blocks) = (parsed.kind, parsed.title, parsed.blocks);
    assert!(record.is_searchable());
}

#[test]
fn without_a_date_or_author_of_its_own_those_of_its_entries_count() {
    let two = "<item><author>x@a.example (Bo)</author><pubDate>2017-01-05</pubDate></item>\
               <item><author>Bo</author><pubDate>2016-01-05</pubDate></item>";
    let url = url();
    let body = rss(two);
    let fetched = Some(Timestamp::parse_rfc3339("2018-01-01T00:00:00Z").unwrap());
    let parsed =
        parse(&Input { fetched, ..Input::new(&url, body.as_bytes()) }, &Options::default());
    assert_eq!(parsed.about.author, "Bo");
    assert_eq!(parsed.about.modified.unwrap().at.rfc3339(), "2017-01-05T00:00:00Z");
    let parsed = feed(&rss(&format!("{two}<item><author>Cy</author></item>")));
    assert_eq!(parsed.about.author, "");
    // A day after the fetch is nobody's.
    let body = rss("<pubDate>2999-01-01</pubDate>");
    let parsed =
        parse(&Input { fetched, ..Input::new(&url, body.as_bytes()) }, &Options::default());
    assert_eq!(parsed.about.modified, None);
}

#[test]
fn what_nobody_sees_in_an_entry_is_kept_apart() {
    let parsed = item(
        "<title>t</title><description><![CDATA[<p>seen</p><p style='display:none'>\
         cheap pills</p><span data-nosnippet>not shown</span>]]></description>",
    );
    assert_eq!(words(&parsed), "t | seen | not shown");
    assert_eq!(parsed.hidden.len(), 1);
    assert_eq!(parsed.unquotable.len(), 1);
    // Wishes of an entry are not those of the feed.
    let parsed = item(
        "<description>&lt;meta name=robots content=noindex&gt;&lt;base href=http://b.example/&gt;\
         &lt;a href=x&gt;y&lt;/a&gt;</description>",
    );
    assert!(!parsed.robots.noindex);
    assert_eq!(links(&parsed), ["http://b.example/x y"]);
}

#[test]
fn smp_08_a_broken_feed_is_read_as_far_as_it_goes() {
    let parsed = feed(
        "<rss><channel><title>t</title><item><title>one</title><link>/1</link><item><title>two</title><description>rest of it",
    );
    assert_eq!(lines(&parsed), "H one\nH two");
    let whole = rss("<item><title>one</title><description>words &amp; more</description></item>");
    for end in 12..whole.len() {
        let url = url();
        parse(&Input::new(&url, &whole.as_bytes()[..end]), &Options::default());
    }
}

#[test]
fn smp_01_a_feed_with_declarations_has_no_text() {
    let body =
        "<!DOCTYPE rss [<!ENTITY a 'xxxx'>]><rss><channel><title>&a;</title></channel></rss>";
    let parsed = bytes(body.as_bytes(), "application/xml");
    assert_eq!((parsed.title.as_str(), parsed.blocks.len()), ("", 0));
}

#[test]
fn smp_03_the_text_of_a_feed_is_bounded() {
    let entry = format!(
        "<item><title>one</title><description>{}</description></item>",
        "word ".repeat(2_000)
    );
    let parsed = feed(&rss(&entry.repeat(400)));
    assert!(has(&parsed, Oddity::TextCut));
    // Behind the limit entries are still listed and linked.
    let entries: String =
        (0..5_000).map(|i| format!("<item><title>{i}</title><link>/{i}</link></item>")).collect();
    let parsed = feed(&rss(&entries));
    assert_eq!((parsed.listing.len(), parsed.links.len()), (5_000, 1_000));
    let options = Options { text_bytes: 100, blocks: 7, ..Options::default() };
    let url = url();
    let body = rss(&entry.repeat(9));
    let parsed = parse(&Input::new(&url, body.as_bytes()), &options);
    let text: usize = parsed.blocks.iter().map(|block| block.text.len()).sum();
    assert!(text <= 100 && parsed.blocks.len() <= 7 && has(&parsed, Oddity::TextCut));
    let tags =
        format!("<item><description><![CDATA[{}]]></description></item>", "<b>".repeat(100_000));
    let parsed = feed(&rss(&tags.repeat(30)));
    assert!(has(&parsed, Oddity::TextCut), "markup without a word is not read without end");
}
