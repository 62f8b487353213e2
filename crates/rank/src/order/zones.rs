//! Where on a page a word stands, and what that is worth.

use index::TITLE_FOLD;

use crate::weights::Weights;

/// How often a term stands where on a page.
#[derive(Clone, Copy, Default)]
pub(super) struct Zones {
    /// Everywhere, with the repetitions that the index makes.
    pub(super) all: u32,
    pub(super) title: u32,
    /// Boilerplate; it is in `all` too.
    pub(super) aside: u32,
}

impl Zones {
    /// Returns the frequency with every zone at its weight.
    pub(super) fn frequency(&self, weights: &Weights) -> f32 {
        let body = self.all.saturating_sub(self.title * TITLE_FOLD).saturating_sub(self.aside);
        body as f32
            + weights.title_zone * self.title as f32
            + weights.aside_zone * self.aside as f32
    }

    /// Returns whether it stands outside boilerplate.
    pub(super) fn has_main(&self) -> bool {
        self.all > self.aside
    }

    /// Returns the part of a stem that one form is which stands there so often.
    pub(super) fn share(&self, frequency: u32) -> f32 {
        let num_words = self.all.saturating_sub(self.title * (TITLE_FOLD - 1));
        (frequency as f32 / num_words.max(1) as f32).min(1.0)
    }
}
