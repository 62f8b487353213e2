//! Storage that fails under the whole program: flipped bits, files that cannot be read, folders
//! that may not be written, an index that is gone.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};

use crate::run::{Served, expect, lookfar, output, text, wait_until};

/// More pages than a list of a strategy needs at least.
const PAGES: usize = 80;

/// Makes a collection of small pages that link to each other, with lists of strategies.
pub(crate) fn collection(folder: &Path) -> PathBuf {
    let (dir, docs) = (folder.join("c"), folder.join("docs"));
    fs::create_dir(&docs).unwrap();
    for number in 0..PAGES {
        let (next, far) = ((number + 1) % PAGES, (number * 7) % PAGES);
        let page = format!(
            "<html lang=en><title>Jaguar {number}</title><p>A jaguar sleeps on tree {number}. <a \
             href=p{next}.html>the next tree</a> <a href=p{far}.html>tree number {far}</a>"
        );
        fs::write(docs.join(format!("p{number}.html")), page).unwrap();
    }
    let docs = docs.to_str().unwrap();
    expect(&output(&dir, &["import", "folder", docs, "--url", "http://a.example/"]), 0);
    expect(&output(&dir, &["search", "jaguar", "--strategy", "threshold"]), 0);
    dir
}

fn answers(dir: &Path) -> Vec<String> {
    let ask = |query| text(&output(dir, &["search", "--unfolded", "--json", query]).stdout);
    ["jaguar", "tree 7", "\"sleeps on tree 9\"", "number OR next"].map(ask).to_vec()
}

/// Returns the files below a folder whose name ends so.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.to_str().unwrap().ends_with(ending) => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn sto_07_check_names_a_file_with_a_flipped_bit_and_repairs_what_can_be_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    expect(&output(&dir, &["check"]), 0);
    for (part, ending) in [
        ("scores", "lists"),
        ("index", ".idx"),
        ("graph", "nodes"),
        ("anchors", ".store"),
        ("scores", "suggestions"),
    ] {
        let path = files(&dir.join(part), ending).pop().unwrap_or_else(|| {
            panic!("{ending} is not among {:?}", files(&dir.join(part), ""));
        });
        let mut bytes = fs::read(&path).unwrap();
        let place = bytes.len() / 3;
        bytes[place] ^= 16;
        fs::write(&path, &bytes).unwrap();
        let checked = output(&dir, &["check"]);
        expect(&checked, 1);
        let said = text(&checked.stdout);
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_named = |line: &str| line.contains("PROBLEM") && line.contains(name);
        assert!(said.lines().any(is_named), "{name}:\n{said}");
        let repaired = output(&dir, &["check", "--repair"]);
        expect(&repaired, 0);
        assert!(text(&repaired.stdout).contains("anew"), "{part}");
        expect(&output(&dir, &["check"]), 0);
        assert_eq!(answers(&dir), before, "{part}");
        // A new generation and a new commit want new lists.
        expect(&output(&dir, &["search", "jaguar", "--strategy", "threshold"]), 0);
    }
    expect(&output(&dir, &["check", "--repair"]), 0);
}

/// Every file that is made of the page log: index, anchors, graph, scores, lists, suggestions.
#[test]
fn sto_07_check_finds_a_flipped_bit_in_every_file_that_can_be_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let mut kinds = Vec::new();
    for part in ["index", "anchors", "graph", "scores"] {
        for path in files(&dir.join(part), "") {
            let whole = fs::read(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            // Locks are empty, and so is a list of nothing.
            let Some(end) = whole.len().checked_sub(1) else { continue };
            for place in [end / 3, end] {
                let mut bytes = whole.clone();
                bytes[place] ^= 16;
                fs::write(&path, &bytes).unwrap();
                let checked = output(&dir, &["check"]);
                let said = text(&checked.stdout);
                let is_found = said.lines().any(|line| line.contains("PROBLEM"));
                assert!(is_found && checked.status.code() == Some(1), "{name} at {place}: {said}");
            }
            fs::write(&path, &whole).unwrap();
            let kind = name.rsplit_once('.').map_or(name, |(_, kind)| kind).to_owned();
            kinds.push(format!("{part}/{kind}"));
        }
    }
    let parts = ["idx", "pos", "term", "store", "fast", "fieldnorm", "json"];
    let segments = ["index", "anchors"].map(|part| parts.map(|kind| format!("{part}/{kind}")));
    let others = ["graph/nodes", "graph/graph", "scores/f32", "scores/lists", "scores/suggestions"];
    for kind in segments.iter().flatten().map(String::as_str).chain(others) {
        assert!(kinds.iter().any(|one| one == kind), "{kind} is not among {kinds:?}");
    }
    expect(&output(&dir, &["check"]), 0);
}

/// Every file that is made of the page log, but the lists: they are made when they are asked for.
#[test]
fn sto_08_check_tells_when_any_file_that_can_be_made_anew_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    let away = folder.path().join("away");
    for part in ["index", "anchors", "graph", "scores"] {
        for path in files(&dir.join(part), "") {
            let name = path.file_name().unwrap().to_str().unwrap();
            if name == "lists" || name.ends_with(".lock") {
                continue;
            }
            fs::rename(&path, &away).unwrap();
            let checked = output(&dir, &["check"]);
            let said = text(&checked.stdout);
            let is_found = said.lines().any(|line| line.contains("PROBLEM"));
            assert!(is_found && checked.status.code() == Some(1), "{part}/{name}: {said}");
            fs::rename(&away, &path).unwrap();
        }
    }
    expect(&output(&dir, &["check"]), 0);
    fs::remove_file(files(&dir.join("scores"), "suggestions").pop().unwrap()).unwrap();
    expect(&output(&dir, &["check", "--repair"]), 0);
    assert!(!files(&dir.join("scores"), "suggestions").is_empty());
    assert_eq!(answers(&dir), before);
}

/// What lies there is read, and the system answers with an error: EIO.
#[test]
fn sto_05_a_file_that_cannot_be_read_is_named_and_the_rest_answers() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    for (part, ending) in [("archive", ".warc.gz"), ("pages", ".log"), ("scores", "lists")] {
        let path = files(&dir.join(part), ending).remove(0);
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        symlink("/proc/self/mem", &path).unwrap();
        let checked = output(&dir, &["check"]);
        expect(&checked, 1);
        let said = text(&checked.stdout);
        let named = |line: &str| line.contains("PROBLEM") && line.contains(ending);
        assert!(said.lines().any(named), "{part}:\n{said}");
        assert!(said.contains(&format!("{PAGES} documents")) || part == "pages", "{said}");
        assert_eq!(answers(&dir), before, "{part}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, whole).unwrap();
    }
    expect(&output(&dir, &["check"]), 0);
}

#[test]
fn sto_05_a_file_of_the_index_that_cannot_be_read_is_named_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    for ending in [".term", ".idx", ".pos", ".store", ".fast"] {
        let path = files(&dir.join("index"), ending).remove(0);
        fs::remove_file(&path).unwrap();
        symlink("/proc/self/mem", &path).unwrap();
        let checked = output(&dir, &["check"]);
        expect(&checked, 1);
        let said = text(&checked.stdout);
        let name = path.file_name().unwrap().to_str().unwrap();
        let named = |line: &str| line.contains("PROBLEM") && line.contains(name);
        assert!(said.lines().any(named), "{said}");
        expect(&output(&dir, &["check", "--repair"]), 0);
        assert_eq!(answers(&dir), before, "{ending}");
    }
}

#[test]
fn sto_11_an_index_that_is_gone_is_made_again_with_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    assert!(before.iter().all(|answers| !answers.is_empty()));
    fs::remove_dir_all(dir.join("index")).unwrap();
    expect(&output(&dir, &["search", "jaguar"]), 1);
    // From the archive.
    expect(&output(&dir, &["reparse"]), 0);
    assert_eq!(answers(&dir), before);
    expect(&output(&dir, &["check"]), 0);
}

/// Checks that an index is told to be broken, and is mended to the same answers.
#[track_caller]
fn check_mended(dir: &Path, named: &str, before: &[String]) {
    let checked = output(dir, &["check"]);
    expect(&checked, 1);
    let said = text(&checked.stdout);
    let is_named =
        |line: &str| line.starts_with("index") && line.contains("PROBLEM") && line.contains(named);
    assert!(said.lines().any(is_named), "{named}:\n{said}");
    let repaired = output(dir, &["check", "--repair"]);
    expect(&repaired, 0);
    assert!(text(&repaired.stdout).contains("the index is made anew"));
    assert_eq!(answers(dir), before, "{named}");
}

#[test]
fn sto_08_an_index_that_is_gone_or_lacks_a_list_is_a_problem_and_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    let index = dir.join("index");
    for name in ["FORMAT", "meta.json", ".managed.json"] {
        fs::remove_file(index.join(name)).unwrap();
        if name == "meta.json" {
            // Whoever searches is told too, instead of finding nothing.
            let searched = output(&dir, &["search", "jaguar"]);
            expect(&searched, 2);
            assert!(text(&searched.stderr).contains("meta.json"), "{}", text(&searched.stderr));
        }
        check_mended(&dir, name, &before);
        fs::write(index.join(name), "something else").unwrap();
        check_mended(&dir, name, &before);
    }
    fs::remove_dir_all(&index).unwrap();
    check_mended(&dir, "there is no index", &before);
    // Nothing is thrown away that may be somebody's.
    fs::remove_file(index.join("FORMAT")).unwrap();
    fs::write(index.join("letter.txt"), "dear").unwrap();
    expect(&output(&dir, &["check"]), 1);
    let refused = output(&dir, &["check", "--repair"]);
    expect(&refused, 2);
    assert!(text(&refused.stderr).contains("letter.txt"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_to_string(index.join("letter.txt")).unwrap(), "dear");
}

/// The anchor texts are an index too, with files of the same kinds that are whole.
#[test]
fn sto_08_a_file_of_another_index_is_named_and_the_index_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    for ending in [".term", ".idx", ".pos", ".store", ".fast", ".fieldnorm"] {
        let [ours, theirs] = ["index", "anchors"].map(|part| {
            files(&dir.join(part), ending).pop().unwrap_or_else(|| panic!("{part} has no {ending}"))
        });
        let bytes = fs::read(theirs).unwrap();
        fs::remove_file(&ours).unwrap();
        fs::write(&ours, bytes).unwrap();
        // Nobody answers out of it.
        expect(&output(&dir, &["search", "jaguar"]), 2);
        check_mended(&dir, ours.file_name().unwrap().to_str().unwrap(), &before);
    }
}

#[test]
fn records_that_are_not_indexed_yet_are_told_by_check_and_are_no_problem() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    drop(base::Collection::open_or_create(&dir).unwrap());
    // Nobody has crawled anything: there need not be an index.
    let checked = output(&dir, &["check"]);
    expect(&checked, 0);
    assert!(text(&checked.stdout).contains("index      empty"), "{}", text(&checked.stdout));
    let dir = collection(folder.path());
    // The next record, as a crawl leaves it that is killed before it commits.
    let collection = base::Collection::open(&dir).unwrap();
    let start = base::log::Position::START;
    let mut log = base::pages::Reader::open(&collection.pages(), start).unwrap();
    let record = log.next_entry().unwrap().unwrap().record;
    let mut log = base::pages::Writer::open(&collection.pages()).unwrap();
    log.append(&record).unwrap();
    log.sync().unwrap();
    drop(log);
    let said = text(&output(&dir, &["check"]).stdout);
    let told = format!("{PAGES} documents (and 1 record not indexed yet");
    assert!(said.contains(&told), "{said}");
    assert!(!said.contains("index      PROBLEM"), "{said}");
}

#[test]
fn sto_12_a_folder_that_may_not_be_written_is_refused_and_can_be_searched() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let before = files(&dir, "");
    let mut folders: Vec<PathBuf> =
        before.iter().map(|path| path.parent().unwrap().to_owned()).collect();
    folders.push(dir.clone());
    for path in &before {
        fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
    }
    for path in &folders {
        fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
    }
    // Root may write everywhere: whoever runs this as root becomes nobody first.
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let run = |arguments: &[&str]| {
        let mut command = lookfar(&dir, arguments);
        if is_root {
            command.uid(65_534).gid(65_534);
        }
        command.output().unwrap()
    };
    for arguments in [&["crawl", "http://a.example/"][..], &["reparse"], &["forget", "a.example"]] {
        let refused = run(arguments);
        expect(&refused, 2);
        let said = text(&refused.stderr);
        assert!(said.starts_with("error: ") && said.to_lowercase().contains("denied"), "{said}");
        assert!(said.contains(dir.to_str().unwrap()), "{said}");
    }
    expect(&run(&["search", "jaguar"]), 0);
    for path in &folders {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert_eq!(files(&dir, ""), before);
}

#[test]
fn sto_12_a_link_out_of_the_collection_is_refused_unless_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let elsewhere = folder.path().join("other disk");
    fs::rename(dir.join("archive"), &elsewhere).unwrap();
    symlink(&elsewhere, dir.join("archive")).unwrap();
    for arguments in [&["crawl", "http://a.example/"][..], &["reparse"]] {
        let refused = output(&dir, arguments);
        expect(&refused, 2);
        let said = text(&refused.stderr);
        assert!(said.contains("archive` is a link that leads out of the collection"), "{said}");
    }
    expect(&output(&dir, &["search", "jaguar"]), 0);
    let config = dir.join("lookfar.toml");
    let allowed = "[crawl]\noutside_folders = true\n";
    fs::write(&config, allowed).unwrap();
    expect(&output(&dir, &["reparse"]), 0);
    assert!(!files(&elsewhere, "").is_empty());
}

/// Cuts the files of an index that are mapped into memory.
fn cut(folder: &Path) {
    for file in files(folder, "") {
        let is_mapped = ["store", "term", "idx", "pos", "fast", "fieldnorm"]
            .iter()
            .any(|ending| file.extension().is_some_and(|found| found == *ending));
        if is_mapped {
            fs::File::options().write(true).open(file).unwrap().set_len(0).unwrap();
        }
    }
}

#[test]
fn sto_08_a_crawl_lives_on_too_and_makes_its_index_anew() {
    let links: String = (0..400).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let site = (0..400).fold(testweb::Script::new("a.lookfar").page("/", &links), |site, n| {
        site.page(&format!("/{n}"), &format!("<title>Jaguar</title><p>A jaguar on tree {n}"))
    });
    let web = testweb::Web::new().site(site).start().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    crate::run::collection(&dir, &web, "delay = \"50ms\"\n[serve]\nlisten = \"127.0.0.1:0\"");
    let served = Served::from(lookfar(&dir, &["up", "http://a.lookfar/"]));
    let found = || served.get("/api/v1/search?q=jaguar&folded=0").contains("http://a.lookfar/");
    wait_until("something is found", found);
    cut(&dir.join("index"));
    // Whoever asks, or the next commit, meets the cut; then pages come in again.
    served.get("/api/v1/search?q=tree");
    wait_until("something is found again", found);
}

#[test]
fn sto_08_a_server_lives_on_when_the_files_of_its_index_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let dir = collection(folder.path());
    let before = answers(&dir);
    let served = Served::start(&dir);
    let status = |path: &str| served.get(path)[9..12].to_owned();
    assert_eq!(status("/api/v1/search?q=jaguar"), "200");
    cut(&dir.join("index"));
    // What is in memory may still be answered; what is not is an error, and never the end.
    for query in ["jaguar", "sleeps", "tree+7", "%22number+9%22", "next", "jaguar"] {
        assert_eq!(status(&format!("/api/v1/search?q={query}")), "500", "{query}");
    }
    assert_eq!(status("/"), "200");
    drop(served);
    expect(&output(&dir, &["check", "--repair"]), 0);
    assert_eq!(answers(&dir), before);
}
