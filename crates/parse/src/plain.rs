//! Plain text: paragraphs between empty lines.

use base::{Block, Oddity, Zone};

use crate::clean::Folded;
use crate::{Options, Parsed};

/// Adds the paragraphs of a text to a page; it has no title.
pub(crate) fn read(text: &str, options: &Options, parsed: &mut Parsed) {
    let mut paragraph = Folded::default();
    let mut taken = 0;
    let lines = text.split(['\n', '\r', '\x0C']).chain([""]);
    for line in lines {
        if !line.trim().is_empty() {
            paragraph.push(line);
            paragraph.space();
        }
        // Texts with lines of one paragraph each have no empty lines between them; a limit
        // keeps such a text from being one block of megabytes.
        let is_over = line.trim().is_empty() || paragraph.len() > PARAGRAPH_BYTES;
        if !is_over || paragraph.is_empty() {
            continue;
        }
        let mut text = paragraph.take();
        let left = options.text_bytes - taken;
        if text.len() > left || parsed.blocks.len() >= options.blocks {
            crate::clean::shorten(&mut text, left);
            parsed.oddities.push(Oddity::TextCut);
        }
        taken += text.len();
        if !text.is_empty() && parsed.blocks.len() < options.blocks {
            parsed.blocks.push(Block { zone: Zone::Body, text });
        }
        if parsed.oddities.contains(&Oddity::TextCut) {
            return;
        }
    }
}

/// Longest paragraph before it is ended at the next line.
const PARAGRAPH_BYTES: usize = 4_096;
