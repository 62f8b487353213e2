//! Holds documents back that are on their way to tantivy's writer, by their bytes.
//!
//! tantivy lets ten thousand documents wait, however large they are. Pages of a megabyte each would
//! take ten gigabytes while a segment is written to a slow disk, whatever ceiling was asked for. So
//! a document counts from when it is handed over until tantivy lets go of it, and the next one
//! waits for its room.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use tantivy::TantivyDocument;
use tantivy::schema::Field;
use tantivy::schema::document::{Document, Value};

/// The room of documents on their way.
#[derive(Clone)]
pub(crate) struct Queue(Arc<Room>);

struct Room {
    most: usize,
    held: Mutex<usize>,
    released: Condvar,
}

/// A document on its way; gives its room back when tantivy has taken its words and drops it.
pub(crate) struct Queued {
    document: TantivyDocument,
    bytes: usize,
    queue: Queue,
}

/// How often somebody who waits looks whether it still makes sense.
const STEP: Duration = Duration::from_millis(500);
/// What a value takes beside its text.
const VALUE_BYTES: usize = 32;

impl Queue {
    /// Returns one with room for so many bytes.
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Room { most, held: Mutex::new(0), released: Condvar::new() }))
    }

    /// Waits for room for a document and takes it; one that is larger than all the room waits until
    /// nothing else is on its way.
    ///
    /// `is_alive` is asked now and then whether anybody still lets go of documents: what waits for
    /// a thread that has died stays where it is. If not, it is not waited for any longer, and
    /// whoever hands the document over is told so.
    pub(crate) fn admit(
        &self,
        mut document: TantivyDocument,
        is_alive: impl Fn() -> bool,
    ) -> Queued {
        document.shrink_to_fit();
        let bytes = bytes_of(&document);
        let is_full = |held: &mut usize| *held > 0 && *held + bytes > self.0.most;
        let lock = || self.0.held.lock().unwrap_or_else(PoisonError::into_inner);
        let mut held = lock();
        loop {
            let waited = self.0.released.wait_timeout_while(held, STEP, is_full);
            let (still, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            held = still;
            if !timeout.timed_out() {
                break;
            }
            // Not while the lock is held: who is asked may wait for somebody who lets go.
            drop(held);
            let is_alive = is_alive();
            held = lock();
            if !is_alive {
                break;
            }
        }
        *held += bytes;
        drop(held);
        Queued { document, bytes, queue: self.clone() }
    }

    /// Returns how many bytes are on their way.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        *self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let Room { held, released, .. } = &*self.queue.0;
        *held.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        released.notify_all();
    }
}

impl Document for Queued {
    type Value<'a> = <TantivyDocument as Document>::Value<'a>;
    type FieldsValuesIter<'a> = <TantivyDocument as Document>::FieldsValuesIter<'a>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        self.document.iter_fields_and_values()
    }
}

/// Returns about what a document takes in memory.
fn bytes_of(document: &TantivyDocument) -> usize {
    let of_value = |(_, value): (Field, <TantivyDocument as Document>::Value<'_>)| {
        let text = value.as_str().map(str::len);
        VALUE_BYTES + text.or_else(|| value.as_bytes().map(<[u8]>::len)).unwrap_or(0)
    };
    document.iter_fields_and_values().map(of_value).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use tantivy::schema::{STORED, Schema, TextFieldIndexing, TextOptions};
    use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer};
    use tantivy::{Index, IndexWriter};

    use super::*;

    fn document(bytes: usize) -> TantivyDocument {
        let mut document = TantivyDocument::default();
        document.add_text(Field::from_field_id(0), "x".repeat(bytes));
        document
    }

    #[test]
    fn a_document_waits_until_one_before_it_is_let_go() {
        let queue = Queue::new(1_000);
        let first = queue.admit(document(500), || true);
        let second = queue.admit(document(300), || true);
        assert_eq!(queue.held(), 800 + 2 * VALUE_BYTES);
        let is_in = AtomicBool::new(false);
        let (looked, looks) = mpsc::channel();
        thread::scope(|scope| {
            let is_in = &is_in;
            let queue = &queue;
            let waiting = scope.spawn(move || {
                let third = queue.admit(document(400), || looked.send(()).is_ok());
                is_in.store(true, Ordering::SeqCst);
                drop(third);
            });
            // That somebody looks does not let it in: it looks again.
            assert_eq!(looks.iter().take(2).count(), 2);
            assert!(!is_in.load(Ordering::SeqCst));
            drop(first);
            waiting.join().unwrap();
        });
        drop(second);
        assert_eq!(queue.held(), 0);
    }

    #[test]
    fn one_that_is_larger_than_all_the_room_goes_alone() {
        let queue = Queue::new(1_000);
        let large = queue.admit(document(5_000), || true);
        assert_eq!(queue.held(), 5_000 + VALUE_BYTES);
        drop(large);
        assert_eq!(queue.held(), 0);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_has_died() {
        let queue = Queue::new(1_000);
        let stuck = queue.admit(document(900), || true);
        let next = queue.admit(document(900), || false);
        assert_eq!(queue.held(), 1_800 + 2 * VALUE_BYTES);
        drop((stuck, next));
    }

    /// Takes its time for every text.
    #[derive(Clone)]
    struct Slow;

    struct OneToken(Option<Token>, Token);

    impl Tokenizer for Slow {
        type TokenStream<'a> = OneToken;

        fn token_stream<'a>(&'a mut self, text: &'a str) -> OneToken {
            thread::sleep(Duration::from_millis(2));
            let token = Token { text: text[..1].to_owned(), position: 0, ..Token::default() };
            OneToken(Some(token), Token::default())
        }
    }

    impl TokenStream for OneToken {
        fn advance(&mut self) -> bool {
            let next = self.0.take();
            let is_there = next.is_some();
            self.1 = next.unwrap_or_default();
            is_there
        }

        fn token(&self) -> &Token {
            &self.1
        }

        fn token_mut(&mut self) -> &mut Token {
            &mut self.1
        }
    }

    #[test]
    fn behind_a_slow_writer_no_more_waits_than_there_is_room_for() {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default().set_tokenizer("slow");
        let text =
            schema.add_text_field("text", TextOptions::from(STORED).set_indexing_options(indexing));
        let index = Index::create_in_ram(schema.build());
        index.tokenizers().register("slow", TextAnalyzer::from(Slow));
        let mut writer: IndexWriter<Queued> = index.writer_with_num_threads(1, 20_000_000).unwrap();
        let queue = Queue::new(10_000);
        let mut most = 0;
        for _ in 0..200 {
            let mut document = TantivyDocument::default();
            document.add_text(text, "x".repeat(1_000));
            writer.add_document(queue.admit(document, || true)).unwrap();
            most = most.max(queue.held());
        }
        assert!(most <= 10_000, "{most}");
        // Faster than it is written: the room was used.
        assert!(most > 5_000, "{most}");
        writer.commit().unwrap();
        assert_eq!(queue.held(), 0);
        assert_eq!(index.reader().unwrap().searcher().num_docs(), 200);
    }
}
