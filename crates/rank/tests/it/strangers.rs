//! Makes queries as strangers might: random ones of the grammar, mutated ones, random bytes.

/// Pieces of queries; every sign of the grammar is among them.
const PIECES: [&str; 68] = [
    "jaguar",
    "new",
    "family",
    "cat",
    "the",
    "zebra",
    "jaguars",
    "new world",
    " ",
    " ",
    " ",
    " AND ",
    " OR ",
    " NOT ",
    " NEAR/3 ",
    " NEAR ",
    "-",
    "+",
    "(",
    ")",
    "\"",
    "\u{201c}",
    "*",
    "?",
    "~",
    "~2",
    "^9",
    ":",
    "title:",
    "inurl:",
    "site:",
    "site:d1.example",
    "site:d1.example/",
    "site:d1.example:80/",
    " -site:d1.example/",
    " OR site:(d1.example/ d2.example:80)",
    "host:",
    "lang:en",
    "lang:",
    "filetype:",
    "filetype:html",
    "before:2024",
    "after:",
    "country:dk",
    "link:",
    "link:d2.example/",
    "related:d1.example",
    "related:",
    "cache:d3.example",
    "cache:",
    "NEAR/",
    "\u{0}",
    "日本語",
    "\u{1f406}",
    "é",
    "\u{202e}",
    "[* TO *]",
    "/(.*a)/",
    "a",
    "\\",
    "'",
    "&",
    "<b>",
    "jag*",
    "f?mily",
    "mamal~",
    "\"new * mammal\"",
    "host-name",
];

/// An endless row of queries, the same for the same `SEED`.
pub(crate) struct Strangers {
    state: u64,
    /// The query before, as long as it was not mutated yet.
    last: Option<String>,
}

impl Strangers {
    /// Begins with the seed of the environment, or with 7, and prints it: it asks the same again.
    #[expect(clippy::print_stdout, reason = "the seed, to ask the same again")]
    pub(crate) fn new() -> Self {
        let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(7);
        println!("SEED={seed}");
        Self { state: seed, last: None }
    }

    /// Returns a number below `count` (SplitMix64).
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % count as u64) as usize
    }

    /// Puts pieces of the grammar together: mostly some, now and then more than a query may have.
    fn made(&mut self) -> String {
        let most = if self.pick(8) == 0 { 400 } else { 24 };
        (0..self.pick(most)).map(|_| PIECES[self.pick(PIECES.len())]).collect()
    }

    /// Changes some bytes of a query, or makes one of nothing but random bytes.
    fn mutated(&mut self, query: String) -> String {
        let mut bytes = match self.pick(2) {
            0 => query.into_bytes(),
            _ => vec![b' '; self.pick(40)],
        };
        let num_changed = if bytes.iter().all(|byte| *byte == b' ') { bytes.len() } else { 3 };
        for _ in 0..num_changed.min(bytes.len()) {
            let place = self.pick(bytes.len());
            bytes[place] = self.pick(256) as u8;
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Iterator for Strangers {
    type Item = String;

    /// Returns a query of the grammar, then the same mutated, and so on.
    fn next(&mut self) -> Option<String> {
        if let Some(query) = self.last.take() {
            return Some(self.mutated(query));
        }
        let query = self.made();
        self.last = Some(query.clone());
        Some(query)
    }
}
