//! The file of pages that a crawl begins at, changed line by line.
//!
//! People write into it too, so their remarks and their order stay. A line is a URL, a remark
//! that begins with `#`, or empty.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result};
use base::file::write_whole;
use base::{Rules, Url};

use crate::place::seeds_text;

/// Writes more pages behind those that are there; makes the file if there is none.
pub(crate) fn append(path: &Path, fresh: &[Url]) -> Result<()> {
    let Some(mut text) = text_of(path)? else { return write(path, &seeds_text(fresh)) };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.extend(fresh.iter().map(|url| format!("{url}\n")));
    write(path, &text)
}

/// Takes out every line that means this page.
pub(crate) fn remove(path: &Path, url: &Url, rules: Rules) -> Result<()> {
    let text = text_of(path)?.unwrap_or_default();
    let is_it = |line: &str| Url::parse_with(line.trim(), rules).is_ok_and(|seed| seed == *url);
    let left: String = text.split_inclusive('\n').filter(|line| !is_it(line)).collect();
    write(path, &left)
}

fn text_of(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => Ok(Some(read.with_context(|| format!("cannot read `{}`", path.display()))?)),
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    write_whole(path, text.as_bytes()).with_context(|| format!("cannot write `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse_with(text, Rules::NONE).unwrap()
    }

    #[test]
    fn remarks_and_order_survive_every_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seeds.txt");
        append(&path, &[url("http://a.example/")]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), seeds_text(&[url("http://a.example/")]));
        let text = "# mine\nhttp://b.example/\n\n# why: http://a.example/\nhttp://A.example \nhttp://c.example/";
        fs::write(&path, text).unwrap();
        remove(&path, &url("http://a.example/"), Rules::NONE).unwrap();
        let text = text.replace("http://A.example \n", "");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        append(&path, &[url("http://d.example/")]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), text + "\nhttp://d.example/\n");
    }
}
