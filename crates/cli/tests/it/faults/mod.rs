//! Calls of the system that fail under the whole program: a disk without room, a disk that cannot
//! put anything down for good or cannot be read, no descriptors, a kill while an old index is
//! replaced.

mod descriptors;
mod frontier;
mod full;
mod sync;
mod unreadable;
mod upgrade;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use base::Collection;
use testweb::{Generated, Running, Web};

use crate::kill::web_of;
use crate::run::{collection, expect, output};

/// Stands before the system's own calls. While the file `FAULT_WHILE` is there, the calls of a kind
/// fail for files whose path has `FAULT_IN` in it, from the `FAULT_AFTER`th on. `FAULT_FROM` is a
/// word: nothing fails before it was written to stderr.
const FAULTS: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#define NEXT(type, name, ...) type (*next)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static long calls, parts;
static int is_armed;

static int path_of(int file, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, size - 1);
    path[length < 0 ? 0 : length] = 0;
    return length >= 0;
}

static void arm(int file, const void *bytes, size_t length) {
    const char *word = getenv("FAULT_FROM");
    if (word && file == 2 && memmem(bytes, length, word, strlen(word))) is_armed = 1;
}

static int fails(const char *kind, int file) {
    char path[4096];
    int before = errno, result = 0;
    if ((is_armed || !getenv("FAULT_FROM")) && !strcmp(getenv("FAULT"), kind)
        && access(getenv("FAULT_WHILE"), F_OK) == 0 && path_of(file, path, sizeof path)
        && strstr(path, getenv("FAULT_IN")))
        result = __sync_fetch_and_add(&calls, 1) >= atol(getenv("FAULT_AFTER"));
    errno = before;
    return result;
}

ssize_t write(int file, const void *bytes, size_t length) {
    NEXT(ssize_t, write, int, const void *, size_t);
    arm(file, bytes, length);
    if (fails("write", file)) {
        /* The last bytes that fit are taken. */
        if (length > 1 && __sync_fetch_and_add(&parts, 1) == 0) return next(file, bytes, length / 2);
        errno = ENOSPC;
        return -1;
    }
    return next(file, bytes, length);
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
    NEXT(ssize_t, writev, int, const struct iovec *, int);
    for (int i = 0; i < count; i++) arm(file, pieces[i].iov_base, pieces[i].iov_len);
    if (fails("write", file)) { errno = ENOSPC; return -1; }
    return next(file, pieces, count);
}

#define PLACED(name, offset) \
    ssize_t name(int file, const void *bytes, size_t length, offset at) { \
        NEXT(ssize_t, name, int, const void *, size_t, offset); \
        if (fails("write", file)) { errno = ENOSPC; return -1; } \
        return next(file, bytes, length, at); \
    }
PLACED(pwrite, off_t)
PLACED(pwrite64, off64_t)

/* Tells the test how long a file was that is down for good. */
static void note(int file, off_t length) {
    char path[4096], line[4200];
    const char *to = getenv("FAULT_SYNCED");
    if (!to || !path_of(file, path, sizeof path)) return;
    int notes = open(to, O_WRONLY | O_CREAT | O_APPEND, 0600);
    int size = snprintf(line, sizeof line, "%lld %s\n", (long long)length, path);
    NEXT(ssize_t, write, int, const void *, size_t);
    if (notes < 0) return;
    next(notes, line, size);
    close(notes);
}

#define SYNC(name) \
    int name(int file) { \
        NEXT(int, name, int); \
        struct stat before; \
        if (fails("sync", file)) { errno = EIO; return -1; } \
        int is_file = fstat(file, &before) == 0 && S_ISREG(before.st_mode); \
        int result = next(file); \
        if (result == 0 && is_file) note(file, before.st_size); \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)
"#;

/// What fails.
struct Fault {
    /// `write` or `sync`.
    calls: &'static str,
    /// The folder of the collection.
    part: &'static str,
    /// Calls that go well before.
    after: u32,
}

/// A collection of which a part is crawled, the web, and the calls that can fail.
struct Scene {
    generated: Generated,
    web: Running,
    folder: tempfile::TempDir,
    dir: PathBuf,
    place: Collection,
    library: PathBuf,
}

impl Scene {
    /// Crawls `first` of `pages` pages.
    fn new(pages: u64, first: u64) -> Self {
        let generated = web_of(pages);
        let web = Web::new().sites(generated.sites()).start().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        let limits = "delay = \"1ms\"\nslowness_factor = 0\n[serve]\nlisten = \"127.0.0.1:0\"\n";
        let place = collection(&dir, &web, limits);
        let library = faulty_calls(folder.path());
        let scene = Self { generated, web, folder, dir, place, library };
        scene.crawl_to(first);
        scene
    }

    /// Crawls until so many pages are there.
    fn crawl_to(&self, pages: u64) {
        let (pages, seed) = (pages.to_string(), self.generated.seed_url());
        expect(&output(&self.dir, &["crawl", "--until-idle", "--pages", &pages, &seed]), 0);
    }

    /// Crawls all of it.
    fn crawl_to_end(&self) {
        expect(&output(&self.dir, &["crawl", "--until-idle"]), 0);
    }

    /// While this file is there, calls fail.
    fn switch(&self) -> PathBuf {
        self.folder.path().join("fault")
    }

    /// Where the lengths of files are told that are down for good.
    fn synced(&self) -> PathBuf {
        self.folder.path().join("synced")
    }

    /// Lets calls of a command fail.
    fn hurt(&self, command: &mut Command, fault: &Fault) {
        fs::write(self.switch(), "").unwrap();
        command
            .env("LD_PRELOAD", &self.library)
            .env("FAULT", fault.calls)
            .env("FAULT_IN", self.dir.join(fault.part))
            .env("FAULT_AFTER", fault.after.to_string())
            .env("FAULT_WHILE", self.switch())
            .env("FAULT_SYNCED", self.synced());
    }
}

/// Builds them with the linker that Rust needs anyway.
fn faulty_calls(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("faults.c"), folder.join("faults.so"));
    fs::write(&source, FAULTS).unwrap();
    let mut build = Command::new("cc");
    build.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl");
    assert!(build.status().unwrap().success());
    library
}

/// What a process says, line by line.
struct Said(Receiver<String>);

impl Said {
    fn by(mut told: BufReader<ChildStderr>) -> Self {
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut line = String::new();
            while told.read_line(&mut line).is_ok_and(|length| length > 0) {
                if sender.send(std::mem::take(&mut line)).is_err() {
                    break;
                }
            }
        });
        Self(receiver)
    }

    /// Waits for a line that has all the words; returns it.
    #[track_caller]
    fn wait_for(&self, words: &[&str]) -> String {
        let mut all = String::new();
        let deadline = Instant::now() + Duration::from_secs(60);
        while let Ok(line) = self.0.recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            if words.iter().all(|word| line.contains(word)) {
                return line;
            }
            all += &line;
        }
        panic!("{words:?} is not in what was said:\n{all}");
    }
}
