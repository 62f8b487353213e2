//! The shared test collections, what is measured on each, and what must be reached.

/// A test collection of the pack `sets`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    pub(super) name: &'static str,
    /// Folder of the documents.
    pub(super) docs: &'static str,
    /// Folder of queries and verdicts.
    pub(super) queries: &'static str,
    /// The measure that is usual for it.
    pub(super) measure: &'static str,
    /// What a plain BM25 of others reaches: k1 .9, b .4, Porter's or Snowball's stems, pairs of
    /// characters for Chinese and Japanese.
    pub(super) plain: Option<f64>,
    /// What must be reached.
    pub(super) goal: f64,
}

pub(super) const SETS: [Set; 14] = [
    set("cranfield", "MAP", 0.289, 0.289),
    set("cisi", "MAP", 0.203, 0.203),
    set("med", "MAP", 0.508, 0.508),
    set("adi", "MAP", 0.400, 0.400),
    set("cacm", "MAP", 0.331, 0.331),
    Set { queries: "scifact-train", plain: None, ..set("scifact", "nDCG@10", 0.0, 0.650) },
    set("xquad-en", "MRR@10", 0.961, 0.962),
    set("xquad-es", "MRR@10", 0.956, 0.958),
    set("xquad-de", "MRR@10", 0.934, 0.945),
    set("xquad-ru", "MRR@10", 0.941, 0.945),
    set("xquad-ar", "MRR@10", 0.920, 0.930),
    set("xquad-zh", "MRR@10", 0.890, 0.920),
    set("jaquad-dev", "MRR@10", 0.751, 0.800),
    set("drcd-dev", "MRR@10", 0.894, 0.910),
];

const fn set(name: &'static str, measure: &'static str, plain: f64, goal: f64) -> Set {
    Set { name, docs: name, queries: name, measure, plain: Some(plain), goal }
}
