//! Scrapy over the same web, in a Python environment of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::job::Measured;
use crate::web::Served;

const PACKAGE: &str = "scrapy==2.19.0";
const SPIDER: &str = include_str!("spider.py");

/// Crawls a web whose hosts are addresses; says why if that cannot be done.
pub(crate) fn crawl(served: &Served, concurrency: usize) -> Result<Measured, String> {
    let python = python()?;
    let mut child = Command::new(python)
        .args(["-c", SPIDER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("Python does not start: {error}"))?;
    let input = serde_json::to_vec(&(served.homes(), concurrency)).unwrap();
    child.stdin.take().unwrap().write_all(&input).map_err(|error| error.to_string())?;
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|_| "it said nothing that we know".to_owned())
}

/// Returns a Python that has Scrapy; makes its environment the first time.
fn python() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scrapy");
    let python = folder.join("bin/python");
    let stamp = folder.join("packages.txt");
    if fs::read_to_string(&stamp).is_ok_and(|list| list == PACKAGE) {
        return Ok(python);
    }
    let folder = folder.to_string_lossy().into_owned();
    run("python3", &["-m", "venv", "--clear", &folder])
        .ok_or("a Python environment cannot be made")?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
    run(&python.to_string_lossy(), &install).ok_or("Scrapy cannot be installed with pip")?;
    fs::write(stamp, PACKAGE).map_err(|error| error.to_string())?;
    Ok(python)
}

fn run(program: &str, arguments: &[&str]) -> Option<()> {
    let status = Command::new(program).args(arguments).stdin(Stdio::null()).status().ok()?;
    status.success().then_some(())
}
