//! Bare tantivy with the same texts in one field, to compare with.

use std::path::Path;

use base::log::Position;
use base::{Collection, pages};
use tantivy::schema::{
    Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{Index, TantivyDocument};
use text::Analyzer;

pub struct Bare {
    pub index: Index,
    pub text: Field,
    /// The stored text.
    pub shown: Field,
}

/// Indexes the pages of a log: stems with positions, and the text stored.
///
/// The stems are found by our analysis on as many threads as tantivy writes with, so that the
/// difference is the index and not the words.
pub fn build(collection: &Collection, folder: &Path, memory: usize) -> Bare {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("split")
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let text =
        builder.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    let shown = builder.add_text_field("shown", STORED);
    std::fs::create_dir_all(folder).expect("a new folder");
    let index = Index::create_in_dir(folder, builder.build()).expect("an empty folder");
    let split = TextAnalyzer::from(WhitespaceTokenizer::default());
    index.tokenizers().register("split", split);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let writer = index.writer_with_num_threads(threads, memory).expect("an empty index");
    let log = pages::Reader::open(&collection.pages(), Position::START).expect("a log");
    let log = std::sync::Mutex::new(log);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let analyzer = Analyzer::new(None);
                loop {
                    let entry = log.lock().expect("no panic").next_entry().expect("a whole log");
                    let Some(entry) = entry else { return };
                    let mut document = TantivyDocument::default();
                    let mut stems = String::new();
                    for part in [&entry.record.title, &entry.record.blocks[0].text] {
                        analyzer.for_each_term(part, |term| {
                            stems.push_str(term.stem);
                            stems.push(' ');
                        });
                    }
                    document.add_text(text, stems);
                    document.add_text(shown, &entry.record.blocks[0].text);
                    writer.add_document(document).expect("the disk has room");
                }
            });
        }
    });
    let mut writer = writer;
    writer.commit().expect("the disk has room");
    writer.wait_merging_threads().expect("the disk has room");
    open(folder)
}

/// Opens what [`build`] has made.
pub fn open(folder: &Path) -> Bare {
    let index = Index::open_in_dir(folder).expect("just made");
    let split = TextAnalyzer::from(WhitespaceTokenizer::default());
    index.tokenizers().register("split", split);
    let field = |name| index.schema().get_field(name).expect("one of ours");
    let (text, shown) = (field("text"), field("shown"));
    Bare { index, text, shown }
}

impl Bare {
    /// Returns a few words in a row out of some page, for phrases.
    pub fn words_in_a_row(text: &str, from: usize, count: usize) -> Option<Vec<String>> {
        let mut words = Vec::new();
        Analyzer::new(None).for_each_term(text, |term| {
            if term.form.is_running() {
                words.push(term.surface.to_owned());
            }
        });
        Some(words.get(from..from + count)?.to_vec())
    }

    /// Returns the stored text of a document.
    pub fn stored(document: &TantivyDocument, field: Field) -> Option<&str> {
        document.get_first(field).and_then(|value| value.as_str())
    }
}
