//! Names of countries, for pages that do not give the code.

/// Returns the code of a country by its name in lower case.
pub(super) fn by_name(name: &str) -> Option<&'static str> {
    let place = COUNTRIES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    Some(COUNTRIES[place].1)
}

/// English names and a few own or shortened ones, in order of bytes.
#[rustfmt::skip]
const COUNTRIES: [(&str, &str); 134] = [
    ("afghanistan", "af"), ("albania", "al"), ("algeria", "dz"), ("argentina", "ar"),
    ("armenia", "am"), ("aus", "au"), ("australia", "au"), ("austria", "at"),
    ("azerbaijan", "az"), ("bangladesh", "bd"), ("belarus", "by"), ("belgium", "be"),
    ("bolivia", "bo"), ("bosnia and herzegovina", "ba"), ("brazil", "br"), ("bulgaria", "bg"),
    ("cambodia", "kh"), ("cameroon", "cm"), ("can", "ca"), ("canada", "ca"), ("chile", "cl"),
    ("china", "cn"), ("colombia", "co"), ("costa rica", "cr"), ("croatia", "hr"), ("cuba", "cu"),
    ("cyprus", "cy"), ("czech republic", "cz"), ("czechia", "cz"), ("denmark", "dk"),
    ("deu", "de"), ("deutschland", "de"), ("dominican republic", "do"), ("ecuador", "ec"),
    ("egypt", "eg"), ("england", "gb"), ("esp", "es"), ("españa", "es"), ("estonia", "ee"),
    ("ethiopia", "et"), ("finland", "fi"), ("fra", "fr"), ("france", "fr"), ("gbr", "gb"),
    ("georgia", "ge"), ("germany", "de"), ("ghana", "gh"), ("great britain", "gb"),
    ("greece", "gr"), ("guatemala", "gt"), ("hong kong", "hk"), ("hungary", "hu"),
    ("iceland", "is"), ("india", "in"), ("indonesia", "id"), ("iran", "ir"), ("iraq", "iq"),
    ("ireland", "ie"), ("israel", "il"), ("ita", "it"), ("italia", "it"), ("italy", "it"),
    ("jamaica", "jm"), ("japan", "jp"), ("jordan", "jo"), ("jpn", "jp"), ("kazakhstan", "kz"),
    ("kenya", "ke"), ("kuwait", "kw"), ("latvia", "lv"), ("lebanon", "lb"), ("lithuania", "lt"),
    ("luxembourg", "lu"), ("malaysia", "my"), ("malta", "mt"), ("mexico", "mx"),
    ("moldova", "md"), ("mongolia", "mn"), ("morocco", "ma"), ("myanmar", "mm"), ("nepal", "np"),
    ("netherlands", "nl"), ("new zealand", "nz"), ("nigeria", "ng"), ("north macedonia", "mk"),
    ("norway", "no"), ("pakistan", "pk"), ("panama", "pa"), ("paraguay", "py"), ("peru", "pe"),
    ("philippines", "ph"), ("poland", "pl"), ("portugal", "pt"), ("puerto rico", "pr"),
    ("qatar", "qa"), ("republic of korea", "kr"), ("romania", "ro"), ("russia", "ru"),
    ("russian federation", "ru"), ("saudi arabia", "sa"), ("scotland", "gb"), ("senegal", "sn"),
    ("serbia", "rs"), ("singapore", "sg"), ("slovakia", "sk"), ("slovenia", "si"),
    ("south africa", "za"), ("south korea", "kr"), ("spain", "es"), ("sri lanka", "lk"),
    ("sweden", "se"), ("switzerland", "ch"), ("syria", "sy"), ("taiwan", "tw"),
    ("tanzania", "tz"), ("thailand", "th"), ("the netherlands", "nl"), ("tunisia", "tn"),
    ("turkey", "tr"), ("türkiye", "tr"), ("uganda", "ug"), ("ukraine", "ua"),
    ("united arab emirates", "ae"), ("united kingdom", "gb"), ("united states", "us"),
    ("united states of america", "us"), ("uruguay", "uy"), ("usa", "us"), ("uzbekistan", "uz"),
    ("venezuela", "ve"), ("viet nam", "vn"), ("vietnam", "vn"), ("wales", "gb"),
    ("zimbabwe", "zw"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_codes_have_two_letters() {
        assert!(COUNTRIES.is_sorted_by(|one, other| one.0 < other.0));
        assert!(COUNTRIES.iter().all(|(_, code)| code.len() == 2));
        assert_eq!(by_name("germany"), Some("de"));
    }
}
