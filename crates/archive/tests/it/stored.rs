//! Archives of every format version we ever wrote stay readable.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Fetch, append, assert_clean, assert_holds, open};

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

#[test]
#[ignore = "writes the stored archive of a new format version"]
fn write_stored() {
    fs::create_dir_all(stored()).unwrap();
    let mut writer = open(&stored());
    for captured in append(&mut writer, 1..4) {
        eprintln!("({}, {})", captured.capture.offset, captured.capture.length);
    }
    writer.finish().unwrap();
}
