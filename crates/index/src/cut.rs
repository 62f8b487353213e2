//! Lives on when somebody cuts a file of the index while it is mapped (STO-08).
//!
//! Whoever reads a mapped page behind the end of its file gets the signal SIGBUS, and the process
//! ends. Nothing of ours cuts files, but a careless copy or a clean-up script may. So the page is
//! replaced by one of zeros, as systemd's journal does it, and counted: what was read then is not
//! believed, and a reader opens the index anew, which names the file.

use std::io;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Pages that were missing.
static NUM_MISSED: AtomicU64 = AtomicU64::new(0);
/// Bytes of a page of memory; set before the handler is.
static PAGE_BYTES: AtomicUsize = AtomicUsize::new(4_096);

/// Makes the whole process live on when a mapped file is cut. For programs that serve; without it
/// they end, as programs do.
pub fn survive_cut_files() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        if let Err(error) = install() {
            tracing::warn!(%error, "a file that is cut while it is read would end this process");
        }
    });
}

/// Returns how many pages of mapped files were missing since the process began.
pub fn num_missed() -> u64 {
    NUM_MISSED.load(Ordering::Acquire)
}

#[allow(unsafe_code)]
fn install() -> io::Result<()> {
    // SAFETY: asks for a number, with a name that exists.
    if let Ok(bytes) = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }) {
        PAGE_BYTES.store(bytes.max(1), Ordering::Relaxed);
    }
    // SAFETY: all bytes zero is a valid `sigaction`: no flags, an empty mask, no handler.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_missing;
    action.sa_sigaction = handler as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: `action` is whole, its handler has the signature that `SA_SIGINFO` asks for, and
    // does only what a signal handler may do (see there).
    match unsafe { libc::sigaction(libc::SIGBUS, &raw const action, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Puts a page of zeros where one of a file is missing.
///
/// Runs as a signal handler: no memory is taken, no lock, and `errno` is left as it was.
#[allow(unsafe_code)]
extern "C" fn on_missing(
    _signal: libc::c_int,
    info: *mut libc::siginfo_t,
    _context: *mut libc::c_void,
) {
    // SAFETY: with `SA_SIGINFO` the kernel hands over a valid `siginfo_t`, which for this signal
    // has an address. `__errno_location` is this thread's own.
    let (code, address, errno) =
        unsafe { ((*info).si_code, (*info).si_addr() as usize, *libc::__errno_location()) };
    let bytes = PAGE_BYTES.load(Ordering::Relaxed);
    let page = address - address % bytes;
    let is_missing = code == libc::BUS_ADRERR && page != 0;
    // SAFETY: the kernel names an address of a file's mapping whose page cannot be had, so nothing
    // that anybody can read is replaced. It may be read, not written: a program that writes through
    // a mapping ends as it would have, instead of losing what it writes.
    let is_mapped = is_missing
        && unsafe {
            let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let at = page as *mut libc::c_void;
            libc::mmap(at, bytes, libc::PROT_READ, flags, -1, 0) != libc::MAP_FAILED
        };
    if is_mapped {
        NUM_MISSED.fetch_add(1, Ordering::Release);
    } else {
        // SAFETY: as in `install`; the access is tried again and ends the process.
        unsafe { libc::signal(libc::SIGBUS, libc::SIG_DFL) };
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}
