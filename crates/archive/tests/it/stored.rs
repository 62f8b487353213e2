//! Archives of every format version we ever wrote stay readable.

use std::path::{Path, PathBuf};

use crate::support::{Fetch, assert_clean, assert_holds};

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v1")
}

#[test]
fn version_1_is_readable() {
    let expected: Vec<_> = (1..4)
        .zip(V1_CAPTURES)
        .map(|(number, (offset, length))| {
            Fetch::number(number).captured(base::Capture { file: 1, offset, length })
        })
        .collect();
    assert_holds(&stored(), &expected);
    assert_clean(&stored());
}

/// Where the captures of the stored archive lie.
const V1_CAPTURES: [(u64, u32); 3] = [(806, 527), (1_770, 529), (2_735, 529)];
