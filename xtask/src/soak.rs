//! The long forms of tests: `cargo xtask soak [name]`.
//!
//! A test that takes minutes or hours is marked `#[ignore]`; a short form of it is part of every
//! run. This module holds the list of the long ones and runs them one after the other, built as
//! for users. A test compares the list with the sources, so that none is forgotten.

use std::{
    env,
    time::{Duration, Instant},
};

use crate::{
    cargo,
    harness::Tally,
    steps::{self, CheckFailed},
    tools,
};

/// A test that takes long.
struct Long {
    /// What people call it on the command line.
    name: &'static str,
    package: &'static str,
    /// The test program of the package.
    target: &'static str,
    /// The test's path in that program.
    test: &'static str,
    /// Settings unless the user has made them.
    environment: &'static [(&'static str, &'static str)],
    /// How long it takes on two cores, without the build.
    minutes: u64,
    shows: &'static str,
}

/// The shortest come first, so that a failure shows early.
const LONG: &[Long] = &[
    Long {
        name: "pages",
        package: "parse",
        target: "it",
        test: "slowest::slowest_pages_end_within_the_limit_of_steps",
        environment: &[],
        minutes: 5,
        shows: "no page of 5 MiB made of random tags takes more steps than allowed",
    },
    Long {
        name: "commits",
        package: "index",
        target: "it",
        test: "live::idx_07_and_14_ten_thousand_commits_leave_few_segments_files_and_maps",
        environment: &[],
        minutes: 10,
        shows: "10,000 synced commits leave few segments, open files and maps",
    },
    Long {
        name: "queries",
        package: "rank",
        target: "it",
        test: "hostile::qry_20_a_million_random_and_mutated_queries_are_answered_or_too_large",
        environment: &[],
        minutes: 20,
        shows: "2,000,000 random and mutated queries are answered or refused as too large",
    },
    Long {
        name: "kills",
        package: "cli",
        target: "it",
        test: "kill::sto_01_killed_five_hundred_times_every_page_is_there_exactly_once",
        environment: &[],
        minutes: 15,
        shows: "500 times `kill -9` during a crawl: nothing lost, nothing twice",
    },
    Long {
        name: "hosts",
        package: "cli",
        target: "it",
        test: "soak::sto_17_among_hostile_hosts_memory_and_descriptors_stay_flat",
        environment: &[("LOOKFAR_SOAK_MINUTES", "30")],
        minutes: 31,
        shows: "half an hour among hostile hosts: memory and descriptors stay flat",
    },
    Long {
        name: "http",
        package: "cli",
        target: "it",
        test: "queries::qry_20_a_million_queries_over_http_are_answered_in_time",
        environment: &[("LOOKFAR_QUERIES", "1000000")],
        minutes: 40,
        shows: "a million queries over HTTP: 200 or 400, each within 1.1 s",
    },
];

/// Runs the long forms whose name, or whose test's name, contains `name`, or all.
pub(crate) fn run(name: Option<&str>) -> anyhow::Result<()> {
    let chosen = choose(name)?;
    let expected: u64 = chosen.iter().map(|long| long.minutes).sum();
    eprintln!("{} long forms, about {}", chosen.len(), steps::seconds(minutes(expected)));
    let mut results = Vec::new();
    for long in chosen {
        eprintln!(
            "\n== {}: {} (about {})",
            long.name,
            long.shows,
            steps::seconds(minutes(long.minutes))
        );
        let started = Instant::now();
        let passed = long.run()?;
        results.push(Ran { long, took: started.elapsed(), passed });
    }
    eprintln!("\n{}", table(&results));
    let failed: Vec<&str> =
        results.iter().filter(|ran| !ran.passed).map(|ran| ran.long.name).collect();
    match failed[..] {
        [] => Ok(()),
        _ => Err(CheckFailed(format!("failed: {}; see above", failed.join(", "))).into()),
    }
}

fn choose(name: Option<&str>) -> Result<Vec<&'static Long>, CheckFailed> {
    let is_meant =
        |long: &&Long| name.is_none_or(|name| long.name.contains(name) || long.test.contains(name));
    let chosen: Vec<&Long> = LONG.iter().filter(is_meant).collect();
    if chosen.is_empty() {
        let names: Vec<&str> = LONG.iter().map(|long| long.name).collect();
        return Err(CheckFailed(format!(
            "no long form has `{}` in its name; there are {}",
            name.unwrap_or_default(),
            names.join(", ")
        )));
    }
    Ok(chosen)
}

impl Long {
    /// Returns whether the test passed.
    fn run(&self) -> anyhow::Result<bool> {
        let mut command = cargo::command(&["test", "--release", "--package", self.package]);
        command.args(["--test", self.target, "--", "--ignored", "--exact", "--nocapture"]);
        command
            .arg(self.test)
            .envs(tools::environment())
            .envs(self.settings(|name| env::var_os(name).is_some()));
        let mut tally = Tally::default();
        let succeeded = cargo::run_counted(command, &mut tally, true, &mut std::io::stdout())?;
        // A name that no test has passes with nothing done.
        Ok(succeeded && tally.passed == 1)
    }

    fn settings(
        &self,
        is_set: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.environment.iter().copied().filter(move |(name, _)| !is_set(name))
    }
}

struct Ran {
    long: &'static Long,
    took: Duration,
    passed: bool,
}

fn table(results: &[Ran]) -> String {
    let line = |Ran { long, took, passed }: &Ran| {
        let mark = if *passed { "ok" } else { "FAILED" };
        format!("{mark:<8}{:<10}{:>14}   {}", long.name, steps::seconds(*took), long.shows)
    };
    results.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn minutes(number: u64) -> Duration {
    Duration::from_secs(60 * number)
}

#[cfg(test)]
mod tests;
