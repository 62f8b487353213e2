//! What is handed to other systems names commands, options and paths that exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::run::{Served, expect, lookfar, output, text};

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// Asserts that the program understands a command line, without running it.
#[track_caller]
fn understood(arguments: &[&str]) {
    let mut command = lookfar(Path::new("none"), arguments);
    let output = command.arg("--help").output().unwrap();
    expect(&output, 0);
}

/// Returns the settings of a unit; those given twice are joined.
fn settings(unit: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut settings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let lines = unit.lines().filter(|line| !line.starts_with(['#', '[']) && !line.is_empty());
    for line in lines {
        let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{line}"));
        settings.entry(name).or_default().push(value);
    }
    settings
}

#[test]
fn the_unit_starts_a_command_that_exists_in_a_folder_that_it_may_write() {
    let unit = file("packaging/lookfar.service");
    let settings = settings(&unit);
    let one = |name: &str| match settings.get(name).map(Vec::as_slice) {
        Some([value]) => *value,
        other => panic!("{name}: {other:?}"),
    };
    let words: Vec<&str> = one("ExecStart").split(' ').collect();
    assert_eq!(words[0], "/usr/local/bin/lookfar");
    understood(&words[1..]);
    let folder = format!("/var/lib/{}", one("StateDirectory"));
    assert_eq!(one("Environment"), format!("LOOKFAR_DIR={folder}"));
    assert_eq!(one("ConditionPathExists"), format!("{folder}/lookfar.toml"));
    assert!(file("packaging/lookfar.sysusers").contains(&format!("u {} ", one("User"))));
    for (name, value) in [
        ("ProtectSystem", "strict"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("MemoryDenyWriteExecute", "yes"),
    ] {
        assert_eq!(one(name), value, "{name}");
    }
    assert!(one("LimitNOFILE").parse::<u64>().unwrap() >= 4_096);
}

/// systemd itself reads the unit, where there is one.
#[test]
fn systemd_finds_nothing_to_say_of_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    let verify = |unit: &str| {
        let path = folder.path().join("lookfar.service");
        fs::write(&path, unit).unwrap();
        let mut command = std::process::Command::new("systemd-analyze");
        // The manual is not installed where tests run.
        let output = command.args(["--man=no", "verify"]).arg(&path).output().ok()?;
        let told = text(&output.stderr);
        // Other units of the machine may have faults of their own.
        let ours: Vec<&str> = told.lines().filter(|line| line.contains("lookfar")).collect();
        Some(ours.join("\n"))
    };
    let unit = file("packaging/lookfar.service")
        .replace("/usr/local/bin/lookfar", env!("CARGO_BIN_EXE_lookfar"));
    let Some(told) = verify(&unit) else {
        println!("skipped: there is no systemd-analyze; install systemd");
        return;
    };
    assert_eq!(told, "");
    // It does look: a slip of the pen is told, though the exit code stays 0.
    let slip = verify(&unit.replace("ProtectHome=", "ProtectHomes=")).unwrap();
    assert!(slip.contains("ProtectHomes"), "{slip}");
}

#[test]
fn the_container_builds_what_exists_and_runs_it_as_nobody_special() {
    let docker = file("Dockerfile").replace("\\\n", " ");
    let of = |name: &str| -> Vec<&str> {
        docker.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).collect()
    };
    let manifest: toml::Table = file("Cargo.toml").parse().unwrap();
    let version = manifest["workspace"]["package"]["rust-version"].as_str().unwrap();
    assert!(of("FROM")[0].starts_with(&format!("rust:{version}-")), "{:?}", of("FROM"));
    // The profile says where the program lies afterwards.
    let build = of("RUN")[0];
    let profile = build.split("--profile ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(manifest["profile"].get(profile).is_some(), "{profile}");
    assert!(build.ends_with("--package cli") && build.contains("--locked"));
    assert!(docker.contains(&format!("/source/target/{profile}/lookfar /usr/local/bin/lookfar")));
    assert_eq!(of("USER"), ["7700:7700"]);
    assert!(of("RUN")[1].contains("--uid 7700 --gid 7700"));
    let command = |text: &str| serde_json::from_str::<Vec<String>>(text).unwrap();
    assert_eq!(command(of("ENTRYPOINT")[0]), ["lookfar"]);
    let run = command(of("CMD")[0]);
    understood(&run.iter().map(String::as_str).collect::<Vec<_>>());
    let health = of("HEALTHCHECK")[0].split("CMD ").nth(1).map(command).unwrap();
    assert_eq!(health[..2], ["lookfar", "health"]);
    understood(&health[1..].iter().map(String::as_str).collect::<Vec<_>>());
    let port = of("EXPOSE")[0];
    assert!(run.last().unwrap().ends_with(&format!(":{port}")) && health[3] == port);
    let folder = of("ENV")[0].strip_prefix("LOOKFAR_DIR=").unwrap();
    assert_eq!(command(of("VOLUME")[0]), [folder]);
    assert_eq!(of("WORKDIR"), ["/source", folder]);
}

#[test]
fn the_folder_may_come_from_the_environment() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lookfar"));
    command.arg("status").env("LOOKFAR_DIR", folder.path());
    let output = command.output().unwrap();
    expect(&output, 2);
    assert!(text(&output.stderr).contains(&folder.path().display().to_string()));
}

#[test]
fn a_page_that_lives_is_healthy_and_ends_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    base::Collection::open_or_create(folder.path()).unwrap();
    let command = lookfar(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let mut served = Served::from(command);
    let port = served.address().rsplit(':').next().unwrap().to_owned();
    expect(&output(folder.path(), &["health", "--port", &port]), 0);
    // As `docker stop` and systemd do.
    let id = served.child().id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(served.wait().code(), Some(0));
    let output = output(folder.path(), &["health", "--json", "--port", &port]);
    expect(&output, 1);
    assert!(text(&output.stdout).contains("\"is_alive\":false"));
}
