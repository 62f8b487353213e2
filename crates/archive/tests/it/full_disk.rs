//! A disk without room (STO-04, STO-06).

use std::env;
use std::path::Path;
use std::process::Command;

use archive::Error;

use crate::support::{Fetch, append, assert_clean, assert_holds, folder, open};

/// Set for the process whose files may not grow past 100 KiB.
const FOLDER: &str = "LOOKFAR_TEST_SMALL_DISK";

#[test]
fn sto_04_and_06_a_write_that_does_not_fit_is_taken_back() {
    if let Some(folder) = env::var_os(FOLDER) {
        return on_a_small_disk(Path::new(&folder));
    }
    let folder = folder();
    // A limit on the size of files fails the way a full disk does: in the middle of a write.
    let script = "trap '' XFSZ; ulimit -f 200; exec \"$0\" \"$@\"";
    let outcome = Command::new("sh")
        .args(["-c", script])
        .arg(env::current_exe().unwrap())
        .args([
            "--exact",
            "full_disk::sto_04_and_06_a_write_that_does_not_fit_is_taken_back",
            "--nocapture",
        ])
        .env(FOLDER, folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&outcome.stdout);
    let errors = String::from_utf8_lossy(&outcome.stderr);
    assert!(outcome.status.success() && text.contains("1 passed"), "{text}{errors}");
    // And the next process finds everything that was appended.
    let numbers = [1, 2, 3];
    let mut writer = open(folder.path());
    let found = crate::support::readable(folder.path());
    for (captured, number) in found.iter().zip(numbers) {
        assert_eq!(*captured, Fetch::number(number).captured(captured.capture));
    }
    assert_eq!(found.len(), numbers.len());
    append(&mut writer, [4]);
    writer.finish().unwrap();
    assert_clean(folder.path());
}

fn on_a_small_disk(folder: &Path) {
    let mut writer = open(folder);
    let mut expected = append(&mut writer, [1, 2]);
    // Already compressed by its looks, so it takes the room it has.
    let large = Fetch { body: [&b"\x1f\x8b"[..], &[7; 200_000]].concat(), ..Fetch::number(9) };
    for _ in 0..3 {
        let error = writer.append(&large.response()).unwrap_err();
        assert!(matches!(error, Error::File { action: "write", .. }), "{error}");
        assert_holds(folder, &expected);
    }
    expected.extend(append(&mut writer, [3]));
    writer.sync().unwrap();
    assert_holds(folder, &expected);
    assert_eq!(assert_clean(folder).torn_bytes, 0);
}
