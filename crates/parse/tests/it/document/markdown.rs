//! Markdown: told by its name or type and its shape, read without its signs.

use base::{ContentKind, LinkKind, Span, Url};
use parse::{Input, Options, Parsed, parse};

use crate::{bytes, check_caps, lines};

fn markdown(text: &str) -> Parsed {
    let parsed = bytes(text.as_bytes(), "text/markdown");
    assert_eq!(parsed.kind, ContentKind::Markdown);
    parsed
}

#[test]
fn headings_lists_tables_and_code_are_blocks() {
    let parsed = markdown(
        "---\nauthor: x\n---\n# A *title* #\n\nSome **bold** text\ngoes on.\n- one\n- two\n\n\
         Older\n=====\n\n| a | b |\n|---|---|\n| c | d |\n\n```rust\nlet x_y = 1;\n```\n> said\n",
    );
    let expected = "H A title\nB Some bold text goes on.\nB one\nB two\nH Older\nB a\nB b\nB c\n\
                    B d\nB let x_y = 1;\nB said";
    assert_eq!(lines(&parsed), expected);
    assert_eq!(parsed.title, "A title");
}

#[test]
fn links_have_their_anchors() {
    let parsed = markdown(
        "# x\nSee [the *docs*](/docs \"hint\") and ![a picture](pic.png), <http://b.example/>, \
         snake_case [no link] a<b.",
    );
    let links: Vec<(&str, LinkKind, &str)> = parsed
        .links
        .iter()
        .map(|link| (link.target.as_str(), link.kind, link.anchor.as_str()))
        .collect();
    assert_eq!(
        links,
        [
            ("http://a.example/docs", LinkKind::Anchor, "the *docs*"),
            ("http://a.example/dir/pic.png", LinkKind::Anchor, "a picture"),
            ("http://b.example/", LinkKind::Mention, ""),
        ]
    );
    assert!(lines(&parsed).ends_with("snake_case no link] a<b."), "{}", lines(&parsed));
    let around = |place: &Option<Span>| text::around(&parsed.blocks, place.unwrap(), 1);
    let around: Vec<_> = parsed.anchors.iter().map(around).collect();
    assert_eq!(around, [("See", "and"), ("and", ","), ("picture,", ",")]);
}

#[test]
fn a_name_and_a_shape_make_markdown_and_neither_alone() {
    let check = |url: &str, content_type: &str, text: &str, expected| {
        let url = Url::parse(url).unwrap();
        let input = Input { content_type: Some(content_type), ..Input::new(&url, text.as_bytes()) };
        assert_eq!(parse(&input, &Options::default()).kind, expected, "{url} {text}");
    };
    check("http://a.example/README.md", "text/plain", "# Read me\n", ContentKind::Markdown);
    check("http://a.example/README.md", "text/plain", "plain words\n", ContentKind::Text);
    check("http://a.example/readme", "text/plain", "# Read me\n", ContentKind::Text);
    check("http://a.example/readme", "text/markdown", "# Read me\n", ContentKind::Markdown);
    check("http://a.example/README.md", "text/html", "<html># Read me\n", ContentKind::Html);
}

#[test]
fn hostile_texts_are_read_in_one_pass() {
    for sign in ["[", "](", "*", "_", "`", "<", "![", "# ", "|", "> ", "- ", "\\", "[a](", "```\n"]
    {
        check_caps(&bytes(sign.repeat(200_000 / sign.len()).as_bytes(), "text/markdown"));
    }
}
