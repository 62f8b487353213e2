//! Every form that is read, and what is said of those that cannot be.

use super::*;

fn topics(text: &str) -> Result<Vec<Topic>, String> {
    read_topics(Path::new("q"), text.as_bytes()).map_err(|error| error.to_string())
}

fn verdicts(text: &str) -> Result<Verdicts, String> {
    read_verdicts(Path::new("r"), text.as_bytes()).map_err(|error| error.to_string())
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(id, text)| Topic { id: (*id).to_owned(), text: (*text).to_owned() })
        .collect();
    assert_eq!(topics(text).as_deref(), Ok(expected.as_slice()));
}

const TREC: &str = "
<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations that participate
in crime.

<narr> Narrative:
A relevant document must name one.
</top>

<top><num>302</num><title>Topic: poliomyelitis
and post-polio</title></top>
<top>
<num> Number: 303
<title>
<desc> Description: Hubble
</top>
";

#[test]
fn topics_of_trec_are_read() {
    check(
        TREC,
        &[
            ("301", "International Organized Crime"),
            ("302", "poliomyelitis and post-polio"),
            ("303", "Hubble"),
        ],
    );
}

#[test]
fn topics_in_json_lines_and_columns_are_read() {
    check(
        "{\"id\": \"a\", \"text\": \"x AND y\", \"z\": 1}\n\n{\"_id\": 7, \"text\": \"\"}",
        &[("a", "x AND y"), ("7", "")],
    );
    check("\u{feff}1\twhat is it ?\r\n2\tno\tmore", &[("1", "what is it ?"), ("2", "no\tmore")]);
}

#[test]
fn topics_that_cannot_be_read_are_named_by_their_line() {
    for (text, expected) in [
        ("", "`q` has no queries"),
        ("\n \n", "`q` has no queries"),
        ("1\ta\nb", "line 2 of `q`: no id and text parted by a tab"),
        ("1\ta\n\n1\tb", "line 3 of `q`: there is a query `1` already"),
        ("<top>\n<title> a\n</top>", "line 3 of `q`: the query that ends here has no `<num>`"),
        ("<top>\n<num> 1\n", "line 3 of `q`: the last `<top>` is not closed"),
        ("<top>\n<top>", "line 2 of `q`: a `<top>` in a `<top>`"),
        ("<num> 3", "line 1 of `q`: `<num>` stands outside of `<top>`"),
        ("<top><num>1</top>\nand text", "line 2 of `q`: text outside of `<top>`"),
        ("<top", "line 1 of `q`: a tag is not closed"),
    ] {
        assert_eq!(topics(text).unwrap_err(), expected);
    }
    let error = topics("{\"id\": \"a\"}").unwrap_err();
    assert!(error.starts_with("line 1 of `q`: missing field `text`"), "{error}");
    let error = read_topics(Path::new("q"), &b"1\t\xff"[..]).unwrap_err();
    assert_eq!(error.to_string(), "line 1 of `q`: it is not UTF-8");
}

#[test]
fn a_line_without_end_is_an_error_and_not_kept() {
    let endless = io::BufReader::new(io::repeat(b'a'));
    let error = read_topics(Path::new("q"), endless).unwrap_err();
    assert_eq!(error.to_string(), "line 1 of `q`: longer than 1048576 bytes");
}

#[test]
fn verdicts_are_read_in_every_form() {
    let mut expected = Verdicts::default();
    expected.push("1", "d 1", 1);
    expected.push("1", "d2", -1);
    for text in [
        "1\t0\td 1\t1\n1\t0\td2\t-1\n",
        "query_id\tdoc_id\trel\torig\n1\td 1\t1\t2\n\n1\td2\t-1\t-1",
        "query-id\tcorpus-id\tscore\n1\td 1\t1\n1\td2\t-1",
        "1\td 1\t1\n1\td2\t-1",
    ] {
        assert_eq!(verdicts(text).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(verdicts("301 0 FR940 1\n301 Q0  LA10 0").unwrap().num_verdicts(), 2);
    assert!(expected.has_relevant("1") && !expected.has_relevant("2"));
}

#[test]
fn verdicts_that_cannot_be_read_are_named_by_their_line() {
    for (text, expected) in [
        ("", "`r` has no verdicts"),
        ("query_id\tdoc_id\trel\n", "`r` has no verdicts"),
        ("1\td\t1\n1\td", "line 2 of `r`: 2 columns are too few"),
        ("1 0 d 1\n1 0 d x", "line 2 of `r`: `x` is not a grade"),
        ("1 0 d 99999999999", "line 1 of `r`: `99999999999` is not a grade"),
    ] {
        assert_eq!(verdicts(text).unwrap_err(), expected);
    }
}

#[test]
fn the_last_verdict_on_a_document_counts() {
    let verdicts = verdicts("1 0 d 0\n1 0 d 1").unwrap();
    assert_eq!((verdicts.num_verdicts(), verdicts.has_relevant("1")), (1, true));
}
