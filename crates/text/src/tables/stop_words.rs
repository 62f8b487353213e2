//! Stop words by language, each list sorted: the words that make up most of any text.
//!
//! Written for this project and short on purpose: words that can be a name, a title or a subject
//! stay out where the language has the choice.

/// Returns the list of a language, empty if there is none.
pub(crate) fn of(code: &str) -> &'static [&'static str] {
    let place = LISTS.binary_search_by(|(other, _)| (*other).cmp(code));
    place.map_or(&[], |place| LISTS[place].1)
}

/// Sorted by code.
#[rustfmt::skip]
const LISTS: [(&str, &[&str]); 66] = [
    ("af", AF), ("ak", AK), ("ar", AR), ("az", AZ), ("be", BE), ("bg", BG), ("bn", BN),
    ("ca", CA), ("cs", CS), ("cy", CY), ("da", DA), ("de", DE), ("el", EL), ("en", EN),
    ("eo", EO), ("es", ES), ("et", ET), ("eu", EU), ("fa", FA), ("fi", FI), ("fr", FR),
    ("ga", GA), ("gl", GL), ("he", HE), ("hi", HI), ("hr", HR), ("hu", HU), ("hy", HY),
    ("id", ID), ("is", IS), ("it", IT), ("ja", JA), ("jv", JV), ("ka", KA), ("ko", KO),
    ("la", LA), ("lt", LT), ("lv", LV), ("mk", MK), ("mr", MR), ("ms", MS), ("ne", NE),
    ("nl", NL), ("no", NO), ("pl", PL), ("pt", PT), ("ro", RO), ("ru", RU), ("sk", SK),
    ("sl", SL), ("sn", SN), ("sr", SR), ("st", ST), ("sv", SV), ("ta", TA), ("th", TH),
    ("tk", TK), ("tl", TL), ("tr", TR), ("uk", UK), ("ur", UR), ("uz", UZ), ("vi", VI),
    ("yi", YI), ("zh", ZH), ("zu", ZU),
];

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

#[rustfmt::skip]
const AF: &[&str] = &[
    "aan", "al", "alle", "as", "baie", "by", "daar", "dat", "deur", "die", "dit", "een", "ek",
    "elke", "elkeen", "en", "gaan", "ge", "haar", "had", "het", "hier", "hierdie", "hom", "hul",
    "hulle", "hy", "in", "is", "jou", "julle", "jy", "kan", "kon", "maar", "me", "meer", "met",
    "moet", "my", "na", "nie", "nog", "nou", "of", "om", "onder", "ons", "ook", "oor", "op",
    "sal", "se", "so", "sonder", "sy", "te", "teen", "toe", "tot", "uit", "van", "vir", "voor",
    "waar", "was", "wat", "weer", "wees", "wie", "word",
];

#[rustfmt::skip]
const AK: &[&str] = &[
    "a", "ahorow", "anaa", "ara", "asɛ", "bi", "biako", "biara", "de", "deɛ", "dɛ", "fa", "fi",
    "firi", "ho", "hɔ", "kwa", "ma", "mmɔ", "mu", "na", "ne", "ni", "no", "nso", "nti", "nyinaa",
    "obi", "obiara", "saa", "so", "sɛ", "sɛdeɛ", "wo", "wɔ", "wɔde", "wɔn", "yi", "yɛ", "ɔ",
    "ɔmo", "ɔno", "ɛberɛ", "ɛna", "ɛno", "ɛsɛ", "ɛyɛ",
];

#[rustfmt::skip]
const AZ: &[&str] = &[
    "amma", "ancaq", "arasında", "bir", "biri", "bu", "bunun", "bütün", "da", "daha", "deyil",
    "də", "dən", "edir", "edən", "görə", "hansı", "haqqında", "heç", "həm", "həmin", "hər", "idi",
    "ilə", "isə", "ki", "kim", "kimi", "lakin", "məhz", "mən", "nə", "o", "olan", "olaraq",
    "olduğu", "olmalıdır", "olmaq", "olsun", "onlar", "onların", "onun", "qarşı", "qədər", "siz",
    "sonra", "tərəfindən", "vardır", "və", "ya", "yalnız", "çox", "öz", "özü", "ümumi", "üzrə",
    "üçün", "əgər",
];

#[rustfmt::skip]
const BE: &[&str] = &[
    "а", "аб", "або", "ад", "але", "была", "было", "былі", "быць", "быў", "ва", "вы", "гэта",
    "гэтага", "гэты", "да", "для", "ды", "з", "з'яўляецца", "за", "й", "каб", "калі", "кожны",
    "мае", "маюць", "можа", "мы", "на", "не", "ні", "па", "павінны", "пад", "пры", "са", "свайго",
    "сваё", "сваіх", "та", "так", "такі", "тое", "толькі", "ты", "у", "усе", "усё", "хто", "ці",
    "чым", "што", "я", "яго", "яе", "як", "якая", "якога", "якія", "яму", "яна", "яны", "ён", "і",
    "іх", "ў", "ўсіх",
];

#[rustfmt::skip]
const BN: &[&str] = &[
    "অথবা", "অন্য", "আছে", "আমরা", "আমি", "আর", "ই", "এ", "এই", "এক", "একজন", "একটি", "এবং",
    "এমন", "এর", "এরা", "ও", "ওই", "কথা", "কর", "করতে", "করা", "করার", "করে", "কারও", "কারো",
    "কি", "কিংবা", "কিছু", "কিন্তু", "কে", "কেউ", "কোন", "কোনো", "ক্ষেত্রে", "ছাড়া", "জন্য",
    "তবে", "তা", "তাকে", "তাদের", "তার", "তারা", "তিনি", "থেকে", "দিয়ে", "দ্বারা", "নয়", "না",
    "নিজের", "নেই", "পর", "পর্যন্ত", "প্রতি", "প্রত্যেক", "প্রত্যেকের", "বা", "বিরুদ্ধে", "মতো",
    "মধ্যে", "যদি", "যা", "যাবে", "যার", "যে", "যেন", "রয়েছে", "সকল", "সঙ্গে", "সব", "সাথে",
    "সে", "সেই", "হতে", "হবে", "হয়", "হয়ে", "হলে", "হিসেবে",
];

#[rustfmt::skip]
const CY: &[&str] = &[
    "a", "ac", "am", "ar", "at", "beidio", "bob", "bod", "byddai", "cael", "chan", "cyn", "dim",
    "drwy", "ei", "eich", "ein", "er", "eraill", "eu", "fel", "fod", "fydd", "gael", "gan",
    "gyda", "heb", "hefyd", "hon", "hwn", "hyn", "hynny", "i", "iddo", "ie", "mae", "mewn", "na",
    "nac", "nad", "neb", "neu", "ni", "nid", "o", "oddi", "oedd", "oes", "oherwydd", "on", "ond",
    "pan", "pawb", "pob", "pwy", "sy", "sy'n", "sydd", "tan", "trwy", "un", "unrhyw", "wedi",
    "wrth", "y", "ym", "yma", "yn", "yng", "yr", "ystod",
];

#[rustfmt::skip]
const EO: &[&str] = &[
    "ajn", "al", "aliaj", "ankaŭ", "antaŭ", "aŭ", "da", "de", "del", "do", "dum", "ekster", "el",
    "en", "estas", "esti", "estis", "estu", "eĉ", "havas", "havu", "ili", "ilia", "ilin", "inter",
    "iu", "iuj", "ja", "jam", "je", "kaj", "ke", "kia", "kial", "kiam", "kie", "kiel", "kio",
    "kiu", "kiuj", "kiun", "krom", "kun", "la", "li", "lia", "liaj", "lian", "mi", "mia", "ne",
    "nek", "neniu", "ni", "nia", "nun", "ol", "oni", "per", "plej", "pli", "po", "por", "post",
    "povas", "pri", "pro", "se", "sed", "sen", "si", "sia", "siaj", "sian", "sub", "super", "sur",
    "tamen", "tial", "tiam", "tie", "tiel", "tio", "tiu", "tiuj", "tra", "tre", "unu", "vi",
    "ĉar", "ĉe", "ĉi", "ĉiu", "ĉiuj", "ĝi", "ĝia", "ĝis", "ŝi", "ŝia",
];

#[rustfmt::skip]
const EU: &[&str] = &[
    "ala", "arabera", "asko", "baina", "bainan", "baino", "baita", "bat", "batean", "batek",
    "baten", "batera", "beharko", "bera", "beraien", "berak", "bere", "berean", "bestalde",
    "beste", "bi", "da", "dago", "dira", "ditu", "du", "duela", "duen", "dute", "duten", "edo",
    "egin", "egiten", "ere", "eta", "ez", "ezin", "gabe", "gainera", "gisa", "gu", "guzti",
    "guztiak", "guztiek", "hain", "handi", "haren", "hari", "hartan", "hau", "hauek", "hemen",
    "hori", "horiek", "horren", "hura", "inor", "inork", "izan", "izango", "izateko", "kontra",
    "nahi", "nola", "non", "nor", "ondoren", "ordea", "oro", "orok", "orori", "zein", "zen",
    "zer", "zion", "zuen", "zuten",
];

#[rustfmt::skip]
const GA: &[&str] = &[
    "a", "ach", "ag", "agus", "aige", "air", "aon", "ar", "as", "atá", "ba", "bheith", "bhfuil",
    "bhí", "bíonn", "chuig", "chun", "cé", "de", "den", "do", "don", "dá", "dár", "dó", "faoi",
    "fá", "féin", "gach", "gan", "go", "gur", "i", "iad", "idir", "in", "ina", "is", "isteach",
    "le", "leis", "lá", "mar", "mo", "mé", "nach", "nuair", "ná", "ní", "níl", "níor", "nó", "os",
    "roimh", "ré", "sa", "san", "seo", "siad", "sin", "sna", "sé", "sí", "thar", "trí", "tá",
    "tú", "um", "é", "éis", "ó", "óna", "ós",
];

#[rustfmt::skip]
const GL: &[&str] = &[
    "a", "ao", "aos", "as", "ata", "cando", "co", "coa", "coas", "como", "con", "cos", "da",
    "das", "de", "del", "des", "do", "dos", "e", "el", "ela", "eles", "en", "entre", "era",
    "está", "foi", "ha", "hai", "isto", "lle", "lles", "meu", "moi", "máis", "na", "nas", "nin",
    "no", "non", "nos", "nun", "nunha", "o", "os", "ou", "outra", "outro", "para", "pero", "pola",
    "polas", "polo", "polos", "por", "porque", "que", "se", "sen", "ser", "seu", "seus", "sobre",
    "son", "súa", "súas", "tamén", "te", "ten", "teñen", "toda", "todas", "todo", "todos", "un",
    "unha", "unhas", "uns", "xa", "é",
];

#[rustfmt::skip]
const HY: &[&str] = &[
    "այդ", "այլ", "այն", "այս", "առանց", "բայց", "բոլոր", "դու", "դուք", "եմ", "են", "ենք", "ես",
    "եւ", "եք", "է", "էի", "էին", "էինք", "էր", "ըստ", "թե", "ի", "իբրեւ", "ին", "ինչպես", "իսկ",
    "իր", "իրեն", "իրենց", "կամ", "կարող", "համար", "հետ", "հետո", "մեզ", "մեկ", "մենք", "մեջ",
    "մեր", "մի", "միայն", "մինչեւ", "յուրաքանչյուր", "նա", "նաեւ", "նրա", "նրան", "նրանց",
    "նրանք", "ով", "որ", "որեւէ", "որը", "որոնք", "որպես", "ու", "ում", "ունեն", "ունի", "ոք",
    "պետք", "պիտի", "վրա",
];

#[rustfmt::skip]
const IS: &[&str] = &[
    "af", "aftur", "allir", "að", "ber", "ef", "ei", "eigi", "ein", "einhver", "einn", "eitt",
    "ekki", "en", "er", "eru", "eða", "frá", "fyrir", "ganga", "hafa", "hafi", "hann", "hans",
    "hefur", "hennar", "henni", "hver", "hverjum", "hvers", "hvort", "hér", "hún", "inn", "mega",
    "með", "mig", "minn", "mér", "nema", "né", "og", "sem", "sig", "sinni", "skal", "skulu",
    "svo", "sá", "sér", "séu", "sín", "sína", "sú", "til", "um", "undir", "upp", "var", "vera",
    "verið", "verða", "við", "vér", "yfir", "á", "án", "ég", "í", "öllum", "úr", "þar", "þau",
    "það", "þegar", "þeim", "þeir", "þeirra", "þess", "þessi", "því", "þá", "þær", "þú",
];

#[rustfmt::skip]
const JV: &[&str] = &[
    "ana", "anggone", "apa", "awake", "awit", "bab", "banjur", "bisa", "dadi", "dening",
    "dhateng", "dheweke", "dudu", "durung", "duwe", "duweni", "iki", "iku", "ing", "ingkang",
    "iya", "kabeh", "kanggo", "kanthi", "karo", "katon", "kaya", "kepingin", "kowe", "kudu",
    "kuwi", "lan", "liyane", "luwih", "marang", "menawa", "mung", "nalika", "nanging", "oleh",
    "ora", "padha", "para", "piyambakipun", "punika", "saben", "saka", "sakabehe", "saking",
    "salah", "sami", "sarta", "sawijining", "sing", "supaya", "tanpa", "tansah", "tumrap", "uga",
    "utawa", "wis", "wonten",
];

#[rustfmt::skip]
const KA: &[&str] = &[
    "აგრეთვე", "ამ", "ან", "არ", "არა", "არის", "აქ", "აქვს", "ბოლო", "გარდა", "და", "ერთ",
    "ერთი", "ეს", "თავის", "თავისი", "თუ", "იგი", "იმ", "ის", "იყო", "იყოს", "კი", "მაგრამ",
    "მათ", "მათი", "მან", "მას", "მე", "მიერ", "მიმართ", "მის", "მისი", "მხოლოდ", "ნუ", "ოღონდ",
    "რა", "რათა", "რაც", "რომ", "რომელიც", "რომლის", "სადაც", "სხვა", "უნდა", "უფრო", "ყველა",
    "ყველას", "ყოველ", "ყოველი", "შემდეг", "შესახებ", "შორის", "ჩვენ", "ხოლო",
];

#[rustfmt::skip]
const LA: &[&str] = &[
    "a", "ab", "ac", "ad", "at", "atque", "aut", "autem", "cum", "de", "dum", "e", "ea", "eam",
    "ei", "eius", "enim", "eo", "eos", "erat", "esse", "est", "et", "etiam", "eum", "ex", "haec",
    "hic", "hoc", "id", "in", "inter", "ipse", "is", "ita", "mihi", "nam", "ne", "nec", "neque",
    "nisi", "non", "nos", "nulla", "omnes", "omnibus", "per", "post", "pro", "qua", "quae",
    "quam", "quem", "qui", "quia", "quid", "quidem", "quo", "quod", "quoque", "se", "sed", "si",
    "sibi", "sic", "sicut", "sine", "sint", "sit", "sua", "sub", "suis", "sunt", "suo", "suum",
    "tam", "te", "tu", "ut", "vel", "vos",
];

#[rustfmt::skip]
const MK: &[&str] = &[
    "а", "ако", "без", "беше", "би", "биде", "во", "ги", "го", "да", "дека", "до", "еден", "една",
    "едно", "и", "или", "им", "има", "како", "кај", "кога", "кое", "кои", "кој", "која", "ми",
    "многу", "може", "на", "над", "не", "него", "нив", "ние", "но", "оваа", "овој", "од", "па",
    "по", "поради", "преку", "при", "само", "се", "секое", "секој", "си", "сите", "со", "според",
    "сум", "таа", "така", "те", "тие", "тоа", "тој", "треба", "тука", "што", "ја", "јас", "ќе",
];

#[rustfmt::skip]
const MR: &[&str] = &[
    "अशा", "असा", "असे", "असेल", "अाणि", "आणि", "आपला", "आपली", "आपल्या", "आहे", "आहेत", "एक",
    "एका", "कडे", "करण्याचा", "करण्यात", "काही", "किंवा", "की", "केला", "केली", "केले",
    "कोणत्याही", "कोणालाही", "जर", "जे", "जो", "ज्या", "झाला", "झाले", "तर", "तसेच", "ती", "ते",
    "तो", "त्या", "त्यांच्या", "त्यांना", "त्याच्या", "त्याला", "नये", "नाही", "पण", "परंतु",
    "प्रत्येक", "प्रत्येकास", "मध्ये", "मात्र", "म्हणून", "या", "यांच्या", "यांना", "याचा",
    "यासाठी", "व", "सर्व", "साठी", "हा", "ही", "हे", "होता", "होती", "होते",
];

#[rustfmt::skip]
const MS: &[&str] = &[
    "ada", "adalah", "akan", "antara", "apa", "atas", "atau", "bagi", "bahawa", "beliau", "boleh",
    "dalam", "dan", "dari", "daripada", "dengan", "di", "dia", "ia", "ialah", "ini", "itu",
    "juga", "kami", "ke", "kepada", "kerana", "kita", "lain", "lebih", "mana", "mempunyai",
    "mereka", "oleh", "pada", "para", "perlu", "sahaja", "satu", "saya", "sebagai", "sebarang",
    "sebuah", "secara", "semua", "seperti", "serta", "sesuatu", "setiap", "suatu", "supaya",
    "tanpa", "telah", "terhadap", "termasuk", "tetapi", "tiada", "tidak", "untuk", "yang",
];

#[rustfmt::skip]
const NE: &[&str] = &[
    "अनि", "अरू", "आफू", "आफ्नो", "उनको", "उनी", "एउटा", "एक", "कसैले", "का", "कि", "कुनै", "को",
    "गरी", "गरेको", "गर्न", "गर्ने", "छ", "छन्", "छैन", "जसले", "जुन", "तथा", "तर", "त्यस",
    "त्यो", "थिए", "थियो", "दिन", "देखि", "न", "नि", "निज", "नै", "पनि", "पर्छ", "प्रति",
    "प्रत्येक", "बाट", "भई", "भएको", "भने", "भन्ने", "म", "मा", "मात्र", "माथि", "यस", "यसको",
    "यो", "र", "रूपमा", "लाई", "लागि", "वा", "सँग", "सबै", "साथ", "सो", "हरेक", "हुन", "हुने",
    "हुनेछ", "हो",
];

#[rustfmt::skip]
const SN: &[&str] = &[
    "ari", "asi", "chero", "chete", "chose", "dzake", "dzose", "haana", "hake", "hapana", "iye",
    "izvi", "izvo", "kana", "kubva", "kuna", "kune", "kuti", "kwake", "kwete", "mukati",
    "navamwe", "ne", "nei", "nekuti", "ngaa", "nokuti", "pa", "pamwe", "pane", "rake", "sezvo",
    "ungava", "uri", "uye", "vake", "vari", "vose", "wake", "wese", "yake", "yose", "zvakare",
    "zvake", "zvese", "zvinhu", "zvino", "zviri", "zvisina", "zvose",
];

#[rustfmt::skip]
const ST: &[&str] = &[
    "a", "ba", "bo", "bohle", "bona", "boo", "e", "ea", "eena", "empa", "entsoe", "feela", "fela",
    "ha", "hae", "haeba", "haholo", "hang", "hape", "ho", "hoba", "hona", "hore", "ka", "kahara",
    "kaofela", "kapa", "ke", "ketso", "kgahlanong", "khahlanong", "ko", "la", "le", "lea", "leha",
    "li", "mang", "me", "mme", "mo", "mona", "moo", "na", "ntle", "o", "oa", "ona", "oo", "sa",
    "se", "sefe", "sena", "seo", "tla", "tsa", "tse", "tsela", "tsena", "tseo", "tsohle", "wa",
    "ya", "yena",
];

#[rustfmt::skip]
const TA: &[&str] = &[
    "அதன்", "அது", "அந்த", "அல்லது", "அவன்", "அவர்", "அவர்கள்", "அவள்", "அவை", "ஆக", "ஆகிய",
    "ஆகும்", "ஆனால்", "இது", "இந்த", "இருந்து", "இல்லை", "இவை", "உள்ள", "உள்ளது", "எந்த",
    "எந்தவொரு", "என", "என்பது", "என்ற", "என்று", "எல்லா", "எவரும்", "ஒரு", "ஒவ்வொருவரும்",
    "கொண்ட", "கொண்டு", "சில", "தனது", "தமது", "தம்", "தான்", "நான்", "நாம்", "பற்றி", "பல",
    "பின்", "பிற", "போன்ற", "மட்டும்", "மற்றும்", "மீது", "முதல்", "மேலும்", "யாவரும்", "வந்து",
    "வரை", "வேண்டும்",
];

#[rustfmt::skip]
const TK: &[&str] = &[
    "arasynda", "bilen", "bir", "biri", "bolan", "bolmaly", "bolsa", "bolup", "boýunça", "bu",
    "da", "degişli", "diňe", "däl", "eden", "eýe", "garşy", "gerek", "hem", "hemme", "her", "hiç",
    "ilki", "iň", "kim", "käbir", "ol", "olar", "olaryň", "onuň", "ony", "soň", "täze", "we",
    "ähli", "öz", "özüniň", "üçin", "ýa", "ýaly", "ýe", "ýok", "şeýle", "şol",
];

#[rustfmt::skip]
const TL: &[&str] = &[
    "alin", "ang", "ano", "anumang", "at", "ating", "ay", "ayon", "bago", "bawat", "dahil",
    "dapat", "din", "doon", "gaya", "hanggang", "hindi", "ilalim", "isa", "isang", "ito", "iyon",
    "ka", "kahit", "kanila", "kanilang", "kaniya", "kaniyang", "kanyang", "katulad", "kay", "ko",
    "kong", "kung", "laban", "lahat", "lamang", "maaari", "maging", "man", "may", "mayroon",
    "mga", "mula", "na", "nang", "narito", "ng", "ngunit", "ni", "nila", "nito", "nitong", "niya",
    "o", "pa", "paano", "pag", "pagka", "para", "pati", "sa", "sapagkat", "sila", "sinuman",
    "siya", "tungkol", "upang", "wala", "walang",
];

#[rustfmt::skip]
const UR: &[&str] = &[
    "آپ", "اس", "اسی", "اسے", "ان", "انہیں", "اور", "اپنا", "اپنی", "اپنے", "اگر", "ایسے", "ایک",
    "بعد", "بھی", "تو", "تک", "تھا", "تھی", "تھے", "جا", "جائیں", "جائے", "جب", "جس", "جو", "خود",
    "دوسرے", "رہا", "سب", "سکتا", "سکے", "سے", "طرح", "علاوہ", "لئے", "لیکن", "لیے", "مگر", "میں",
    "نہ", "نہیں", "نے", "وہ", "پر", "پھر", "پہلے", "کا", "کر", "کرنا", "کرنے", "کرے", "کو",
    "کوئی", "کہ", "کی", "کیا", "کے", "گئی", "گا", "گی", "گیا", "گے", "ہر", "ہم", "ہو", "ہوئے",
    "ہوتا", "ہونے", "ہوں", "ہی", "ہیں", "ہے", "یا", "یعنی", "یہ",
];

#[rustfmt::skip]
const UZ: &[&str] = &[
    "agar", "ammo", "barcha", "bilan", "bir", "biri", "biror", "bo'lgan", "bo'lib", "bo'lishi",
    "bo'yicha", "boshqa", "bu", "bunda", "da", "edi", "ega", "ekan", "emas", "esa", "ham",
    "hamda", "har", "hech", "kabi", "kerak", "keyin", "ki", "kim", "lozim", "mumkin", "o'z",
    "o'zi", "o'zining", "orqali", "qanday", "qarshi", "qilish", "shu", "tomonidan", "u", "uchun",
    "ular", "ularning", "uning", "va", "yoki",
];

#[rustfmt::skip]
const YI: &[&str] = &[
    "א", "אבער", "אדער", "אויב", "אויך", "אויס", "אויף", "און", "אונדז", "אונטער", "אז", "אט",
    "איבער", "איז", "אים", "אין", "איר", "אירע", "אלע", "אלץ", "אן", "ביז", "ביי", "בין", "ביסט",
    "גאר", "געווען", "דאך", "דאס", "דו", "דורך", "די", "דעם", "דער", "האבן", "האט", "הײנט",
    "וואס", "ווי", "וועט", "ווען", "ווער", "זאל", "זאלן", "זי", "זיי", "זיינען", "זיך", "זענען",
    "זײן", "זײנע", "יעדן", "יעדער", "מיט", "מיר", "מען", "מער", "נאך", "נאר", "ניט", "נישט", "עס",
    "ער", "פאר", "פון", "צו", "צווישן", "קיין", "קען",
];

#[rustfmt::skip]
const ZU: &[&str] = &[
    "abanye", "bonke", "futhi", "kanti", "kanye", "kodwa", "konke", "kufanele", "kuze", "kwabo",
    "kwakhe", "labo", "lakhe", "lakho", "lapho", "le", "lokhu", "loku", "lolo", "lonke", "nanoma",
    "ngabe", "ngakho", "ngaphandle", "ngenxa", "ngoba", "ngokuba", "ngokuthi", "ngu", "njengoba",
    "noma", "ukuba", "ukuthi", "uma", "wakhe", "wonke", "yakhe", "yimuphi", "yini", "yonke",
    "zabo", "zakhe", "zazo", "zonke",
];
