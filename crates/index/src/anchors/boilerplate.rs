//! Anchor texts that say nothing of where they lead.

/// Texts as the analyzer's surface forms give them, joined by spaces.
const BOILERPLATE: [&str; 84] = [
    "a",
    "about",
    "accueil",
    "al inicio",
    "back",
    "back to top",
    "back to top of page",
    "click",
    "click here",
    "click here for more",
    "click here to read more",
    "contact",
    "continue",
    "continue reading",
    "cookies",
    "details",
    "download",
    "find out more",
    "first",
    "flere",
    "forrige",
    "forside",
    "front page",
    "full story",
    "go",
    "her",
    "here",
    "hier",
    "hier klicken",
    "hjem",
    "home",
    "home page",
    "homepage",
    "ici",
    "image",
    "index",
    "inicio",
    "klik her",
    "last",
    "learn more",
    "link",
    "lire la suite",
    "log in",
    "login",
    "læs mere",
    "mehr",
    "menu",
    "mere",
    "more",
    "more info",
    "more information",
    "main page",
    "next",
    "next page",
    "næste",
    "original",
    "page",
    "permalink",
    "prev",
    "previous",
    "previous page",
    "privacy",
    "print",
    "read",
    "read more",
    "see more",
    "share",
    "sign in",
    "siguiente",
    "site",
    "skip to content",
    "source",
    "start",
    "startseite",
    "suivant",
    "this",
    "this page",
    "tilbage",
    "top",
    "up",
    "url",
    "view",
    "web site",
    "website",
];

/// More in scripts without spaces between words, compared whole.
const UNSPACED: [&str; 8] =
    ["ホーム", "トップ", "次へ", "前へ", "戻る", "続きを読む", "首页", "更多"];

/// Returns whether a text (surface forms joined by spaces) is one that any page could have:
/// "click here", "next", page numbers.
pub fn is_boilerplate(surfaces: &str) -> bool {
    BOILERPLATE.contains(&surfaces)
        || UNSPACED.contains(&surfaces.replace(' ', "").as_str())
        || surfaces.chars().all(|letter| letter.is_numeric() || letter == ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_any_page_could_have_are_told_apart() {
        for text in ["click here", "next", "home", "2", "2 3", "læs mere", "続き を 読む", ""]
        {
            assert!(is_boilerplate(text), "{text:?}");
        }
        for text in ["jaguar", "acme home", "next generation jaguar", "route 66"] {
            assert!(!is_boilerplate(text), "{text:?}");
        }
    }
}
