//! Which site a document is of.

use index::Snapshot;
use tantivy::DocAddress;
use tantivy::columnar::StrColumn;

/// The sites of the documents of one commit.
pub(crate) struct Sites(Vec<Option<StrColumn>>);

impl Sites {
    /// Opens the field; cheap.
    pub(crate) fn of(snapshot: &Snapshot) -> tantivy::Result<Self> {
        let segments = snapshot.searcher.segment_readers().iter();
        let columns = segments.map(|segment| segment.fast_fields().str("site"));
        Ok(Self(columns.collect::<tantivy::Result<_>>()?))
    }

    /// Returns the site of a document; empty if it has none.
    pub(crate) fn get(&self, address: DocAddress) -> tantivy::Result<String> {
        let mut site = String::new();
        if let Some(column) = &self.0[address.segment_ord as usize]
            && let Some(term) = column.term_ords(address.doc_id).next()
        {
            column.ord_to_str(term, &mut site)?;
        }
        Ok(site)
    }
}
