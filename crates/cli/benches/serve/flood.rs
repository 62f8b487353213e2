//! Ten times as many questions as can be answered: how many good answers are left?
//!
//! Asked in two ways. Where asker and server share all cores, as on one machine they do, who asks
//! so much takes a part of the processors that the server had at its peak. Where the server has
//! one core and the asker the others, at its peak and in the flood, only the server can lose.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::corpus::load;
use crate::loader::{Measured, Pace, Target};
use crate::process::Server;

/// Times the highest rate that is too much.
const FLOOD: f64 = 10.0;
/// Connections of a flood: far more than there are turns and places to wait.
const CONNECTIONS: usize = 512;
/// As many connections as fit, for the highest rate.
const FITTING: usize = 32;

/// Floods a server; prints what is left of its highest rate, which may be known to be higher.
pub fn flood(target: &Target, duration: Duration, known_peak: f64) {
    // The highest rate right before.
    let peak = target.ask(FITTING, Pace::Full(2 * duration)).rate().max(known_peak);
    let flood = target.ask(CONNECTIONS, Pace::Flood(FLOOD * peak, 2 * duration));
    print(&flood, peak);
    let after = target.ask(FITTING, Pace::Full(duration));
    println!("{:.0} answers/s right after it", after.rate());
}

/// The same with a server that has the first core alone; asker and all else have the others.
pub fn flood_apart(folder: &Path, path: &str, queries: &[String], duration: Duration) {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let others = format!("1-{}", cores - 1);
    if cores < 2 || !pin(&others) {
        println!("\nfor a core of its own there are too few cores, or no `taskset`");
        return;
    }
    let server = Server::lookfar_on("0", folder);
    let target = Target::new(&server, path, queries);
    target.ask(4, Pace::Once);
    println!("\nthe server with a core of its own, at its peak and in the flood:");
    flood(&target, duration, 0.0);
    pin(&format!("0-{}", cores - 1));
}

/// Lets all threads of this process run on these cores only; threads to come do as well.
fn pin(cores: &str) -> bool {
    let id = std::process::id().to_string();
    let mut taskset = Command::new("taskset");
    taskset.args(["--all-tasks", "--cpu-list", "--pid", cores, &id]).stdout(Stdio::null());
    taskset.status().is_ok_and(|status| status.success())
}

fn print(flood: &Measured, peak: f64) {
    println!("\nat ten times {peak:.0} answers/s; load {}", load());
    println!(
        "{:.0} asked a second, {:.0} good ones ({:.2} of the highest rate), p99 {:.0} ms",
        flood.asked_rate(),
        flood.rate(),
        flood.rate() / peak,
        flood.at(0.99)
    );
    println!(
        "{:.0} refused a second, p50 {:.1} ms, p99 {:.1} ms; {} failed; server's CPU {:.2} of a core",
        flood.refused as f64 / flood.took.as_secs_f64(),
        flood.refused_at(0.5),
        flood.refused_at(0.99),
        flood.failed,
        flood.cpu / flood.took.as_secs_f64(),
    );
}
