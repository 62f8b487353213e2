//! The access log as a file: tab-separated lines, or JSON lines when the name ends in `.jsonl`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::Entry;

/// Longest path or user agent written, in bytes; strangers may send 64 KiB of either.
const MAX_FIELD: usize = 2_048;

pub(super) struct Writer {
    file: BufWriter<File>,
    json: bool,
    unix_start: Duration,
}

#[derive(Serialize)]
struct Line<'a> {
    unix_us: u128,
    at_us: u128,
    done_us: Option<u128>,
    connection: u64,
    address: String,
    host: &'a str,
    method: &'a str,
    target: &'a str,
    status: u16,
    bytes: u64,
    user_agent: &'a str,
}

impl Writer {
    pub(super) fn create(path: &Path, unix_start: Duration) -> io::Result<Self> {
        let json = path.extension().is_some_and(|ending| ending == "jsonl");
        let mut file = BufWriter::new(File::create(path)?);
        if !json {
            file.write_all(
                b"unix_us\tat_us\tdone_us\tconnection\taddress\thost\tmethod\ttarget\tstatus\tbytes\tuser_agent\n",
            )?;
        }
        Ok(Self { file, json, unix_start })
    }

    pub(super) fn push(&mut self, entry: &Entry) -> io::Result<()> {
        let line = Line {
            unix_us: (self.unix_start + entry.at).as_micros(),
            at_us: entry.at.as_micros(),
            done_us: entry.done.map(|done| done.as_micros()),
            connection: entry.connection,
            address: entry.address.to_string(),
            host: cut(&entry.host),
            method: cut(&entry.method),
            target: cut(&entry.target),
            status: entry.status,
            bytes: entry.bytes,
            user_agent: cut(&entry.user_agent),
        };
        if self.json {
            serde_json::to_writer(&mut self.file, &line)?;
            return self.file.write_all(b"\n");
        }
        let done = line.done_us.map_or_else(String::new, |done| done.to_string());
        writeln!(
            self.file,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            line.unix_us,
            line.at_us,
            done,
            line.connection,
            line.address,
            plain(line.host),
            plain(line.method),
            plain(line.target),
            line.status,
            line.bytes,
            plain(line.user_agent),
        )
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_FIELD)]
}

/// Returns text that cannot break a line or a column.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
