//! Columns by which answers are grouped and counted.

use std::sync::{Arc, OnceLock};

use tantivy::columnar::{Column, ColumnIndex, RowId, StrColumn};
use tantivy::index::SegmentId;
use tantivy::{DocId, SegmentReader, TantivyError};

/// What the documents of a segment are labelled with. Opened once for a segment: opening a column
/// costs more than to read it for a few answers. `None` where no document has a label.
#[derive(Clone)]
pub struct Labels {
    segment: SegmentId,
    /// Language, or [`crate::NO_LANGUAGE`].
    pub languages: Option<Names>,
    /// What kind of file it was.
    pub kinds: Option<Names>,
    /// Registered domain.
    pub sites: Option<Names>,
    /// The country that it is of.
    pub countries: Option<Names>,
    /// When it was published or changed, in milliseconds.
    pub dates: Column<i64>,
}

impl Labels {
    /// Opens the labels of a segment, or takes them over if they are among those `known`.
    pub(crate) fn open(segment: &SegmentReader, known: &[Self]) -> Result<Self, TantivyError> {
        let id = segment.segment_id();
        if let Some(same) = known.iter().find(|known| known.segment == id) {
            return Ok(same.clone());
        }
        let columns = segment.fast_fields();
        let names = |name| Ok::<_, TantivyError>(columns.str(name)?.map(Names::new));
        Ok(Self {
            segment: id,
            languages: names("language")?,
            kinds: names("kind")?,
            sites: names("site")?,
            countries: names("country")?,
            dates: columns.i64("date")?,
        })
    }
}

/// A column of names, which have numbers in it. Clones share the names that were looked up.
///
/// The dictionary is packed in blocks. To look up one name unpacks a block and reads it up to there;
/// many in order unpack each block once; and names that were seen are kept.
#[derive(Clone)]
pub struct Names {
    column: StrColumn,
    /// By number; none where there are too many to be kept.
    seen: Arc<[OnceLock<Arc<str>>]>,
}

/// Most names of a column that are kept: some megabytes if all of them are asked for.
const MOST_KEPT: usize = 1 << 17;

impl Names {
    fn new(column: StrColumn) -> Self {
        let num_kept = Some(column.num_terms()).filter(|count| *count <= MOST_KEPT).unwrap_or(0);
        Self { column, seen: (0..num_kept).map(|_| OnceLock::new()).collect() }
    }

    /// Returns how many names there are; their numbers are smaller.
    pub fn num_names(&self) -> usize {
        self.column.num_terms()
    }

    /// Returns the numbers of a document's names.
    pub fn numbers(&self, doc: DocId) -> impl Iterator<Item = u64> + '_ {
        self.column.term_ords(doc)
    }

    /// Writes the numbers of the names of many documents, of each as often as it has them, to
    /// `numbers`: for half of what they cost one by one.
    ///
    /// The rest is room that can be used again.
    pub fn numbers_of(
        &self,
        docs: &[DocId],
        (with, rows): (&mut Vec<DocId>, &mut Vec<RowId>),
        numbers: &mut Vec<u64>,
    ) {
        let column = self.column.ords();
        let rows = match column.index {
            ColumnIndex::Full => docs,
            _ => {
                with.clear();
                rows.clear();
                column.row_ids_for_docs(docs, with, rows);
                rows
            }
        };
        numbers.clear();
        numbers.resize(rows.len(), 0);
        column.values.get_vals(rows, numbers);
    }

    /// Tells the names of numbers, which must be in order. Those that there are not are left out;
    /// names come in any order.
    pub fn each(
        &self,
        numbers: &[u64],
        mut tell: impl FnMut(u64, &Arc<str>),
    ) -> tantivy::Result<()> {
        let known = numbers.partition_point(|number| *number < self.num_names() as u64);
        let slot = |number: u64| self.seen.get(number as usize);
        let mut unseen = Vec::new();
        for number in &numbers[..known] {
            match slot(*number).and_then(OnceLock::get) {
                Some(name) => tell(*number, name),
                None => unseen.push(*number),
            }
        }
        if unseen.is_empty() {
            return Ok(());
        }
        let mut rest = unseen.iter();
        self.column.dictionary().sorted_ords_to_term_cb(&unseen, |name| {
            if let (Some(number), Ok(name)) = (rest.next(), std::str::from_utf8(name)) {
                let name: Arc<str> = name.into();
                tell(
                    *number,
                    slot(*number).map_or(&name, |slot| slot.get_or_init(|| name.clone())),
                );
            }
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tantivy::schema::{FAST, STRING, Schema};
    use tantivy::{Index, doc};

    use super::*;

    #[test]
    fn names_are_told_once_for_each_number_whether_they_were_seen_or_not() {
        let mut builder = Schema::builder();
        let field = builder.add_text_field("site", STRING | FAST);
        let index = Index::create_in_ram(builder.build());
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        let name = |number: usize| format!("site{number:04}.example");
        for number in 0..1_000 {
            writer.add_document(doc!(field => name(number * 7 % 1_000))).unwrap();
        }
        writer.commit().unwrap();
        let searcher = index.reader().unwrap().searcher();
        let column = searcher.segment_reader(0).fast_fields().str("site").unwrap().unwrap();
        let names = Names::new(column);
        let told = |numbers: &[u64]| {
            let mut told = Vec::new();
            names.each(numbers, |number, name| told.push((number, name.to_string()))).unwrap();
            told.sort_unstable();
            told
        };
        let expected = |numbers: &[u64]| -> Vec<(u64, String)> {
            numbers.iter().map(|number| (*number, name(*number as usize))).collect()
        };
        for numbers in [&[3, 500, 999][..], &[3, 4, 500, 501, 999], &[], &[4]] {
            assert_eq!(told(numbers), expected(numbers));
        }
        assert_eq!(told(&[999, 1_000, u64::MAX]), expected(&[999]));
        assert_eq!((names.num_names(), names.numbers(2).collect::<Vec<_>>()), (1_000, vec![14]));
    }
}
