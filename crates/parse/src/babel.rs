//! Texts of many scripts for tests that fix what is made of words: the same ones for ever.

/// Words and what stands between them, awkward ones among them: letters that grow when they are
/// made small, marks that combine, numbers of other scripts, dates, words longer than most.
const PIECES: &str = "the The of AND a I hotel Hotels cheap watches buy lighthouse harbour \
    x86 utf8 8bit 3rd 2nd 12 5 1,234,567 12.5 2026-03-12 10:45 12/3/26 1.2.25 March 12, 2026 Mon \
    may 5 août 2024 le Montag, 3. Mai 2026年3月12日 12th e-mail don't a@b.example <x> {a=0;} -- ... \
    … — ! ? : ; | \" ' ( ) 。 、 ！ । ؟ ÆBLE Ærø øl ΟΔΟΣ οδός İstanbul ISTANBUL ıI straße STRASSE ﬁn Ǆ ǅ ǆ \
    naïve nai\u{308}ve e\u{301}\u{301} Ж жЖ Привет мир апреля العربية مَرْحَبًا ٣ ٣٤ ۵ हिन्दी नमस्ते १२ \
    東京 東京タワー カタカナ ｶﾀｶﾅ 漢字abc漢 漢5字 ไทย ภาษาไทย ខ្មែរ မြန်မာ 한국어 서울 ㊀ ½ x² Ⅷ 𝔘𝔫 𠀀𠀁 😀 a😀b zero\u{200b}width \
    soft\u{ad}hyphen no\u{a0}break Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung \
    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Returns a text of a few hundred words, another for each number.
pub(crate) fn text(number: u64) -> String {
    let pieces: Vec<&str> = PIECES.split(' ').filter(|piece| !piece.is_empty()).collect();
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    // Some texts say the same few words again and again, as lists of search words do.
    let (words, kinds) = (1 + next(400), 1 + next(pieces.len()));
    let first = next(pieces.len());
    let mut text = String::new();
    for _ in 0..words {
        text.push_str(pieces[(first + next(kinds)) % pieces.len()]);
        match next(16) {
            0 => {}
            1 => text.push_str(", "),
            2 => text.push_str(". "),
            3 => text.push('-'),
            4 => text.push('\n'),
            _ => text.push(' '),
        }
    }
    text
}
