//! `lookfar export`: rows for other programs, the same in every format.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;

use crate::run::{expect, lookfar, output, text};

/// Makes a collection of a few pages that link to each other.
fn collection(folder: &Path) -> PathBuf {
    let (dir, docs) = (folder.join("c"), folder.join("docs"));
    fs::create_dir(&docs).unwrap();
    for number in 0..30 {
        let page = format!(
            "<html lang=en><title>Page {number}</title><p>unique{number} words \"quoted\" æ\n\
             <a href={}.html rel=nofollow>next one</a><p>{}",
            number + 1,
            // More than a pipe holds, in all.
            "and many more words ".repeat(500)
        );
        fs::write(docs.join(format!("{number}.html")), page).unwrap();
    }
    let docs = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", docs, "--url", "http://a.example/"]), 0);
    dir
}

fn rows(dir: &Path, table: &str) -> Vec<Value> {
    let lines = output(dir, &["export", table]);
    expect(&lines, 0);
    text(&lines.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn json(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => (*flag).into(),
        Field::Long(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        other => panic!("no column holds {other}"),
    }
}

#[test]
fn both_formats_hold_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    for (table, count) in [("pages", 30), ("links", 30), ("ids", 30)] {
        let lines = rows(&dir, table);
        assert_eq!(lines.len(), count, "{table}");
        let path = folder.path().join(format!("{table}.parquet"));
        let file = path.to_str().unwrap();
        expect(&output(&dir, &["export", table, "--format", "parquet", "--output", file]), 0);
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        let mut num_rows = 0;
        for (row, line) in reader.get_row_iter(None).unwrap().zip(&lines) {
            num_rows += 1;
            for (name, field) in row.unwrap().get_column_iter() {
                let expected = &line[name.as_str()];
                match name.as_str() {
                    // Moments are numbers there and texts here.
                    "fetched" | "published" | "modified" => {}
                    _ => assert_eq!(&json(field), expected, "{table}: {name}"),
                }
            }
        }
        assert_eq!(num_rows, count, "{table}");
    }
    let pages = rows(&dir, "pages");
    let page = pages.iter().find(|row| row["url"] == "http://a.example/7.html").unwrap();
    assert_eq!((&page["title"], &page["status"]), (&"Page 7".into(), &200.into()));
    assert!(page["text"].as_str().unwrap().contains("unique7 words \"quoted\" æ"));
    let link = &rows(&dir, "links")[0];
    assert_eq!(
        (&link["anchor"], &link["kind"], &link["nofollow"]),
        (&"next one".into(), &"anchor".into(), &true.into())
    );
    assert_eq!(
        (&link["before"], &link["behind"]),
        (&"unique0 words \"quoted\" æ".into(), &Value::Null)
    );
}

#[test]
fn what_a_page_says_of_itself_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, docs) = (folder.path().join("c"), folder.path().join("docs"));
    fs::create_dir(&docs).unwrap();
    let page = "<html lang=de-AT><head><title>Zoo</title>\
         <meta property=og:site_name content='The zoos'><meta property=og:type content=article>\
         <link rel=alternate hreflang=en href=/en>\
         <meta name=geo.position content='48.2;16.37'><meta name=geo.placename content=Wien>\
         <meta name=geo.region content=AT></head>\
         <p>Wir haben <b>sehr viele</b> Tiere in unserem Zoo in Wien und noch mehr.\
         <img src=/tiger.jpg width=300 height=200 alt='Ein Tiger'>\
         <p style='color:#fff;background:#fff'>billige reisen billige fluege";
    fs::write(docs.join("zoo.html"), page).unwrap();
    let docs = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", docs, "--url", "http://a.example/"]), 0);
    let row = &rows(&dir, "pages")[0];
    for (name, value) in [
        ("site", "The zoos"),
        ("declared", "de-at"),
        ("types", "article"),
        ("alternates", "en http://a.example/en"),
        ("places", "Wien; at; 48.2, 16.37"),
        ("images", "http://a.example/tiger.jpg 300x200 Ein Tiger"),
        ("emphasis", "sehr viele"),
        ("hidden", "colour: billige reisen billige fluege"),
    ] {
        assert_eq!(row[name], value, "{name} in {row}");
    }
    assert!(row["hidden_percent"].as_u64().unwrap() > 10, "{row}");
}

#[test]
fn a_page_has_one_row_and_a_forgotten_one_none() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let docs = folder.path().join("docs");
    fs::write(docs.join("3.html"), "<title>Changed</title><p>all new").unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    File::options().append(true).open(docs.join("3.html")).unwrap().set_modified(later).unwrap();
    let path = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", path, "--url", "http://a.example/"]), 0);
    expect(&output(&dir, &["forget", "http://a.example/4.html"]), 0);
    let pages = rows(&dir, "pages");
    assert_eq!(pages.len(), 29);
    let of = |name: &str| {
        let url = format!("http://a.example/{name}.html");
        pages.iter().filter(|row| row["url"] == url.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("3")[0]["title"], "Changed");
    assert_eq!((of("3").len(), of("4").len()), (1, 0));
    let ids: Vec<Value> = rows(&dir, "ids").iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids.len(), 29);
}

#[test]
fn fields_are_chosen_and_mistakes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let some = output(&dir, &["export", "pages", "--fields", "title,id"]);
    assert!(text(&some.stdout).starts_with("{\"title\":\"Page 0\",\"id\":"), "{some:?}");
    expect(&output(&dir, &["export", "pages", "--fields", "colour"]), 2);
    expect(&output(&dir, &["export", "pages", "--format", "parquet"]), 2);
    expect(&output(&folder.path().join("nowhere"), &["export", "ids"]), 2);
}

#[test]
fn a_closed_pipe_is_success() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let mut command = lookfar(&dir, &["export", "pages"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut some = [0; 1];
    let mut out = child.stdout.take().unwrap();
    let _ = out.read(&mut some).unwrap();
    drop(out);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
