//! The documents of the tika-office pack, where it is at hand (`LOOKFAR_DATA`).

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;

use base::{ContentKind, Oddity, Url};
use parse::document::{self, Document, Limits};
use parse::{Input, Options};

use super::super::real::{files, pack};

/// Documents of our formats that hold no word, found by hand: blank pages, pictures only,
/// embedded files only. None of them has an operator or element that shows a text.
const SILENT: [&str; 34] = [
    "Doc1_ole.doc",
    "pictures.ppt",
    "testBinControlWord.rtf",
    "testDocumentLink.doc",
    "testFlashInPDF.pdf",
    "testLargeOLEDoc.doc",
    "testOCR.pdf",
    "testODPMacro.odp",
    "testPDF_AdobeIllustrator.pdf",
    "testPDF_Version.10.x.pdf",
    "testPDF_Version.11.x.PDFA-1b.pdf",
    "testPDF_Version.4.x.pdf",
    "testPDF_Version.5.x.pdf",
    "testPDF_Version.6.x.pdf",
    "testPDF_Version.7.x.pdf",
    "testPDF_Version.8.x.pdf",
    "testPDF_Version.9.x.pdf",
    "testPDF_diffTitles.pdf",
    "testPDF_jpeg2000.pdf",
    "testPDF_jsActionOnPage.pdf",
    "testPDF_malformedXFA.pdf",
    "testPDF_sigflags.pdf",
    "testPDF_twoAuthors.pdf",
    "testPPT_EmbeddedPDF.ppt",
    "testPPT_EmbeddedPDF.pptx",
    "testPPT_embeddedMP3.pptx",
    "testRTFEmbeddedLink.rtf",
    "testWORD_multi_authors.doc",
    "testWORD_multi_authors.docx",
    "testWORD_truncated.docx",
    "testWPSAttachment.doc",
    "testWPSAttachment.docx",
    "testWPSAttachment.ppt",
    "testWPSAttachment.pptx",
];

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// Reads a file as what its bytes say it is.
fn read(path: &Path) -> Option<(ContentKind, Document)> {
    let bytes = std::fs::read(path).unwrap();
    let url = Url::parse("http://a.example/x").unwrap();
    let kind = parse::parse(&Input::new(&url, &bytes), &Options::default()).kind;
    kind.is_document().then(|| (kind, document::read(kind, &bytes, &Limits::default())))
}

#[test]
fn text_comes_out_of_the_documents_that_have_some() {
    let Some(pack) = pack("tika-office") else { return };
    let files = files(&pack);
    let mut counts: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut failures = Vec::new();
    for path in &files {
        let read = catch_unwind(|| read(path)).unwrap_or_else(|_| panic!("{}", path.display()));
        let Some((kind, document)) = read else { continue };
        let [all, closed, silent, good] = counts.entry(format!("{kind:?}")).or_default();
        *all += 1;
        if document.oddities.contains(&Oddity::Encrypted) {
            *closed += 1;
        } else if SILENT.contains(&name(path)) {
            *silent += 1;
        } else if document.blocks.is_empty() {
            failures.push(format!("{} {:?}", name(path), document.oddities));
        } else {
            *good += 1;
        }
        assert!(!document.oddities.contains(&Oddity::DocumentCut), "{}", path.display());
    }
    for (kind, [all, closed, silent, good]) in &counts {
        println!("{kind}: {all} documents, {closed} closed, {silent} silent, {good} with text");
    }
    println!("without text: {failures:#?}");
    let good: usize = counts.values().map(|[.., good]| good).sum();
    assert!(good >= 250, "{good}");
    let readable = good + failures.len();
    assert!(good * 100 >= readable * 95, "{good} of {readable}");
}

/// What people know to stand in these files.
const KNOWN: [(&str, &str); 28] = [
    (
        "testPDF.pdf",
        "Apache Tika is a toolkit for detecting and extracting metadata and structured text",
    ),
    ("testPDF_rotated.pdf", "Apache Tika is a toolkit for detecting"),
    ("testPDFVarious.pdf", "ゾルゲと尾崎、淡々と最期"),
    ("testPDF_protected.pdf", "RETHINKING THE FINANCIAL NETWORK"),
    ("testPDF_bookmarks.pdf", "This is a page about Denmark"),
    ("testExtraSpaces.pdf", "Here is some formatted text"),
    ("testPDF_angles.pdf", "the seas remain an unforgiving environment"),
    (
        "testJournalParser.pdf",
        "untethered scratch drive actuator (USDA) that provides forward motion",
    ),
    ("testWORD.docx", "This is a sample Microsoft Word Document."),
    ("testWORD.doc", "This document includes text that is BOLD and ITALIC."),
    ("testWORD6.doc", "The quick brown fox jumps over the lazy dog"),
    ("testWORD_various.doc", "This is a footnote."),
    ("testWORD_various.docx", "𐌲𐌿𐍄𐌹𐍃𐌺"),
    ("footnotes.docx", "snoska"),
    ("testEXCEL.xls", "Numbers and their Squares"),
    ("testEXCEL.xlsx", "Numbers and their Squares"),
    ("testEXCEL_phonetic.xls", "豊田車会社"),
    ("testEXCEL_textbox.xls", "this is some autoshape text"),
    ("testPPT.ppt", "Sample Powerpoint Slide"),
    ("testPPT_various.pptx", "Suddenly some Japanese text:"),
    ("testPPT_various.ppt", "（ＧＨＱ）"),
    ("testRTFVarious.rtf", "Row 2 Col 3"),
    ("testRTFJapanese.rtf", "古書店で処刑記録見つかる"),
    ("testRTFWindowsCodepage1250.rtf", "zażółć gęślą jaźń"),
    ("testOpenOffice2.odt", "This is a sample Open Office document"),
    ("testODFwithOOo3.odt", "This is a rather difficult test document"),
    ("LibreOfficeImpress_odp_1.3.odp", "An example Impress file"),
    ("testEPUB.epub", "This is the text for chapter One"),
];

#[test]
fn words_are_words_and_spaces_are_where_they_belong() {
    let Some(pack) = pack("tika-office") else { return };
    let files = files(&pack);
    for (file, phrase) in KNOWN {
        let path = files.iter().find(|path| name(path) == file).unwrap();
        let (_, document) = read(path).unwrap();
        let found = document.blocks.iter().any(|block| block.text.contains(phrase));
        assert!(found, "{file}: {phrase}\n{:#?}", document.blocks);
    }
}
