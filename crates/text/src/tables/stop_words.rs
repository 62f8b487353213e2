//! Stop words by language, each list sorted: the words that make up most of any text.
//!
//! Written for this project and short on purpose: words that can be a name, a title or a subject
//! stay out where the language has the choice.

/// Returns the list of a language, empty if there is none.
pub(crate) fn of(code: &str) -> &'static [&'static str] {
    match code {
        "ar" => AR,
        "bg" => BG,
        "ca" => CA,
        "cs" => CS,
        "da" => DA,
        "de" => DE,
        "el" => EL,
        "en" => EN,
        "es" => ES,
        "et" => ET,
        "fa" => FA,
        "fi" => FI,
        "fr" => FR,
        "he" => HE,
        "hi" => HI,
        "hr" => HR,
        "hu" => HU,
        "id" => ID,
        "it" => IT,
        "ja" => JA,
        "ko" => KO,
        "lt" => LT,
        "lv" => LV,
        "nl" => NL,
        "no" => NO,
        "pl" => PL,
        "pt" => PT,
        "ro" => RO,
        "ru" => RU,
        "sk" => SK,
        "sl" => SL,
        "sr" => SR,
        "sv" => SV,
        "th" => TH,
        "tr" => TR,
        "uk" => UK,
        "vi" => VI,
        "zh" => ZH,
        _ => &[],
    }
}

#[rustfmt::skip]
const AR: &[&str] = &[
    "أن", "أنا", "أو", "أي", "أيضا", "إذا", "إلا", "إلى", "إن", "التي", "الذي", "الذين", "بعد",
    "بين", "تلك", "ثم", "حتى", "حيث", "ذلك", "على", "عن", "عند", "غير", "في", "قبل", "قد",
    "كان", "كانت", "كل", "كما", "لا", "لكن", "لم", "لن", "له", "لها", "ليس", "ما", "مع", "من",
    "منذ", "نحن", "هذا", "هذه", "هل", "هم", "هناك", "هو", "هي", "و", "وقد", "يا", "يكون",
];

#[rustfmt::skip]
const BG: &[&str] = &[
    "а", "ако", "ала", "без", "беше", "би", "бил", "в", "вече", "все", "във", "да", "до", "за",
    "защо", "и", "из", "или", "им", "как", "като", "което", "които", "кой", "която", "към",
    "ли", "ме", "ми", "много", "може", "на", "най", "не", "ние", "но", "обаче", "от", "по",
    "под", "при", "с", "са", "само", "се", "си", "след", "със", "та", "така", "там", "те", "ти",
    "то", "това", "той", "тя", "у", "че", "ще", "я",
];

#[rustfmt::skip]
const CA: &[&str] = &[
    "a", "això", "al", "als", "amb", "aquest", "aquesta", "com", "de", "del", "dels", "des",
    "dins", "el", "els", "en", "entre", "era", "ha", "han", "hi", "i", "la", "les", "li", "lo",
    "molt", "més", "no", "o", "on", "per", "però", "pot", "que", "qui", "s", "se", "ser", "seu",
    "seva", "si", "sobre", "sóc", "també", "un", "una", "uns", "és",
];

#[rustfmt::skip]
const CS: &[&str] = &[
    "a", "aby", "ale", "ani", "asi", "až", "bez", "by", "byl", "byla", "bylo", "být", "co",
    "což", "do", "i", "jak", "jako", "je", "jeho", "jej", "její", "jen", "ještě", "již", "k",
    "kde", "když", "která", "které", "který", "kteří", "ku", "ma", "mezi", "mi", "má", "na",
    "nad", "nebo", "než", "ni", "o", "od", "po", "pod", "podle", "pokud", "pouze", "pro",
    "proto", "před", "při", "s", "se", "si", "so", "svůj", "ta", "tak", "také", "tam", "tato",
    "ten", "tento", "to", "tohoto", "tom", "tomto", "toto", "tu", "ty", "u", "už", "v", "ve",
    "však", "z", "za", "ze", "že",
];

#[rustfmt::skip]
const DA: &[&str] = &[
    "ad", "af", "alle", "alt", "anden", "at", "blev", "blive", "bliver", "da", "de", "dem",
    "den", "denne", "der", "deres", "det", "dette", "dig", "din", "disse", "dog", "du", "efter",
    "eller", "en", "end", "er", "et", "for", "fra", "ham", "han", "hans", "har", "havde",
    "have", "hende", "hendes", "her", "hos", "hun", "hvad", "hvis", "hvor", "i", "ikke", "ind",
    "jeg", "jer", "jo", "kunne", "man", "mange", "med", "meget", "men", "mig", "min", "mine",
    "mit", "mod", "ned", "noget", "nogle", "nu", "når", "og", "også", "om", "op", "os", "over",
    "på", "selv", "sig", "sin", "sine", "sit", "skal", "skulle", "som", "sådan", "thi", "til",
    "ud", "under", "var", "vi", "vil", "ville", "vor", "være", "været",
];

#[rustfmt::skip]
const DE: &[&str] = &[
    "aber", "alle", "als", "also", "am", "an", "auch", "auf", "aus", "bei", "bin", "bis",
    "bist", "da", "damit", "dann", "das", "dass", "dein", "dem", "den", "denn", "der", "des",
    "die", "dies", "diese", "diesem", "diesen", "dieser", "dieses", "doch", "du", "durch",
    "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "euch", "für", "hat",
    "hatte", "hier", "ich", "ihm", "ihn", "ihr", "ihre", "im", "in", "ist", "ja", "jede",
    "kann", "kein", "keine", "können", "man", "mehr", "mein", "mich", "mir", "mit", "muss",
    "nach", "nicht", "noch", "nun", "nur", "ob", "oder", "ohne", "sehr", "sein", "seine",
    "sich", "sie", "sind", "so", "soll", "um", "und", "uns", "unser", "unter", "vom", "von",
    "vor", "war", "waren", "was", "weil", "wenn", "wer", "werden", "wie", "wir", "wird", "wo",
    "zu", "zum", "zur", "zwischen", "über",
];

#[rustfmt::skip]
const EL: &[&str] = &[
    "ένα", "ένασ", "έχει", "έχουν", "ήταν", "αλλά", "αν", "από", "αυτά", "αυτέσ", "αυτή",
    "αυτό", "αυτόσ", "για", "γιατί", "δε", "δεν", "είναι", "εγώ", "εμείσ", "ενώ", "επίσησ", "η",
    "θα", "και", "κατά", "κι", "μασ", "με", "μετά", "μια", "μου", "μπορεί", "να", "ο", "οι",
    "πιο", "που", "πρέπει", "προσ", "πωσ", "σαν", "σε", "στα", "στη", "στην", "στο", "στον",
    "στουσ", "τα", "τη", "την", "τησ", "τι", "το", "τον", "του", "τουσ", "των", "τότε", "ωσ",
    "όμωσ", "όπωσ", "όταν", "ότι",
];

#[rustfmt::skip]
const EN: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are",
    "as", "at", "be", "because", "been", "before", "being", "below", "between", "both", "but",
    "by", "can", "could", "did", "do", "does", "doing", "down", "during", "each", "few", "for",
    "from", "further", "had", "has", "have", "having", "he", "her", "here", "hers", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "me", "more", "most",
    "my", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "or", "other", "our",
    "out", "over", "own", "same", "she", "should", "so", "some", "such", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "would", "you", "your",
];

#[rustfmt::skip]
const ES: &[&str] = &[
    "a", "al", "algo", "ante", "antes", "como", "con", "contra", "cual", "cuando", "de", "del",
    "desde", "donde", "durante", "e", "el", "ella", "ellas", "ellos", "en", "entre", "era",
    "es", "esa", "ese", "eso", "esta", "este", "esto", "estos", "está", "están", "fue", "ha",
    "había", "han", "hasta", "hay", "la", "las", "le", "les", "lo", "los", "me", "mi", "mis",
    "mucho", "muy", "más", "nada", "ni", "no", "nos", "nosotros", "o", "os", "otra", "otro",
    "para", "pero", "poco", "por", "porque", "que", "quien", "se", "ser", "si", "sin", "sobre",
    "son", "su", "sus", "sí", "también", "tan", "te", "tiene", "todo", "todos", "tu", "tus",
    "un", "una", "unas", "uno", "unos", "y", "ya", "yo",
];

#[rustfmt::skip]
const ET: &[&str] = &[
    "aga", "ei", "et", "ja", "ka", "kas", "kes", "kui", "kuid", "kõik", "mida", "mis", "nii",
    "ning", "oli", "olla", "oma", "on", "pole", "seda", "see", "selle", "siis", "ta", "te",
    "välja", "või", "üle",
];

#[rustfmt::skip]
const FA: &[&str] = &[
    "آن", "از", "است", "اما", "اگر", "این", "با", "باید", "بر", "برای", "به", "بود", "بوده",
    "بی", "تا", "خود", "در", "را", "شد", "شده", "شود", "ما", "من", "می", "نیز", "هر", "هم", "و",
    "چه", "که", "یا", "یک",
];

#[rustfmt::skip]
const FI: &[&str] = &[
    "ei", "eivät", "emme", "en", "et", "ette", "että", "he", "hän", "häne", "ja", "joka", "jos",
    "jotka", "kanssa", "kuin", "kun", "me", "mikä", "minkä", "minä", "mitä", "mukaan", "mutta",
    "ne", "niin", "nyt", "näin", "olen", "oli", "olivat", "olla", "on", "ovat", "se", "sekä",
    "sen", "siitä", "sillä", "sinä", "sitä", "tai", "te", "tämä", "tässä", "vaan", "vai",
    "vaikka", "vain", "voi",
];

#[rustfmt::skip]
const FR: &[&str] = &[
    "au", "aux", "avec", "ce", "ces", "cette", "dans", "de", "des", "du", "elle", "elles", "en",
    "est", "et", "eu", "eux", "il", "ils", "je", "la", "le", "les", "leur", "leurs", "lui",
    "ma", "mais", "me", "mes", "moi", "mon", "même", "ne", "nos", "notre", "nous", "on", "ont",
    "ou", "où", "par", "pas", "plus", "pour", "que", "qui", "sa", "sans", "se", "ses", "si",
    "son", "sont", "sur", "ta", "te", "tes", "toi", "ton", "tu", "un", "une", "vos", "votre",
    "vous", "y", "à", "été", "être",
];

#[rustfmt::skip]
const HE: &[&str] = &[
    "אבל", "או", "אולי", "אותה", "אותו", "אחר", "אך", "אל", "אם", "אנחנו", "אני", "את", "אתה",
    "בין", "גם", "הוא", "הזה", "היא", "היה", "היו", "הם", "זאת", "זה", "יש", "כי", "כך", "כל",
    "כמו", "לא", "מאוד", "מה", "מי", "מן", "עד", "על", "עם", "רק", "של", "שם",
];

#[rustfmt::skip]
const HI: &[&str] = &[
    "अपना", "अपनी", "अपने", "इन", "इस", "उन", "उनके", "उस", "उसके", "एक", "एवं", "और", "कर",
    "करने", "का", "कि", "किया", "की", "कुछ", "के", "को", "गया", "जब", "जा", "जो", "तक", "तो",
    "था", "थी", "थे", "दिया", "द्वारा", "न", "नहीं", "ने", "पर", "भी", "में", "यदि", "यह", "या",
    "ये", "रहा", "लिए", "वह", "वे", "सकता", "साथ", "से", "ही", "है", "हैं", "हो", "होता",
];

#[rustfmt::skip]
const HR: &[&str] = &[
    "a", "ako", "ali", "bez", "bi", "bila", "bili", "bilo", "bio", "biti", "da", "do", "ga",
    "i", "iako", "ili", "iz", "ja", "je", "jer", "joj", "još", "kako", "kao", "koja", "koje",
    "koji", "kroz", "mi", "može", "na", "nad", "nakon", "ne", "nego", "nije", "nisu", "no", "o",
    "od", "on", "ona", "oni", "po", "pod", "pri", "s", "sa", "samo", "se", "smo", "su", "sve",
    "ta", "tako", "te", "ti", "to", "u", "uz", "već", "vi", "za", "što",
];

#[rustfmt::skip]
const HU: &[&str] = &[
    "a", "ahogy", "aki", "amely", "az", "azok", "azt", "azért", "be", "csak", "de", "e", "egy",
    "egyik", "el", "ez", "ezek", "ezt", "fel", "ha", "hanem", "hogy", "ide", "igen", "is",
    "itt", "ki", "le", "lehet", "lesz", "maga", "meg", "mert", "mi", "mikor", "minden", "mint",
    "most", "már", "még", "nagyon", "ne", "nem", "nincs", "olyan", "s", "sem", "sok", "szerint",
    "számára", "után", "utána", "vagy", "van", "vannak", "volt", "voltak", "és", "össze", "ő",
];

#[rustfmt::skip]
const ID: &[&str] = &[
    "ada", "adalah", "akan", "aku", "anda", "apa", "atau", "bagi", "bahwa", "banyak",
    "beberapa", "bisa", "dalam", "dan", "dapat", "dari", "dengan", "di", "dia", "hanya",
    "harus", "ia", "ini", "itu", "jika", "juga", "kami", "karena", "kata", "ke", "kepada",
    "kita", "lain", "lebih", "mereka", "namun", "oleh", "orang", "pada", "para", "saat", "saja",
    "sangat", "saya", "sebagai", "sebuah", "secara", "seorang", "seperti", "serta", "sudah",
    "tahun", "tak", "telah", "tentang", "terhadap", "tetapi", "tidak", "untuk", "yaitu", "yang",
];

#[rustfmt::skip]
const IT: &[&str] = &[
    "a", "ad", "agli", "ai", "al", "alla", "alle", "allo", "anche", "che", "chi", "ci", "come",
    "con", "cui", "da", "dagli", "dai", "dal", "dalla", "dalle", "degli", "dei", "del", "della",
    "delle", "dello", "di", "dove", "e", "ed", "era", "essere", "gli", "ha", "hanno", "i", "il",
    "in", "io", "la", "le", "lei", "li", "lo", "loro", "lui", "ma", "me", "mi", "mia", "mio",
    "ne", "negli", "nei", "nel", "nella", "nelle", "noi", "non", "nostro", "o", "per", "perché",
    "più", "quale", "quando", "quella", "quelle", "quelli", "quello", "questa", "queste",
    "questi", "questo", "se", "si", "sia", "sono", "su", "sua", "sue", "sul", "sulla", "suo",
    "suoi", "ti", "tra", "tu", "tutti", "tutto", "un", "una", "uno", "vi", "voi", "è",
];

#[rustfmt::skip]
const JA: &[&str] = &[
    "ある", "いる", "から", "が", "こと", "この", "これ", "さ", "し", "した", "する", "せ", "その", "それ", "た",
    "ため", "だ", "て", "で", "です", "と", "な", "に", "の", "は", "へ", "ます", "また", "まで", "も", "や",
    "よう", "より", "ら", "れ", "を",
];

#[rustfmt::skip]
const KO: &[&str] = &[
    "것", "그", "그리고", "등", "또", "또는", "및", "수", "에서", "와", "의", "이", "있는", "하는", "한",
];

#[rustfmt::skip]
const LT: &[&str] = &[
    "apie", "ar", "arba", "be", "bei", "bet", "buvo", "dar", "dėl", "gali", "iki", "ir", "iš",
    "jau", "jei", "ji", "jis", "jo", "jų", "kad", "kai", "kaip", "kas", "kur", "nei", "nes",
    "nuo", "o", "pagal", "per", "po", "prie", "prieš", "su", "tai", "taip", "tik", "to", "tuo",
    "už", "yra", "į",
];

#[rustfmt::skip]
const LV: &[&str] = &[
    "ar", "arī", "bet", "bez", "bija", "būt", "gan", "ir", "ja", "jau", "jo", "ka", "kas", "ko",
    "kur", "kā", "lai", "līdz", "nav", "ne", "no", "par", "pie", "pirms", "pēc", "tad", "tas",
    "to", "tā", "un", "uz", "vai", "var", "viņš",
];

#[rustfmt::skip]
const NL: &[&str] = &[
    "aan", "al", "alles", "als", "altijd", "andere", "ben", "bij", "daar", "dan", "dat", "de",
    "der", "deze", "die", "dit", "doch", "doen", "door", "dus", "een", "en", "er", "ge", "geen",
    "had", "heb", "hebben", "heeft", "hem", "het", "hier", "hij", "hoe", "hun", "ik", "in",
    "is", "ja", "je", "kan", "kon", "kunnen", "maar", "me", "meer", "men", "met", "mij", "mijn",
    "moet", "na", "naar", "niet", "niets", "nog", "nu", "of", "om", "omdat", "onder", "ons",
    "ook", "op", "over", "te", "tegen", "toch", "toen", "tot", "u", "uit", "uw", "van", "veel",
    "voor", "want", "waren", "was", "wat", "we", "wel", "werd", "wezen", "wie", "wij", "wil",
    "worden", "zal", "ze", "zei", "zelf", "zich", "zij", "zijn", "zo", "zonder", "zou",
];

#[rustfmt::skip]
const NO: &[&str] = &[
    "alle", "at", "av", "begge", "ble", "bli", "både", "da", "de", "deg", "dem", "den", "denne",
    "der", "deres", "det", "dette", "di", "din", "disse", "du", "eller", "en", "er", "et",
    "etter", "for", "fordi", "fra", "før", "ha", "hadde", "han", "hans", "har", "hennes", "her",
    "hos", "hun", "hva", "hvem", "hver", "hvor", "hvordan", "hvorfor", "i", "ikke", "inn",
    "jeg", "kan", "kun", "kunne", "man", "mange", "med", "meg", "men", "mer", "min", "mot",
    "mye", "ned", "noe", "noen", "nå", "når", "og", "også", "om", "opp", "oss", "over", "på",
    "seg", "selv", "sin", "sitt", "skal", "skulle", "slik", "som", "så", "til", "under", "ut",
    "var", "ved", "vi", "vil", "ville", "være", "vært", "å",
];

#[rustfmt::skip]
const PL: &[&str] = &[
    "a", "aby", "ale", "bez", "bo", "by", "być", "był", "była", "było", "były", "ci", "co",
    "czy", "dla", "do", "gdy", "gdzie", "go", "i", "ich", "ile", "im", "innych", "ja", "jak",
    "jako", "je", "jednak", "jego", "jej", "jest", "jeszcze", "jeśli", "już", "każdy", "kiedy",
    "kto", "która", "które", "który", "lub", "ma", "mi", "mnie", "może", "mu", "my", "na",
    "nad", "nam", "nas", "nie", "nim", "niż", "o", "od", "on", "ona", "one", "oni", "oraz",
    "po", "pod", "przed", "przez", "przy", "się", "są", "ta", "tak", "także", "tam", "te",
    "tego", "tej", "ten", "to", "tu", "ty", "tych", "tylko", "tym", "u", "w", "we", "wszystko",
    "z", "za", "ze", "że",
];

#[rustfmt::skip]
const PT: &[&str] = &[
    "a", "ao", "aos", "aquela", "aquele", "as", "até", "com", "como", "da", "das", "de", "dela",
    "dele", "deles", "depois", "do", "dos", "e", "ela", "elas", "ele", "eles", "em", "entre",
    "era", "essa", "esse", "esta", "este", "eu", "foi", "for", "foram", "há", "isso", "isto",
    "já", "lhe", "mais", "mas", "me", "mesmo", "meu", "minha", "muito", "na", "nas", "nem",
    "no", "nos", "nossa", "nosso", "num", "numa", "não", "nós", "o", "os", "ou", "para", "pela",
    "pelas", "pelo", "pelos", "por", "qual", "quando", "que", "quem", "se", "sem", "ser", "seu",
    "seus", "sua", "suas", "são", "só", "também", "te", "tem", "teu", "um", "uma", "você",
    "vocês", "à", "às", "é",
];

#[rustfmt::skip]
const RO: &[&str] = &[
    "a", "această", "acest", "aceste", "al", "ale", "am", "ar", "are", "au", "ca", "ce", "cea",
    "cei", "cele", "cu", "cum", "cât", "că", "da", "dar", "de", "din", "dintre", "doar", "ea",
    "ei", "el", "este", "eu", "fi", "fie", "fost", "la", "le", "li", "lor", "lui", "mai",
    "mult", "ne", "nici", "nu", "o", "pe", "pentru", "prin", "sa", "sau", "se", "si", "sub",
    "sunt", "să", "un", "una", "unde", "unei", "unor", "unui", "îi", "îl", "în", "însă", "și",
];

#[rustfmt::skip]
const RU: &[&str] = &[
    "а", "без", "более", "бы", "был", "была", "были", "было", "быть", "в", "вам", "вас", "весь",
    "во", "вот", "все", "всего", "всех", "вы", "где", "да", "даже", "для", "до", "его", "ее",
    "если", "есть", "еще", "же", "за", "здесь", "и", "из", "или", "им", "их", "к", "как", "ко",
    "когда", "кто", "ли", "либо", "мне", "может", "мы", "на", "надо", "наш", "не", "него",
    "нее", "нет", "ни", "них", "но", "ну", "о", "об", "однако", "он", "она", "они", "оно", "от",
    "очень", "по", "под", "при", "с", "со", "так", "также", "такой", "там", "те", "тем", "то",
    "того", "тоже", "той", "только", "том", "ты", "у", "уже", "хотя", "чего", "чей", "чем",
    "что", "чтобы", "чье", "чья", "эта", "эти", "это", "я",
];

#[rustfmt::skip]
const SK: &[&str] = &[
    "a", "aby", "aj", "ako", "ale", "alebo", "ani", "asi", "až", "bez", "bol", "bola", "bolo",
    "by", "byť", "do", "ešte", "ho", "i", "iba", "ich", "ja", "je", "jeho", "jej", "k", "kde",
    "keď", "ktorá", "ktoré", "ktorý", "len", "medzi", "má", "na", "nad", "než", "nie", "o",
    "od", "po", "pod", "podľa", "pre", "pred", "pri", "s", "sa", "si", "sme", "so", "som", "sú",
    "ta", "tak", "také", "takže", "ten", "to", "toto", "tu", "už", "v", "vo", "však", "z", "za",
    "zo", "či", "čo", "že",
];

#[rustfmt::skip]
const SL: &[&str] = &[
    "a", "ali", "bi", "bil", "bila", "bili", "bilo", "biti", "da", "do", "in", "iz", "ja", "je",
    "jih", "k", "ker", "ki", "ko", "kot", "lahko", "le", "na", "nad", "ne", "ni", "o", "ob",
    "od", "pa", "po", "pod", "pri", "s", "sem", "si", "so", "ta", "tako", "tem", "to", "tudi",
    "v", "vse", "z", "za", "še", "že",
];

#[rustfmt::skip]
const SR: &[&str] = &[
    "a", "ako", "ali", "bez", "bi", "bio", "da", "do", "ga", "i", "ili", "iz", "ja", "je",
    "još", "kako", "kao", "koja", "koje", "koji", "na", "ne", "nije", "o", "od", "on", "po",
    "sa", "se", "su", "ta", "te", "to", "u", "za", "što", "а", "али", "без", "би", "да", "до",
    "за", "и", "из", "или", "као", "која", "које", "који", "на", "не", "о", "од", "по", "са",
    "се", "су", "та", "те", "то", "у", "што", "је",
];

#[rustfmt::skip]
const SV: &[&str] = &[
    "alla", "allt", "att", "av", "blev", "bli", "blir", "de", "dem", "den", "denna", "deras",
    "dess", "det", "detta", "dig", "din", "där", "då", "efter", "ej", "eller", "en", "er",
    "ett", "från", "för", "ha", "hade", "han", "hans", "har", "hej", "henne", "hennes", "hon",
    "honom", "hur", "här", "i", "inte", "jag", "kan", "kunde", "man", "med", "mellan", "men",
    "mig", "min", "mot", "mycket", "ni", "nu", "när", "någon", "något", "några", "och", "om",
    "oss", "på", "samma", "sedan", "sig", "sin", "sina", "själv", "ska", "skulle", "som", "så",
    "till", "under", "upp", "ut", "utan", "vad", "var", "vara", "varit", "vem", "vi", "vid",
    "vilken", "vår", "våra", "än", "är", "över",
];

#[rustfmt::skip]
const TH: &[&str] = &[
    "กับ", "การ", "ก็", "ของ", "คือ", "จะ", "จาก", "ที่", "นั้น", "นี้", "มี", "ว่า", "หรือ",
    "เป็น", "แต่", "และ", "โดย", "ใน", "ให้", "ได้", "ไม่",
];

#[rustfmt::skip]
const TR: &[&str] = &[
    "ama", "ancak", "bana", "bazı", "ben", "beni", "benim", "bir", "biri", "biz", "bu", "bunu",
    "bunun", "böyle", "da", "daha", "de", "değil", "diye", "en", "gibi", "hem", "hep", "her",
    "hiç", "ile", "ise", "için", "kadar", "ki", "kim", "mi", "mu", "mü", "mı", "nasıl", "ne",
    "neden", "o", "olan", "olarak", "oldu", "olduğu", "on", "ona", "onlar", "onu", "onun",
    "sadece", "sen", "siz", "tüm", "ve", "veya", "ya", "yani", "çok", "şey", "şu",
];

#[rustfmt::skip]
const UK: &[&str] = &[
    "а", "або", "але", "без", "був", "була", "були", "було", "бути", "в", "вам", "вас", "ви",
    "вона", "вони", "воно", "все", "всі", "від", "він", "де", "для", "до", "же", "з", "за", "й",
    "його", "коли", "ли", "ми", "на", "над", "нам", "нас", "не", "ну", "ні", "о", "об", "один",
    "при", "про", "та", "так", "такі", "там", "те", "ти", "тих", "то", "того", "той", "тому",
    "тут", "у", "хто", "це", "цей", "ця", "чи", "що", "щоб", "я", "як", "який", "якщо", "які",
    "є", "і", "із", "інших", "їх", "її",
];

#[rustfmt::skip]
const VI: &[&str] = &[
    "bị", "cho", "chúng", "các", "cái", "cũng", "của", "khi", "không", "là", "lại", "mà", "một",
    "như", "nhưng", "những", "này", "ra", "rất", "rằng", "sẽ", "theo", "thì", "trong", "trên",
    "tại", "từ", "và", "vào", "vẫn", "với", "đang", "đã", "được", "để", "ở",
];

#[rustfmt::skip]
const ZH: &[&str] = &[
    "不", "与", "中", "为", "也", "了", "于", "他", "们", "但", "你", "個", "到", "及", "和", "在", "地", "她",
    "它", "对", "就", "我", "是", "有", "来", "的", "着", "而", "而且", "與", "被", "要", "說", "这", "這", "那",
    "都",
];
