//! Data: what is known of each language, as lines.

pub(crate) mod languages;
pub(crate) mod stop_words;
