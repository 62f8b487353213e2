//! The folder of tools that all checkouts of this machine share.
//!
//! It is `$LOOKFAR_TOOLS`, else `lookfar/tools` in the user's cache. Each tool has a folder there
//! whose name says its version, so two checkouts that want different versions do not meet. A
//! stamp in it is written last and stands for everything before it; a lock beside it keeps two
//! runs from making the same folder at once.

use std::{
    env,
    ffi::OsString,
    fs::{self, File, TryLockError},
    path::{self, Path, PathBuf},
};

use anyhow::Context as _;

use crate::cargo;

/// The name of the stamp in the folder of a tool.
const STAMP: &str = "complete";

/// Returns the folder that holds the folders of all tools.
pub(crate) fn root() -> PathBuf {
    root_by(|name| env::var_os(name)).unwrap_or_else(|| cargo::target().join("tools"))
}

/// Returns the folder by the variables of an environment; `None` if it has no home either.
fn root_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = named("LOOKFAR_TOOLS") {
        return path::absolute(folder).ok();
    }
    // The XDG specification wants relative paths to be passed over.
    let cache = named("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let cache = cache.or_else(|| Some(named("HOME")?.join(".cache")))?;
    Some(cache.join("lookfar/tools"))
}

/// Returns the folder of a tool if the tool was installed to the end.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    find_below(&root(), name)
}

fn find_below(root: &Path, name: &str) -> Option<PathBuf> {
    Some(root.join(name)).filter(|folder| folder.join(STAMP).is_file())
}

/// Installs a tool into its folder by `work`, unless it is there and works.
///
/// What `works` says is asked again once the lock is ours: another run may have been faster.
pub(crate) fn install(
    name: &str,
    works: impl Fn(&Path) -> bool,
    work: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<PathBuf> {
    install_below(&root(), name, works, work)
}

fn install_below(
    root: &Path,
    name: &str,
    works: impl Fn(&Path) -> bool,
    work: impl FnOnce(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<PathBuf> {
    let _lock = lock(root, name)
        .with_context(|| format!("cannot write to the folder of tools, `{}`", root.display()))?;
    if let Some(folder) = find_below(root, name).filter(|folder| works(folder)) {
        return Ok(folder);
    }
    let folder = root.join(name);
    // What an interrupted run has left may be of any kind.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| cannot("empty", &folder))?;
    }
    fs::create_dir_all(&folder).with_context(|| cannot("make", &folder))?;
    work(&folder)?;
    fs::write(folder.join(STAMP), "").with_context(|| cannot("write to", &folder))?;
    Ok(folder)
}

/// Waits until no other run works on this tool; the lock ends with the file.
fn lock(root: &Path, name: &str) -> anyhow::Result<File> {
    fs::create_dir_all(root)?;
    let file = File::create(root.join(format!("{name}.lock")))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            eprintln!("another run installs {name}; waiting for it");
            file.lock()?;
        }
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    Ok(file)
}

fn cannot(verb: &str, path: &Path) -> String {
    format!("cannot {verb} `{}`", path.display())
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        thread,
        time::Duration,
    };

    use super::*;

    fn always(_: &Path) -> bool {
        true
    }

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Option<&str>) {
        let found = root_by(|name| {
            let value = variables.iter().find(|(variable, _)| *variable == name);
            value.map(|(_, value)| OsString::from(value))
        });
        assert_eq!(found, expected.map(PathBuf::from));
    }

    #[test]
    fn the_nearest_setting_names_the_folder() {
        let home = ("HOME", "/home/ann");
        check(&[home], Some("/home/ann/.cache/lookfar/tools"));
        check(&[home, ("XDG_CACHE_HOME", "/cache")], Some("/cache/lookfar/tools"));
        check(&[home, ("XDG_CACHE_HOME", "cache")], Some("/home/ann/.cache/lookfar/tools"));
        check(&[home, ("LOOKFAR_TOOLS", "/tools"), ("XDG_CACHE_HOME", "/c")], Some("/tools"));
        check(&[home, ("LOOKFAR_TOOLS", "")], Some("/home/ann/.cache/lookfar/tools"));
        check(&[], None);
    }

    #[test]
    fn what_was_not_installed_to_the_end_is_installed_again() {
        let root = tempfile::tempdir().unwrap();
        let failed = install_below(root.path(), "fork-1", always, |folder| {
            fs::write(folder.join("half"), "")?;
            anyhow::bail!("no network")
        });
        assert_eq!(failed.unwrap_err().to_string(), "no network");
        assert_eq!(find_below(root.path(), "fork-1"), None);
        let folder = install_below(root.path(), "fork-1", always, |folder| {
            assert!(!folder.join("half").exists());
            Ok(())
        });
        assert_eq!(find_below(root.path(), "fork-1"), Some(folder.unwrap()));
        assert_eq!(find_below(root.path(), "fork-2"), None);
    }

    #[test]
    fn what_does_not_work_any_more_is_installed_again() {
        let root = tempfile::tempdir().unwrap();
        let works = |folder: &Path| folder.join("program").is_file();
        let make =
            |folder: &Path| -> anyhow::Result<()> { Ok(fs::write(folder.join("program"), "")?) };
        let folder = install_below(root.path(), "fork-1", works, make).unwrap();
        fs::remove_file(folder.join("program")).unwrap();
        install_below(root.path(), "fork-1", works, make).unwrap();
        assert!(works(&folder));
        let never = |_: &Path| panic!("it works and is installed again");
        install_below(root.path(), "fork-1", works, never).unwrap();
    }

    #[test]
    fn two_runs_at_once_install_a_tool_once() {
        let root = tempfile::tempdir().unwrap();
        let count = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    install_below(root.path(), "fork-1", always, |_| {
                        count.fetch_add(1, Ordering::Relaxed);
                        thread::sleep(Duration::from_millis(20));
                        Ok(())
                    })
                    .unwrap();
                });
            }
        });
        assert_eq!(count.into_inner(), 1);
    }
}
