//! Pages for benches: real text cut into pieces of 200 words, the rest made up by Zipf's law.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use base::{
    Block, Collection, ContentKind, Link, LinkKind, PageId, PageRecord, Rel, Timestamp, Url, Zone,
    pages,
};

/// Words of a page.
pub const PAGE_WORDS: usize = 200;
/// Words that made-up text is drawn from.
const VOCABULARY: usize = 200_000;
/// Links of a page.
const LINKS: usize = 4;

/// Chance that is the same each time: SplitMix64.
pub struct Dice(pub u64);

impl Dice {
    pub fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `end`; small ones more often, as 1/n.
    pub fn zipf(&mut self, end: usize) -> usize {
        let share = (self.throw() >> 11) as f64 / (1_u64 << 53) as f64;
        (((end as f64).powf(share) - 1.0) as usize).min(end - 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.throw() % end as u64) as usize
    }
}

/// Returns a made-up word that is its own stem; the same number gives the same word.
pub fn word(number: usize) -> String {
    let letters = ["ba", "do", "ki", "lu", "me", "no", "pa", "ru", "ti", "vo", "xa", "ze"];
    let (mut rest, mut word) = (number, String::from("q"));
    loop {
        word += letters[rest % letters.len()];
        rest /= letters.len();
        if rest == 0 {
            return word;
        }
    }
}

/// The texts of a corpus, one after the other.
pub struct Texts {
    files: std::vec::IntoIter<PathBuf>,
    pieces: std::vec::IntoIter<String>,
    dice: Dice,
    pub num_real: usize,
}

impl Texts {
    /// Takes a folder of HTML files, or makes up everything.
    pub fn new(folder: Option<&Path>) -> Self {
        let mut files = Vec::new();
        let mut folders: Vec<PathBuf> = folder.map(Path::to_owned).into_iter().collect();
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "html") {
                    files.push(path);
                }
            }
        }
        files.sort_unstable();
        Self {
            files: files.into_iter(),
            pieces: Vec::new().into_iter(),
            dice: Dice(1),
            num_real: 0,
        }
    }

    pub fn next(&mut self) -> String {
        loop {
            if let Some(piece) = self.pieces.next() {
                self.num_real += 1;
                return piece;
            }
            match self.files.next() {
                Some(path) => self.pieces = pieces(&path).into_iter(),
                None => break,
            }
        }
        let words = (0..PAGE_WORDS).map(|_| word(self.dice.zipf(VOCABULARY)));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Cuts the text of a file, without its tags, into pieces.
fn pieces(path: &Path) -> Vec<String> {
    let html = String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
    let mut text = String::new();
    for (i, part) in html.split('<').enumerate() {
        let shown = if i == 0 { part } else { part.split_once('>').map_or("", |(_, rest)| rest) };
        text.push(' ');
        text.push_str(shown);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    words.chunks(PAGE_WORDS).filter(|piece| piece.len() > 20).map(|piece| piece.join(" ")).collect()
}

/// How many pages were written, and of what.
pub struct Written {
    pub num_real: usize,
    pub text_bytes: u64,
}

/// Writes a page log: pages with links to others, most to few.
pub fn write_log(collection: &Collection, num_docs: usize, folder: Option<&Path>) -> Written {
    append_log(collection, 0..num_docs, folder)
}

/// Appends pages with these numbers to a page log; they link to any page below the last of them.
pub fn append_log(
    collection: &Collection,
    numbers: Range<usize>,
    folder: Option<&Path>,
) -> Written {
    let mut texts = Texts::new(folder);
    let num_docs = numbers.end;
    let mut dice = Dice(2);
    let mut text_bytes = 0;
    let mut log = pages::Writer::open(&collection.pages()).expect("the log is whole");
    let url = |number: usize| {
        Url::parse(&format!("http://h{}.example/{number}", number % 1_000)).expect("well formed")
    };
    for number in numbers {
        let id = PageId::new(0, number as u64).expect("fewer than 2^48");
        let mut record = PageRecord::new(id, url(number), Timestamp::from_millis(0), 200);
        record.kind = ContentKind::Html;
        let text = texts.next();
        text_bytes += text.len() as u64;
        record.title = text.split(' ').take(5).collect::<Vec<_>>().join(" ");
        record.blocks = vec![Block { zone: Zone::Body, text }];
        for _ in 0..LINKS {
            // Well-known pages lie anywhere in the log, not at its beginning.
            let target = dice.zipf(num_docs).wrapping_mul(7_919) % num_docs;
            let rel = Rel::default();
            let (kind, anchor) = (LinkKind::Anchor, String::new());
            record.links.push(Link { target: url(target), kind, rel, anchor });
        }
        log.append(&record).expect("the disk has room");
    }
    log.sync().expect("the disk has room");
    Written { num_real: texts.num_real, text_bytes }
}

/// Returns the CPU time of this process in seconds.
pub fn cpu_seconds() -> f64 {
    cpu_seconds_of("self")
}

/// Returns the CPU time of a process in seconds, by its number.
pub fn cpu_seconds_of(process: &str) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name in parentheses may hold spaces; time in user and in system are fields 14 and 15.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2);
    ticks.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Returns the number behind a name on the command line.
pub fn option(name: &str, default: usize) -> usize {
    let arguments: Vec<String> = std::env::args().collect();
    let place = arguments.iter().position(|argument| argument == name);
    let number = place.and_then(|place| arguments.get(place + 1)).and_then(|n| n.parse().ok());
    number.unwrap_or(default)
}

/// Returns the folder of real text.
pub fn docs() -> Option<PathBuf> {
    std::env::var_os("LOOKFAR_DOCS").map(PathBuf::from)
}

/// Returns the load of the machine, for the table.
pub fn load() -> String {
    fs::read_to_string("/proc/loadavg").unwrap_or_default().chars().take(14).collect()
}
