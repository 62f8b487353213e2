//! What the machine has to offer: disk, open files, memory, a clock.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use indicatif::HumanBytes;
use rustix::process::{Resource, getrlimit};

use super::collection::{Subject, scratch};
use super::{Finding, within};

/// Room on the disk, held against the floor at which a crawl pauses.
pub(super) fn disk(subject: &Subject) -> Finding {
    let folder = subject.folder.clone();
    let Some(Ok(disk)) = within(PATIENCE, move || rustix::fs::statvfs(&folder)) else {
        return Finding::bad("disk", "the file system does not answer", "look at the disk");
    };
    let size = disk.f_blocks.saturating_mul(disk.f_frsize);
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let crawl = &subject.config.crawl;
    let floor = ::crawl::DiskFloor { bytes: crawl.disk_floor.0, share: crawl.disk_floor_share };
    room(free, size, floor.of(size))
}

/// A crawl pauses at the floor; twice as much lets it run for a while.
fn room(free: u64, size: u64, floor: u64) -> Finding {
    let said = format!("{} free of {}", HumanBytes(free), HumanBytes(size));
    let floor_shown = HumanBytes(floor);
    if free < floor {
        let said = format!("{said}; a crawl needs more than {floor_shown}");
        return Finding::bad("disk", said, "make room, or lower `crawl.disk_floor`");
    }
    if free < floor.saturating_mul(2) {
        let said = format!("{said}; a crawl pauses at {floor_shown}");
        return Finding::warn("disk", said, "make room: 1,000 pages take about 10 MiB");
    }
    Finding::ok("disk", said)
}

/// Longest wait for the disk.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often is written, and how much.
const ROUNDS: usize = 5;
const BLOCK: [u8; 4096] = [0x6c; 4096];
/// A disk that takes longer to make a page durable holds a crawl back.
const SLOW_SYNC: Duration = Duration::from_millis(100);

/// How long the disk takes until what was written is safe.
pub(super) fn sync(subject: &Subject) -> Finding {
    const CHECK: &str = "sync";
    let folder = subject.folder.clone();
    match within(PATIENCE, move || time_sync(&folder)) {
        Some(Ok(took)) => pace(took),
        Some(Err(error)) => {
            let said = format!("cannot write to the disk: {error}");
            Finding::bad(CHECK, said, "look at the rights of the folder and at the disk")
        }
        None => {
            let said = format!("the disk needs more than {} s", PATIENCE.as_secs());
            Finding::bad(CHECK, said, "put the collection on another disk")
        }
    }
}

fn pace(took: Duration) -> Finding {
    let millis = took.as_secs_f64() * 1000.0;
    let said = format!("{millis:.1} ms until what is written is safe");
    if took > SLOW_SYNC {
        let advice = "a crawl waits for it with every few pages: a local SSD is faster";
        return Finding::warn("sync", said, advice);
    }
    Finding::ok("sync", said)
}

/// Returns the median of a few rounds.
fn time_sync(folder: &Path) -> io::Result<Duration> {
    let path = scratch(folder).with_extension("sync.new");
    let timed = || -> io::Result<Duration> {
        let mut file = File::create_new(&path)?;
        let mut took = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            file.write_all(&BLOCK)?;
            file.sync_all()?;
            took.push(begun.elapsed());
        }
        took.sort_unstable();
        Ok(took[ROUNDS / 2])
    };
    let median = timed();
    let _ = fs::remove_file(&path);
    median
}

/// How many files and connections may be open at once.
pub(super) fn files(subject: &Subject) -> Finding {
    let limit = getrlimit(Resource::Nofile);
    // Each fetch has a connection and each visitor of the page; index and stores have files.
    let visitors = ::serve::Limits::default().connections as u64;
    let needed = 2 * subject.config.crawl.concurrency as u64 + visitors + 512;
    handles(limit.current, needed)
}

/// Below this, index and stores alone do not fit.
const FEWEST_FILES: u64 = 512;

fn handles(limit: Option<u64>, needed: u64) -> Finding {
    const CHECK: &str = "open files";
    let Some(limit) = limit else { return Finding::ok(CHECK, "no limit") };
    let said = format!("at most {limit} at once");
    let advice = "raise it: `ulimit -n 65536`, or LimitNOFILE=65536 in a systemd unit";
    if limit < FEWEST_FILES {
        return Finding::bad(CHECK, said, advice);
    }
    if limit < needed {
        return Finding::warn(CHECK, format!("{said}; {needed} may be needed"), advice);
    }
    Finding::ok(CHECK, said)
}

/// What crawl, index and link analysis may hold, against what the machine has.
pub(super) fn memory(subject: &Subject) -> Finding {
    let config = &subject.config;
    let beside = config.graph.memory.0.saturating_add(config.index.memory.0);
    budget(config.crawl.memory.limit(), beside, present_memory())
}

fn budget(crawl: Option<u64>, beside: u64, present: Option<u64>) -> Finding {
    const CHECK: &str = "memory";
    let Some(present) = present else {
        return Finding::ok(CHECK, "this system does not tell how much there is");
    };
    let shown = HumanBytes(present);
    let Some(crawl) = crawl else {
        let said = format!("{shown}; the crawl has no ceiling (`crawl.memory`)");
        return Finding::warn(CHECK, said, "set `crawl.memory` to about half of it");
    };
    let wanted = crawl.saturating_add(beside);
    let wanted_shown = HumanBytes(wanted);
    let said = format!("{shown}; crawl, index and link analysis may hold {wanted_shown} together");
    if wanted > present {
        let advice = "lower `crawl.memory`, `graph.memory` and `index.memory`, or the system may end the crawl";
        return Finding::warn(CHECK, said, advice);
    }
    Finding::ok(CHECK, said)
}

/// Returns the memory of this machine, or of the container that we are in if that is less.
fn present_memory() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_total(&text));
    let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let container = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .into_iter()
        .find_map(number);
    machine.into_iter().chain(container).min()
}

fn mem_total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Whether the clock tells a time that can be, and goes evenly.
pub(super) fn clock(_: &Subject) -> Finding {
    let (wall, steady) = (SystemTime::now(), Instant::now());
    std::thread::sleep(Duration::from_millis(50));
    let passed = wall.elapsed().map(|passed| passed.abs_diff(steady.elapsed()));
    time(wall, passed.ok())
}

/// 2026-01-01, before this program was written, and 2100-01-01.
const EARLIEST: Duration = Duration::from_secs(1_767_225_600);
const LATEST: Duration = Duration::from_secs(4_102_444_800);
/// Clocks are set in steps when they are far off.
const STEP: Duration = Duration::from_millis(500);

fn time(wall: SystemTime, off: Option<Duration>) -> Finding {
    const CHECK: &str = "clock";
    let advice = "set it, and let it be kept right: `timedatectl set-ntp true`";
    let now = wall.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let shown = base::Timestamp::from(wall).rfc3339();
    if now < EARLIEST || now > LATEST {
        return Finding::bad(CHECK, format!("says {shown}, which cannot be"), advice);
    }
    if off.is_none_or(|off| off > STEP) {
        return Finding::warn(CHECK, format!("says {shown}, but jumps"), advice);
    }
    Finding::ok(CHECK, format!("says {shown}, and goes evenly"))
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[track_caller]
    fn check(finding: &Finding, verdict: Verdict) {
        assert_eq!(finding.verdict, verdict, "{}", finding.text());
        assert_eq!(finding.advice.is_some(), verdict != Verdict::Ok);
    }

    #[test]
    fn room_is_held_against_the_floor() {
        check(&room(50 << 30, 100 << 30, 5 << 30), Verdict::Ok);
        check(&room(6 << 30, 100 << 30, 5 << 30), Verdict::Warn);
        check(&room(4 << 30, 100 << 30, 5 << 30), Verdict::Bad);
        check(&room(u64::MAX, u64::MAX, u64::MAX), Verdict::Ok);
    }

    #[test]
    fn a_slow_disk_is_told() {
        check(&pace(Duration::from_millis(2)), Verdict::Ok);
        check(&pace(Duration::from_millis(900)), Verdict::Warn);
        let folder = tempfile::tempdir().unwrap();
        assert!(time_sync(folder.path()).unwrap() > Duration::ZERO);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "it leaves nothing");
    }

    #[test]
    fn few_open_files_are_told() {
        check(&handles(Some(256), 2_000), Verdict::Bad);
        check(&handles(Some(1_024), 2_000), Verdict::Warn);
        check(&handles(Some(65_536), 2_000), Verdict::Ok);
        check(&handles(None, 2_000), Verdict::Ok);
    }

    #[test]
    fn more_memory_than_there_is_and_no_ceiling_are_told() {
        check(&budget(Some(2 << 30), 1 << 30, Some(8 << 30)), Verdict::Ok);
        check(&budget(Some(2 << 30), 1 << 30, Some(2 << 30)), Verdict::Warn);
        check(&budget(None, 1 << 30, Some(8 << 30)), Verdict::Warn);
        check(&budget(None, 1 << 30, None), Verdict::Ok);
        assert_eq!(mem_total("MemTotal:       16303428 kB\nMemFree: 1 kB"), Some(16_694_710_272));
        assert_eq!(mem_total("MemTotal: lots"), None);
    }

    #[test]
    fn a_clock_that_cannot_be_right_is_told() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let even = Some(Duration::ZERO);
        check(&time(at(1_800_000_000), even), Verdict::Ok);
        check(&time(at(0), even), Verdict::Bad);
        check(&time(at(5_000_000_000), even), Verdict::Bad);
        check(&time(at(1_800_000_000), None), Verdict::Warn);
        check(&time(at(1_800_000_000), Some(Duration::from_secs(9))), Verdict::Warn);
    }
}
