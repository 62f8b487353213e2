//! What this process has used of the machine, as Linux tells it.

use std::fs;
use std::time::Duration;

/// Length of the unit in which `/proc/self/stat` counts: the kernel promises 100 a second.
const TICK: Duration = Duration::from_millis(10);

/// Returns the time that this process has had on processors, user and system.
pub(crate) fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/self/stat").expect("Linux has it");
    // The name of the program may hold blanks; it ends at the last bracket.
    let (_, fields) = text.rsplit_once(')').expect("the name stands in brackets");
    let ticks = fields.split_whitespace().skip(11).take(2);
    TICK * ticks.map(|field| field.parse::<u32>().expect("a number")).sum()
}

/// Returns the CPU time of a task in seconds.
pub(crate) fn measure(mut task: impl FnMut()) -> f64 {
    let before = cpu_time();
    task();
    (cpu_time() - before).as_secs_f64()
}
