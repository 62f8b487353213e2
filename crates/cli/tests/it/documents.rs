//! Documents through the real path: the bytes of a response, the program as its own child.

mod files;
mod office;
mod pdf;
mod process;
mod real;

use std::path::PathBuf;
use std::time::Duration;

use base::{ContentKind, DateSource, LinkKind, Oddity, Url};
use parse::document::{Limits, Reader};
use parse::{Input, Options, Parsed};

/// Returns the reader that the program itself uses.
fn reader() -> Reader {
    Reader::new(PathBuf::from(env!("CARGO_BIN_EXE_lookfar")))
}

/// Reads a body as the crawl does.
fn read(body: &[u8], content_type: &str) -> Parsed {
    read_with(reader(), body, content_type)
}

fn read_with(reader: Reader, body: &[u8], content_type: &str) -> Parsed {
    let url = Url::parse("http://a.example/dir/file").unwrap();
    let input = Input { content_type: Some(content_type), ..Input::new(&url, body) };
    parse::parse(&input, &Options { documents: Some(reader), ..Options::default() })
}

/// Reads a body made to harm, in seconds instead of minutes; then a good one must be read.
fn survive(body: &[u8]) -> Parsed {
    let limits = Limits {
        cpu_seconds: 4,
        memory_bytes: 512 * 1024 * 1024,
        unpacked_bytes: 32 * 1024 * 1024,
        patience: Duration::from_secs(60),
        ..Limits::default()
    };
    let parsed = read_with(Reader { limits, ..reader() }, body, "application/octet-stream");
    let good =
        read(&files::pdf_page("BT /F1 12 Tf 72 700 Td (still here) Tj ET"), "application/pdf");
    assert_eq!(words(&good), "still here");
    parsed
}

fn words(parsed: &Parsed) -> String {
    parsed.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join(" | ")
}

fn has(parsed: &Parsed, oddity: Oddity) -> bool {
    parsed.oddities.contains(&oddity)
}

#[test]
fn a_document_becomes_a_page() {
    let parts = files::docx(
        "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>Annual report</w:t></w:r></w:p>\
         <w:p><w:r><w:t xml:space='preserve'>We grew by a lot, says </w:t></w:r>\
         <w:hyperlink r:id='r1'><w:r><w:t>the board</w:t></w:r></w:hyperlink></w:p>",
    );
    let parsed = read(&parts, "application/msword");
    assert_eq!(parsed.kind, ContentKind::Docx);
    assert_eq!(parsed.title, "The title");
    assert_eq!(parsed.about.author, "An author");
    assert_eq!(words(&parsed), "Annual report | We grew by a lot, says the board");
    assert_eq!(parsed.blocks[0].zone, base::Zone::Heading);
    let link = &parsed.links[0];
    assert_eq!((link.target.as_str(), link.anchor.as_str()), ("http://b.example/", "the board"));
    assert!(parsed.about.published.is_some() && parsed.text_hash != 0);
    let place = parsed.anchors[0].unwrap();
    assert_eq!(text::around(&parsed.blocks, place, 2), ("lot, says", ""));
    // Addresses that are only written.
    let parts = files::docx("<w:p><w:r><w:t>More at www.c.example/x.</w:t></w:r></w:p>");
    let parsed = read(&parts, "application/msword");
    let link = &parsed.links[0];
    assert_eq!((link.target.as_str(), link.kind), ("http://www.c.example/x", LinkKind::Mention));
}

/// A PDF of one page with properties, fetched in June 2024 from an address with a date.
fn dated(properties: &str) -> base::About {
    let mut objects = files::page_objects("BT /F1 12 Tf 72 700 Td (words) Tj ET");
    objects.push(properties.as_bytes().to_vec());
    let body = files::pdf_with(&objects, "/Info 6 0 R");
    let url = Url::parse("http://a.example/2024/05/17/x.pdf").unwrap();
    let input = Input {
        content_type: Some("application/pdf"),
        fetched: base::Timestamp::parse_rfc3339("2024-06-20T00:00:00Z"),
        modified: Some("Sat, 01 Jun 2024 10:00:00 GMT"),
        language: Some("da"),
        ..Input::new(&url, &body)
    };
    let options = Options { documents: Some(reader()), ..Options::default() };
    let parsed = parse::parse(&input, &options);
    assert_eq!(words(&parsed), "words");
    parsed.about
}

#[test]
fn properties_are_weighed_against_header_and_address() {
    let day = |dated: Option<base::Dated>| {
        let dated = dated.unwrap();
        (dated.at.rfc3339()[..10].to_owned(), dated.source)
    };
    // A date after the fetch is no date.
    let about = dated("<</Author(Jo)/CreationDate(D:20990101000000Z)/ModDate(D:20990101000000Z)>>");
    assert_eq!(day(about.published), ("2024-05-17".to_owned(), DateSource::Address));
    assert_eq!(day(about.modified), ("2024-06-01".to_owned(), DateSource::Header));
    assert_eq!((about.author.as_str(), about.language.as_deref()), ("Jo", Some("da")));
    let alone = about.published.unwrap().confidence;
    // Two sources that agree are surer than one.
    let about = dated("<</CreationDate(D:20240517120000Z)/ModDate(D:20240520120000Z)>>");
    assert_eq!(day(about.published), ("2024-05-17".to_owned(), DateSource::Document));
    assert_eq!(day(about.modified), ("2024-05-20".to_owned(), DateSource::Document));
    assert!(about.published.unwrap().confidence > alone.max(65));
}

#[test]
fn without_a_program_documents_are_known_and_not_read() {
    let url = Url::parse("http://a.example/x").unwrap();
    let body = files::pdf_page("BT /F1 12 Tf (x) Tj ET");
    let parsed = parse::parse(&Input::new(&url, &body), &Options::default());
    assert_eq!((parsed.kind, parsed.blocks.len()), (ContentKind::Pdf, 0));
}

#[test]
fn the_command_is_not_shown_to_people() {
    let dir = tempfile::tempdir().unwrap();
    let help = crate::run::output(dir.path(), &["--help"]);
    assert!(!crate::run::text(&help.stdout).contains("read-document"));
}
