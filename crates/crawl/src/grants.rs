//! The log of grants: a line for each permit, for those who want to prove how polite a crawl was.
//!
//! ```text
//! milliseconds since 1970 | host | address | shortest rest in milliseconds     parted by tabs
//! ```
//! It is switched on and off while the crawl runs. A file that is full becomes `grants.log.1`, in
//! place of the one before, so that both together stay below two times [`LARGEST`].

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::{Collection, Host};

use crate::{Clock, Error};

/// The log of one collection, written or not.
pub(crate) struct GrantLog {
    path: PathBuf,
    clock: Clock,
    /// Bytes of a full file.
    largest: u64,
    state: Mutex<State>,
}

enum State {
    Off,
    /// It is to be written as soon as a crawl begins.
    Wanted,
    On {
        file: File,
        len: u64,
    },
}

/// Bytes of a full file: about a million requests.
const LARGEST: u64 = 64 * 1024 * 1024;

impl GrantLog {
    /// Nothing is opened before [`Self::begin`].
    pub(crate) fn new(collection: &Collection, clock: Clock, is_wanted: bool) -> Self {
        let state = if is_wanted { State::Wanted } else { State::Off };
        let path = collection.root().join("grants.log");
        Self { path, clock, largest: LARGEST, state: Mutex::new(state) }
    }

    /// Opens the file if it is wanted; a crawl begins.
    pub(crate) fn begin(&self) -> Result<(), Error> {
        match self.is_on() {
            true => self.switch(true),
            false => Ok(()),
        }
    }

    /// Writes grants from now on, or no longer.
    pub(crate) fn switch(&self, is_on: bool) -> Result<(), Error> {
        let mut state = self.state();
        match (&*state, is_on) {
            (State::On { .. }, true) => {}
            (_, true) => {
                let failed = |source| Error::Grants { path: self.path.clone(), source };
                *state = open(&self.path).map_err(failed)?;
            }
            (_, false) => *state = State::Off,
        }
        Ok(())
    }

    /// Returns whether grants are written, or will be.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(*self.state(), State::Off)
    }

    pub(crate) fn write(&self, host: &Host, address: IpAddr, rest: Duration) {
        let mut state = self.state();
        if !matches!(*state, State::On { .. }) {
            return;
        }
        let (now, rest) = ((self.clock)().as_millis(), rest.as_millis());
        let line = format!("{now}\t{host}\t{address}\t{rest}\n");
        // A proof of good manners is worth less than the manners: a full disk does not stop it.
        if let Err(error) = self.append(&mut state, &line) {
            tracing::debug!(%error, "grant not logged");
        }
    }

    fn append(&self, state: &mut State, line: &str) -> io::Result<()> {
        if matches!(state, State::On { len, .. } if *len + line.len() as u64 > self.largest) {
            fs::rename(&self.path, self.path.with_extension("log.1"))?;
            *state = open(&self.path)?;
        }
        let State::On { file, len } = state else { return Ok(()) };
        // Not buffered: whoever looks sees what has gone out so far.
        file.write_all(line.as_bytes())?;
        *len += line.len() as u64;
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens the log to add to it.
fn open(path: &Path) -> io::Result<State> {
    let file = File::options().create(true).append(true).open(path)?;
    let len = file.metadata()?.len();
    Ok(State::On { file, len })
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::Arc;

    use base::Timestamp;

    use super::*;

    fn open_log(folder: &tempfile::TempDir, is_wanted: bool) -> GrantLog {
        let collection = Collection::open_or_create(folder.path()).unwrap();
        GrantLog::new(&collection, Arc::new(|| Timestamp::from_millis(1_000)), is_wanted)
    }

    fn grant(log: &GrantLog, host: &str) {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        log.write(&Host::parse(host).unwrap(), address, Duration::from_millis(1_500));
    }

    fn read(folder: &tempfile::TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).unwrap_or_default()
    }

    #[test]
    fn only_what_is_granted_while_it_is_on_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let log = open_log(&folder, false);
        log.begin().unwrap();
        grant(&log, "a.example");
        assert!(!log.is_on() && !folder.path().join("grants.log").exists());
        log.switch(true).unwrap();
        grant(&log, "b.example");
        // Again, which changes nothing.
        log.switch(true).unwrap();
        log.switch(false).unwrap();
        grant(&log, "c.example");
        assert!(!log.is_on());
        log.switch(true).unwrap();
        grant(&log, "d.example");
        let line = |host: &str| format!("1000\t{host}\t127.0.0.1\t1500\n");
        assert_eq!(read(&folder, "grants.log"), line("b.example") + &line("d.example"));
    }

    #[test]
    fn one_that_was_switched_off_stays_so_when_a_crawl_begins_again() {
        let folder = tempfile::tempdir().unwrap();
        let log = open_log(&folder, true);
        assert!(log.is_on() && !folder.path().join("grants.log").exists(), "no crawl yet");
        log.begin().unwrap();
        assert!(folder.path().join("grants.log").exists());
        log.switch(false).unwrap();
        log.begin().unwrap();
        assert!(!log.is_on());
    }

    #[test]
    fn a_full_file_makes_room_and_two_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let log = GrantLog { largest: 100, ..open_log(&folder, true) };
        log.begin().unwrap();
        for n in 10..99 {
            grant(&log, &format!("h{n}.example"));
        }
        let (now, before) = (read(&folder, "grants.log"), read(&folder, "grants.log.1"));
        assert!(now.len() <= 100 && before.len() <= 100, "{} and {}", now.len(), before.len());
        let both = before + &now;
        let hosts: Vec<&str> = both.lines().filter_map(|line| line.split('\t').nth(1)).collect();
        let last = hosts.len();
        assert!(last >= 3, "{both}");
        let expected: Vec<String> = (99 - last..99).map(|n| format!("h{n}.example")).collect();
        assert_eq!(hosts, expected, "none is lost in between");
        // What an earlier run has left counts as well.
        drop(log);
        fs::write(folder.path().join("grants.log"), "x".repeat(99)).unwrap();
        let again = GrantLog { largest: 100, ..open_log(&folder, true) };
        again.begin().unwrap();
        grant(&again, "a.example");
        assert!(read(&folder, "grants.log.1").starts_with("xx"));
        assert!(read(&folder, "grants.log").contains("a.example"));
    }

    #[test]
    fn a_log_that_cannot_be_written_is_told_and_stays_off() {
        let folder = tempfile::tempdir().unwrap();
        let log = open_log(&folder, false);
        fs::create_dir(folder.path().join("grants.log")).unwrap();
        assert!(matches!(log.switch(true), Err(Error::Grants { .. })));
        assert!(!log.is_on());
        grant(&log, "a.example");
    }
}
