//! Token F1 against what manuals themselves mark as the content of a page.
//!
//! No reader was made for these pages, and none was asked what their content is: each manual's own
//! mark-up says where it begins and ends. All of it counts, lists of contents and notes too.

use std::fs;
use std::path::Path;

use super::articles::{self, Found, Rival};
use super::help::switch;
use super::pages;

/// Pages read of a manual, evenly spread over it.
const SAMPLE: usize = 100;

struct Manual {
    name: &'static str,
    /// Folder of pages below `LOOKFAR_DOCS`.
    folder: &'static str,
    /// Mark-up before and behind the content; pages without both are passed over.
    before: &'static str,
    behind: &'static str,
}

const MANUALS: [Manual; 8] = [
    Manual {
        name: "Apache httpd",
        folder: "apache2-doc/usr/share/doc/apache2-doc/manual/en",
        before: "<div id=\"page-content\">",
        behind: "<div class=\"bottomlang\">",
    },
    Manual {
        name: "C++ reference",
        folder: "cppreference-doc-en-html/usr/share/cppreference/doc/html/en",
        before: "<!-- bodycontent -->",
        behind: "<!-- /bodycontent -->",
    },
    Manual {
        name: "CMake",
        folder: "cmake-doc/usr/share/doc/cmake-data/html",
        before: "<div class=\"body\" role=\"main\">",
        behind: "<div class=\"sphinxsidebar\"",
    },
    Manual {
        name: "Debian reference",
        folder: "debian-reference-en/usr/share/debian-reference",
        before: "<hr/>\n    </div>",
        behind: "<div class=\"navfooter\">",
    },
    Manual {
        name: "Debian developers' reference",
        folder: "developers-reference/usr/share/developers-reference",
        before: "<div class=\"body\" role=\"main\">",
        behind: "<div class=\"sphinxsidebar\"",
    },
    Manual {
        name: "Debian installation, 18 languages",
        folder: "installation-guide-amd64/usr/share/doc/installation-guide-amd64",
        before: "<hr>\n</div>",
        behind: "<div class=\"navfooter\">",
    },
    Manual {
        name: "Erlang",
        folder: "erlang-doc/usr/share/doc/erlang-doc",
        before: "<div class=\"innertube\">",
        behind: "<div class=\"footer\">",
    },
    Manual {
        name: "SQLite",
        folder: "sqlite3-doc/usr/share/doc/sqlite3",
        before: "antiRobotDefense();\n</script>",
        behind: "This page last modified",
    },
];

/// Sums over the pages of a manual.
struct Sums {
    pages: usize,
    /// F1, precision and recall of each way.
    scores: Vec<[f64; 3]>,
    /// Pages on which ours has the higher F1, and those on which the last way has.
    ahead: usize,
    behind: usize,
}

pub(crate) fn run(rivals: &[Rival]) {
    println!("manuals: F1 (precision, recall) against what the manual marks as content");
    let ways = articles::ways(rivals);
    let mut all = Sums::new(ways.len());
    for manual in &MANUALS {
        let Some(folder) = pages::folder("LOOKFAR_DOCS", manual.folder) else { continue };
        let sums = manual.compare(&folder, rivals);
        sums.print(manual.name, &ways);
        all.add(&sums);
    }
    all.print("all pages", &ways);
}

impl Manual {
    fn compare(&self, folder: &Path, rivals: &[Rival]) -> Sums {
        let mut sums = Sums::new(articles::ways(rivals).len());
        let files = pages::files(folder);
        for path in files.iter().step_by(files.len().div_ceil(SAMPLE).max(1)) {
            let Some(sample) = self.sample(path) else { continue };
            let scores = articles::scores(&sample, rivals);
            if switch("--pages") {
                let (ours, theirs) = ends(&scores);
                println!("  {:+.3} {ours:.3} {theirs:.3} {}", ours - theirs, path.display());
            }
            sums.count(&scores);
        }
        sums
    }

    fn sample(&self, path: &Path) -> Option<articles::Sample> {
        let source = String::from_utf8(fs::read(path).ok()?).ok()?;
        let (_, content) = source.split_once(self.before)?;
        let (content, _) = content.rsplit_once(self.behind)?;
        let expected = articles::visible(content.as_bytes());
        let name = String::new();
        (!expected.is_empty()).then_some(articles::Sample { name, source, expected })
    }
}

impl Sums {
    fn new(ways: usize) -> Self {
        Self { pages: 0, scores: vec![[0.0; 3]; ways], ahead: 0, behind: 0 }
    }

    fn count(&mut self, scores: &[Found]) {
        self.pages += 1;
        for (sums, found) in self.scores.iter_mut().zip(scores) {
            for (sum, score) in sums.iter_mut().zip([found.f1(), found.precision, found.recall]) {
                *sum += score;
            }
        }
        let (ours, theirs) = ends(scores);
        self.ahead += usize::from(ours > theirs);
        self.behind += usize::from(ours < theirs);
    }

    fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.ahead += other.ahead;
        self.behind += other.behind;
        for (sums, others) in self.scores.iter_mut().zip(&other.scores) {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += other;
            }
        }
    }

    fn print(&self, name: &str, ways: &[&str]) {
        let pages = self.pages.max(1) as f64;
        print!("  {name} ({} pages):", self.pages);
        for (way, [f1, precision, recall]) in ways.iter().zip(&self.scores) {
            print!(" {way} {:.4} ({:.3}, {:.3});", f1 / pages, precision / pages, recall / pages);
        }
        println!(" ours is ahead on {}, behind on {}", self.ahead, self.behind);
    }
}

/// Returns the F1 of ours and of the last way.
fn ends(scores: &[Found]) -> (f64, f64) {
    (scores[0].f1(), scores[scores.len() - 1].f1())
}
