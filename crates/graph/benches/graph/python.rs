//! Libraries of Python over the same graph: scipy and networkit in an environment of their own,
//! graph-tool, which pip does not have, from the system (Debian: `python3-graph-tool`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::job::{GIVES_BACK, Measured};
use crate::{BETA, TOLERANCE};

const PACKAGES: [&str; 3] = ["numpy==2.4.6", "scipy==1.17.1", "networkit==11.2.2"];
const PROGRAM: &str = include_str!("ranks.py");

/// Ranks a graph with a library of Python; says why if that cannot be done.
pub(crate) fn rank(library: &str, graph: &Path, ranks: &Path) -> Result<Measured, String> {
    let python = match library {
        "graph-tool" => system_python()?,
        _ => python()?,
    };
    let output = Command::new(python)
        .args(["-c", PROGRAM, library])
        .args([graph, ranks])
        .args([BETA.to_string(), TOLERANCE.to_string()])
        .envs(GIVES_BACK)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("Python does not start: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|_| "it said nothing that we know".to_owned())
}

/// Returns the Python that may have graph-tool, if it has.
fn system_python() -> Result<PathBuf, String> {
    let python = std::env::var_os("GRAPH_TOOL_PYTHON").unwrap_or_else(|| "/usr/bin/python3".into());
    let mut command = Command::new(&python);
    command.args(["-c", "import graph_tool.centrality"]).stderr(Stdio::null());
    match command.status().is_ok_and(|status| status.success()) {
        true => Ok(python.into()),
        false => Err("`python3-graph-tool` is not installed".to_owned()),
    }
}

/// Returns a Python that has the packages; makes its environment the first time.
fn python() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    let python = folder.join("bin/python");
    let stamp = folder.join("packages.txt");
    let wanted = PACKAGES.join(" ");
    if fs::read_to_string(&stamp).is_ok_and(|list| list == wanted) {
        return Ok(python);
    }
    let folder = folder.to_string_lossy().into_owned();
    run("python3", &["-m", "venv", "--clear", &folder])
        .ok_or("a Python environment cannot be made")?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(&python.to_string_lossy(), &[&install[..], &PACKAGES].concat())
        .ok_or("the packages cannot be installed with pip")?;
    fs::write(stamp, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

fn run(program: &str, arguments: &[&str]) -> Option<()> {
    let status = Command::new(program).args(arguments).stdin(Stdio::null()).status().ok()?;
    status.success().then_some(())
}
