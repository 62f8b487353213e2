//! Names of months and days, whole and cut as dates cut them.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

/// English, German, French, Spanish, Italian, Portuguese, Dutch, Danish and Norwegian, Swedish,
/// Polish, Czech, Russian, Turkish, Chinese and Japanese. Only beside a number are they taken for a date, so that words
/// like `may` and `mars` do no harm.
const NAMES: &str = "
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur fri sat sun
    januar februar märz mai juni juli oktober dezember jänner mrz okt dez
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    janv févr avr juil déc lundi mardi mercredi jeudi vendredi samedi dimanche
    enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre
    diciembre ene abr ago dic lunes martes miércoles jueves viernes sábado domingo
    gennaio febbraio aprile maggio giugno luglio settembre ottobre novembre dicembre
    lunedì martedì mercoledì giovedì venerdì sabato domenica
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    segunda terça quarta quinta sexta
    januari februari maart mei augustus maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    marts maj desember mandag tirsdag onsdag torsdag fredag lørdag søndag
    augusti måndag tisdag lördag söndag
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada
    grudnia poniedziałek wtorek środa czwartek piątek sobota niedziela
    ledna února března dubna května června července srpna září října listopadu prosince
    pondělí úterý středa čtvrtek pátek neděle
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    понедельник вторник среда четверг пятница суббота воскресенье
    ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    pazartesi salı çarşamba perşembe cuma cumartesi pazar
    年 月 日";

/// Hashes of the names, sorted.
static HASHES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut hashes: Vec<u64> =
        NAMES.split_whitespace().map(|name| xxh3_64(name.as_bytes())).collect();
    hashes.sort_unstable();
    hashes
});

/// Returns whether the word with this hash names a month or day.
pub(super) fn is_date(hash: u64) -> bool {
    HASHES.binary_search(&hash).is_ok()
}
