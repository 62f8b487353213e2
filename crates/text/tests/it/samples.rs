//! Samples by language, checked by hand: words and their stems.

use super::{analyzer, joined};

#[track_caller]
fn check(code: &str, text: &str, words: &str, stems: &str) {
    let tokens = analyzer(code).tokens(text);
    assert_eq!(joined(&tokens, |token| &token.surface), words, "{code}: words");
    assert_eq!(joined(&tokens, |token| &token.stem), stems, "{code}: stems");
}

/// For languages without a stemmer.
#[track_caller]
fn words(code: &str, text: &str, expected: &str) {
    let tokens = analyzer(code).tokens(text);
    assert_eq!(joined(&tokens, |token| &token.surface), expected, "{code}: words");
}

#[test]
fn chinese_is_cut_by_dictionary() {
    words("zh", "我们在北京大学学习。", "我们 在 北京 大学 学习");
    words("zh", "今天天气很好，我想去公园散步。", "今天 天气 很好 我想去 公园 散步");
    words("zh-Hant", "臺灣大學圖書館", "臺灣大學 圖書館");
}

#[test]
fn japanese_is_cut_by_dictionary() {
    words("ja", "東京の大学でiPhoneを使う", "東京 の 大学 で iphone を 使う");
    words("ja", "コンピュータを買いました", "コンピュータ を 買い まし た");
}

#[test]
fn languages_of_south_east_asia_are_cut_by_dictionary() {
    words("th", "ภาษาไทยเป็นภาษาที่มีระดับเสียง", "ภาษา ไทย เป็น ภาษา ที่ มี ระดับ เสียง");
    words("km", "ខ្ញុំស្រឡាញ់ភាសាខ្មែរ", "ខ្ញុំ ស្រឡាញ់ ភាសាខ្មែរ");
    words("lo", "ພາສາລາວ", "ພາສາ ລາວ");
    words("my", "ကျွန်တော်ကျောင်းသွားတယ်", "ကျွန်တော် ကျောင်း သွား တယ်");
}

#[test]
fn korean_loses_its_particles() {
    check("ko", "한국어를 배우는 학생이", "한국어를 배우는 학생이", "한국어 배우 학생");
    check("ko", "서울에서 부산까지", "서울에서 부산까지", "서울 부산");
}

#[test]
fn english_words_and_stems() {
    check(
        "en",
        "The USA's connected hosts don't fail; apple’s pies are baked.",
        "the usa connected hosts don't fail apple pies are baked",
        "the usa connect host don't fail appl pie are bake",
    );
}

#[test]
fn german_umlauts_and_sharp_s_meet_their_spellings() {
    check("de", "Müller Mueller", "müller mueller", "mull mull");
    check("de", "Straße Strasse", "straße strasse", "strass strass");
    check("de", "Häuser Haeuser", "häuser haeuser", "haus haus");
}

#[test]
fn romance_elisions_come_off() {
    check("fr", "L’arbre d'aujourd'hui", "arbre aujourd'hui", "arbre aujourd'hui");
    check("it", "dell'arte quell’uomo", "arte uomo", "arte uom");
    check("ca", "l'home d'estudis", "home estudis", "hom estud");
}

#[test]
fn scandinavian_letters_are_letters() {
    check("da", "får far Aarhus Århus", "får far aarhus århus", "får far århus århus");
    check("sv", "räv smörgåsar", "räv smörgåsar", "räv smörgås");
    check("no", "bøkene Björn", "bøkene björn", "bøk bjørn");
    check("fi", "taloissa työtä", "taloissa työtä", "talo työtä");
}

#[test]
fn arabic_and_persian_letters_have_one_form() {
    check("ar", "مُحَمَّد محـمد", "محمد محمد", "محمد محمد");
    check("ar", "أحمد احمد", "أحمد احمد", "احمد احمد");
    check("fa", "كتاب کتاب", "کتاب کتاب", "کتاب کتاب");
    check("fa", "می‌شود", "میشود", "میشود");
}

#[test]
fn other_alphabets_are_read() {
    check("ru", "Книги ещё лежат", "книги ещё лежат", "книг ещ лежат");
    check("el", "ΟΔΟΣ οδός", "οδοσ οδόσ", "οδ οδ");
    check("tr", "ISPARTA İstanbul", "ısparta istanbul", "ıspar istanbul");
    words("he", "שָׁלוֹם צה\"ל", "שלום צהל");
    words("hi", "नमस्ते दुनिया", "नमस्ते दुनिया");
    check("vi", "tiếng Việt", "tiếng việt", "tiêng viêt");
    check("uk", "Київ її", "київ її", "киів іі");
}

#[test]
fn more_languages_of_europe_are_read() {
    check(
        "es",
        "Las canciones de los niños",
        "las canciones de los niños",
        "las cancion de los niñ",
    );
    check("pt", "As crianças brincando", "as crianças brincando", "as crianc brinc");
    check("nl", "de huizen van vrienden", "de huizen van vrienden", "de huis van vriend");
    check("pl", "Zażółć gęślą jaźń", "zażółć gęślą jaźń", "zazolc gesl jazn");
    check("cs", "Příliš žluťoučký kůň", "příliš žluťoučký kůň", "prilis zlutouck kun");
    check("hu", "a könyvekben", "a könyvekben", "a könyv");
    check("ro", "Cărțile copiilor", "cărțile copiilor", "cart cop");
    check("bg", "Книгите на децата", "книгите на децата", "книгите на децата");
}

#[test]
fn indonesian_and_swahili_are_read() {
    check("id", "bukunya di rumah-rumah", "bukunya di rumah rumah", "buku di rumah rumah");
    check("sw", "Habari ya asubuhi", "habari ya asubuhi", "habari ya asubuhi");
}

#[test]
fn stop_words_are_tagged_and_kept() {
    let tokens = analyzer("en").tokens("To be or not to be");
    assert_eq!(tokens.len(), 6);
    assert!(tokens.iter().all(|token| token.is_stop));
    let tokens = analyzer("en").tokens("It, a film");
    let tags: Vec<bool> = tokens.iter().map(|token| token.is_stop).collect();
    assert_eq!(tags, [true, true, false]);
}

#[test]
fn w12_robert_and_rupert_sound_alike() {
    assert_eq!(text::soundex("Robert").as_deref(), Some("R163"));
    assert_eq!(text::soundex("Rupert").as_deref(), Some("R163"));
}
