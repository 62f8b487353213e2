//! `lookfar graph spam`: farms land on the closed form (W7), bombs are found by their texts.

use std::fs;
use std::path::Path;

use super::{lines, on_arcs, refuse, says, scores};
use crate::run::{expect, output, text};

/// A target that trades links with `num_supporters` pages; ten pages in a ring, of which one
/// links to the target.
fn farm(num_supporters: usize) -> String {
    let mut arcs = String::from("r0\tT\n");
    for number in 0..num_supporters {
        arcs += &format!("T\ts{number}\ns{number}\tT\n");
    }
    for number in 0..10 {
        arcs += &format!("r{number}\tr{}\n", (number + 1) % 10);
    }
    arcs
}

#[track_caller]
fn check_closed_form(num_supporters: usize, beta: f64) {
    let (arcs, chance) = (farm(num_supporters), beta.to_string());
    let ranks = scores(&on_arcs(&arcs, "pagerank", &["--beta", &chance, "--json", "--all"]));
    let output = on_arcs(&arcs, "spam", &["--beta", &chance, "--json"]);
    expect(&output, 0);
    let found = lines(&output);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["kind"], "farm");
    assert_eq!(found[0]["targets"], serde_json::json!(["T"]));
    assert_eq!(found[0]["num_pages"], num_supporters);
    let num_nodes = (num_supporters + 11) as f64;
    let elsewhere = beta * ranks["r0"] / 2.0 + (1.0 - beta) / num_nodes;
    let boost = beta / (1.0 + beta) * num_supporters as f64 / num_nodes;
    let rank = elsewhere / (1.0 - beta * beta) + boost;
    let figure = |name: &str| found[0]["figures"][name].as_f64().unwrap();
    assert!((figure("rank") - rank).abs() < 1e-9, "{} is not {rank}", figure("rank"));
    assert!((ranks["T"] - rank).abs() < 1e-9);
    let whole = figure("rank_without") + figure("boost");
    assert!((whole - rank).abs() < 1e-9);
}

#[test]
fn w7_a_farm_lands_on_the_closed_form() {
    check_closed_form(20, 0.85);
    check_closed_form(200, 0.85);
    check_closed_form(35, 0.8);
}

#[test]
fn findings_come_with_reasons_scores_and_a_preview() {
    let shown = text(&on_arcs(&farm(20), "spam", &[]).stdout);
    assert!(shown.starts_with("1. farm, certain to 0."), "{shown}");
    let reason = "   - 20 pages on 20 hosts of 20 owners link to this page and hardly elsewhere";
    assert!(shown.contains(reason), "{shown}");
    assert!(shown.contains("   targets: T\n"), "{shown}");
    assert!(shown.contains("s2, s3, s4 and 15 more\n"), "{shown}");
    for option in ["--pages", "--hosts"] {
        let found = lines(&on_arcs(&farm(20), "spam", &[option, "--json", "--all"]));
        assert_eq!(found.len(), 21);
        assert!(found.iter().all(|line| !line["node"].as_str().unwrap().starts_with('r')));
    }
    let found = lines(&on_arcs(&farm(20), "spam", &["--preview", "--json", "--all"]));
    assert_eq!((&found[0]["node"], &found[0]["place_before"]), (&"T".into(), &1.into()));
    let number = |key: &str| found[0][key].as_f64().unwrap();
    assert!(number("after") < number("before") / 2.0, "{}", found[0]);
    // What a preview says is what ranking does without the links of the supporters.
    let without: String = farm(20)
        .lines()
        .filter(|arc| !arc.starts_with('s'))
        .map(|arc| format!("{arc}\n"))
        .collect();
    let ranks = scores(&on_arcs(&without, "pagerank", &["--json", "--all"]));
    assert!((number("after") - ranks["T"]).abs() < 1e-9);
}

#[test]
fn rankings_behind_a_report_are_told_step_by_step() {
    let folder = tempfile::tempdir().unwrap();
    let (log, plot) = (folder.path().join("log"), folder.path().join("plot.svg"));
    let log_option = format!("--log={}", log.display());
    let told = ["--preview", &log_option, "--plot", plot.to_str().unwrap()];
    let found = on_arcs(&farm(20), "spam", &told);
    let rankings = ["all links", "without farms", "rank now", "rank then"];
    for name in rankings {
        says(&found, 0, &format!("{name}: converged after"));
    }
    let log = fs::read_to_string(log).unwrap();
    for name in rankings {
        assert!(log.contains(&format!("\n{name}\t1\t")), "{log}");
    }
    assert!(fs::read_to_string(plot).unwrap().contains("</svg>"));
    // A farm that trades links is a star, which swings if nobody jumps.
    let found = on_arcs(&farm(20), "spam", &["--beta", "1", "--min-boost", "0"]);
    says(&found, 1, "all links: not converged after 1,000 steps");
    let found = on_arcs(&farm(20), "spam", &["--iterations", "3"]);
    says(&found, 0, "all links: not converged after 3 steps");
}

/// Thirty-six pages on twelve hosts of two owners, all of which link to the same five pages.
fn shared_targets() -> String {
    let mut arcs = String::new();
    for number in 0..36 {
        let (host, owner) = (number % 12, number % 2);
        let page = format!("http://h{host}.o{owner}.example/{number}");
        for target in 0..5 {
            arcs += &format!("{page}\thttp://t{target}.test/\n");
        }
    }
    arcs
}

#[test]
fn shared_targets_come_with_their_boost() {
    let arcs = shared_targets();
    let output = on_arcs(&arcs, "spam", &["--json"]);
    expect(&output, 0);
    let found = lines(&output);
    assert_eq!((found.len(), &found[0]["kind"]), (1, &"shared targets".into()), "{found:?}");
    let ranks = scores(&on_arcs(&arcs, "pagerank", &["--json", "--all"]));
    let targets = ranks.iter().filter(|(name, _)| name.contains(".test/"));
    let rank: f64 = targets.map(|(_, rank)| rank).sum();
    let figure = |name: &str| found[0]["figures"][name].as_f64().unwrap();
    assert!((figure("rank") - rank).abs() < 1e-9, "{} is not {rank}", figure("rank"));
    // Without these links there are none, and all 41 pages are alike.
    assert!((figure("rank_without") - 5.0 / 41.0).abs() < 1e-9, "{}", figure("rank_without"));
    assert!((figure("boost") - (rank - 5.0 / 41.0)).abs() < 1e-9, "{}", figure("boost"));
    let shown = text(&on_arcs(&arcs, "spam", &[]).stdout);
    let told = "without these links the targets would have a rank of 1.220e-1 together";
    assert!(shown.contains(told), "{shown}");
}

#[test]
fn a_few_friends_and_a_site_are_no_spam() {
    for arcs in [farm(5), "A\tB\nB\tA\n".to_owned(), String::new()] {
        let output = on_arcs(&arcs, "spam", &["--json"]);
        says(&output, 1, "no spam was found");
        assert!(output.stdout.is_empty());
    }
    // The same shape as a farm, but all of it one site's.
    let site = farm(30).replace('T', "http://a.example/").replace("\ts", "\thttp://a.example/s");
    let site = site.replace("\ns", "\nhttp://a.example/s");
    let output = on_arcs(&site, "spam", &[]);
    says(&output, 1, "no spam was found");
    assert!(!text(&output.stderr).contains("note: "));
    says(&on_arcs(&farm(5), "spam", &[]), 1, "note: no name is an address, so each node is");
    // Who asks for less finds more.
    expect(&on_arcs(&farm(5), "spam", &["--min-supporters", "5"]), 0);
}

#[test]
fn spam_wants_chances() {
    refuse(&farm(20), "spam", &["--beta", "-1"], "it must be between 0 and 1");
    refuse(&farm(20), "spam", &["--beta", "NaN"], "beta is");
    for share in ["-0.1", "NaN", "2"] {
        refuse(&farm(20), "spam", &["--min-boost", share], "it must be between 0 and 1");
    }
    says(&on_arcs(&farm(20), "spam", &["--hosts", "--preview"]), 2, "cannot be used with");
}

/// Imports a page or several of a host.
fn import(folder: &Path, dir: &Path, host: &str, pages: &[(String, String)]) {
    let site = folder.join(host);
    fs::create_dir(&site).unwrap();
    for (name, body) in pages {
        fs::write(site.join(name), body).unwrap();
    }
    let url = format!("http://{host}/");
    expect(&output(dir, &["import", "folder", site.to_str().unwrap(), "--url", &url]), 0);
}

#[test]
fn a_bomb_is_a_phrase_that_its_target_never_says() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let text = "The office builds roads and bridges, and opens each of them with a small speech, a \
                band, and cake for everybody who comes. Cheap cake it is.";
    let office =
        [("index.html".to_owned(), format!("<title>Office of roads</title><p>{text}</p>"))];
    import(folder.path(), &dir, "office.example", &office);
    for host in ["one.pranks.example", "two.pranks.example", "three.pranks.example"] {
        let page = |number: usize| {
            let body = format!(
                "<title>{host} {number}</title><p>Day {number}: see the \
                 <a href='http://office.example/'>miserable failure</a>, and its \
                 <a href='http://office.example/news.html'>cheap cake</a>. Then \
                 <a href='{}.html'>on</a> we go.</p>",
                (number + 1) % 8
            );
            (format!("{number}.html"), body)
        };
        let pages: Vec<_> = (0..8).map(page).collect();
        import(folder.path(), &dir, host, &pages);
    }
    // Somebody says it himself, among others who say other things.
    let boat = "My boat sank on its first day, in calm water. It was a miserable failure, and I have \
                told of it at every party since then, with more water each time.";
    let essay = format!("<title>On a miserable failure</title><p>{boat}</p>");
    let other = |number: usize| {
        let words: String = (0..40).map(|place| format!("word{number}x{place} ")).collect();
        (format!("f{number}.html"), format!("<title>Essay {number}</title><p>{words}</p>"))
    };
    let mut essays: Vec<_> = (0..40).map(other).collect();
    essays.push(("boat.html".to_owned(), essay));
    import(folder.path(), &dir, "essays.example", &essays);
    expect(&output(&dir, &["graph", "build"]), 0);
    let found = output(&dir, &["graph", "spam", "--json"]);
    expect(&found, 0);
    let bombs: Vec<_> = lines(&found).into_iter().filter(|line| line["kind"] == "bomb").collect();
    assert_eq!(bombs.len(), 1, "{bombs:?}");
    assert_eq!(bombs[0]["figures"]["phrase"], "miserable failure");
    assert_eq!(bombs[0]["targets"], serde_json::json!(["http://office.example/"]));
    assert_eq!((&bombs[0]["num_pages"], &bombs[0]["num_owners"]), (&24.into(), &2.into()));
    let links_only = lines(&output(&dir, &["graph", "spam", "--no-anchors", "--json"]));
    assert!(links_only.iter().all(|line| line["kind"] != "bomb"));
    says(&output(&dir, &["graph", "spam", "--preview"]), 0, "note: bombs (1) change no rank");
    a_bomb_does_not_go_off(&dir);
}

#[test]
fn links_are_looked_at_as_they_count() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("c");
    let page = |number: usize, body: &str| {
        let words: String = (0..30).map(|place| format!("w{number}x{place} ")).collect();
        (format!("{number}.html"), format!("<title>{number}</title><p>{words}</p>{body}"))
    };
    import(folder.path(), &dir, "t.example", &[page(0, "")]);
    for host in 1..4 {
        let link = "<a rel=nofollow href='http://t.example/0.html'>t</a>";
        let pages: Vec<_> = (0..6).map(|number| page(10 * host + number, link)).collect();
        import(folder.path(), &dir, &format!("h{host}.farm.example"), &pages);
    }
    expect(&output(&dir, &["graph", "build"]), 0);
    says(&output(&dir, &["graph", "spam"]), 1, "no spam was found");
    // Whoever lets such links count, and not those of spam, is told of the farm that they make.
    fs::write(dir.join("lookfar.toml"), "[graph]\nnofollow = 0.5\nspam = false\n").unwrap();
    let found = output(&dir, &["graph", "spam", "--json"]);
    expect(&found, 0);
    let found = lines(&found);
    assert_eq!((found.len(), &found[0]["kind"]), (1, &"farm".into()), "{found:?}");
    assert_eq!(found[0]["num_pages"], 18);
}

/// Whoever says the phrase himself comes before the page that others call so.
fn a_bomb_does_not_go_off(dir: &Path) {
    let found = output(dir, &["search", "miserable failure", "--json", "-k", "50"]);
    expect(&found, 0);
    let found = lines(&found);
    assert_eq!(found[0]["url"], "http://essays.example/boat.html");
    let score = |line: &serde_json::Value| line["score"].as_f64().unwrap();
    for line in &found {
        let is_target = line["url"] == "http://office.example/";
        assert!(!is_target || score(line) < score(&found[0]) / 2.0, "{line}");
    }
    assert!(found.iter().any(|line| line["url"].as_str().unwrap().contains("pranks")), "{found:?}");
}

/// The demo's web: the farm is named, and nothing else is.
pub(super) fn names_the_farm_only(dir: &Path) {
    let found = output(dir, &["graph", "spam", "--json", "--all"]);
    expect(&found, 0);
    let found = lines(&found);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["targets"], serde_json::json!(["http://cheap-lamps.lookfar/"]));
    assert_eq!(
        found[0]["hosts"],
        serde_json::json!(["best-offers.lookfar", "cheap-lamps.lookfar"])
    );
    let pages = found[0]["pages"].as_array().unwrap();
    assert!(pages.len() >= 70, "{}", pages.len());
    let preview = lines(&output(dir, &["graph", "spam", "--preview", "--json"]));
    assert_eq!(preview[0]["node"], "http://cheap-lamps.lookfar/");
    let place = |key: &str| preview[0][key].as_u64().unwrap();
    assert!(place("place_after") > 10 * place("place_before"), "{}", preview[0]);
}
