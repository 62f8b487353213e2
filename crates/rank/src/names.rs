//! Names in text columns, looked up together.
//!
//! A column's dictionary is packed in blocks. To look up one name unpacks a block and reads it up
//! to there; many in order unpack each block once.

use tantivy::columnar::StrColumn;

/// Tells the names of a column's numbers, which must be in order. Those that it does not have are
/// left out.
pub(crate) fn each_name(
    column: &StrColumn,
    numbers: &[u64],
    mut tell: impl FnMut(u64, &str),
) -> tantivy::Result<()> {
    let num_names = column.num_terms() as u64;
    let known = numbers.partition_point(|number| *number < num_names);
    let mut rest = numbers[..known].iter();
    column.dictionary().sorted_ords_to_term_cb(&numbers[..known], |name| {
        if let (Some(number), Ok(name)) = (rest.next(), std::str::from_utf8(name)) {
            tell(*number, name);
        }
    })?;
    Ok(())
}
