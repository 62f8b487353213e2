//! Columns by which answers are grouped and counted.

use tantivy::columnar::{Column, StrColumn};
use tantivy::{SegmentReader, TantivyError};

/// What the documents of a segment are labelled with. Opened once for a commit: opening a column
/// costs more than to read it for a few answers. `None` where no document has a label.
#[derive(Clone)]
pub struct Labels {
    /// Language, or [`crate::NO_LANGUAGE`].
    pub languages: Option<StrColumn>,
    /// What kind of file it was.
    pub kinds: Option<StrColumn>,
    /// Registered domain.
    pub sites: Option<StrColumn>,
    /// The country that it is of.
    pub countries: Option<StrColumn>,
    /// When it was published or changed, in milliseconds.
    pub dates: Column<i64>,
}

impl Labels {
    pub(crate) fn open(segment: &SegmentReader) -> Result<Self, TantivyError> {
        let columns = segment.fast_fields();
        Ok(Self {
            languages: columns.str("language")?,
            kinds: columns.str("kind")?,
            sites: columns.str("site")?,
            countries: columns.str("country")?,
            dates: columns.i64("date")?,
        })
    }
}
