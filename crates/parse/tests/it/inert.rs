//! Copies of pages: everything that a page can do is gone, what it says stays (WEB-11).

use base::Url;
use parse::inert::{self, Inert};
use parse::{Input, Options};

fn copy(html: &str) -> Inert {
    let url = Url::parse("http://a.example/dir/page").unwrap();
    let input = Input {
        content_type: Some("text/html; charset=utf-8"),
        ..Input::new(&url, html.as_bytes())
    };
    let mark =
        |text: &str| text.match_indices("jaguar").map(|(at, word)| at..at + word.len()).collect();
    inert::copy(&input, &Options::default(), &mark).unwrap_or_default()
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(copy(html).html, expected, "{html}");
}

/// Fails if a text holds anything but elements and attributes that we write.
#[track_caller]
fn check_harmless(html: &str) {
    let copy = copy(html).html;
    let mut rest = copy.as_str();
    while let Some(place) = rest.find('<') {
        let end = rest[place..].find('>').expect("every tag ends") + place;
        let tag = &rest[place + 1..end];
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "<{tag}> of {html}");
        assert!(HARMLESS.split(' ').any(|known| known == name), "<{tag}> of {html}");
        for attribute in
            tag.split("\" ").flat_map(|part| part.split(' ').filter(|part| part.contains("=\"")))
        {
            let (name, value) = attribute.split_once("=\"").unwrap();
            assert!(["href", "rel", "lang", "title", "class"].contains(&name), "<{tag}> of {html}");
            assert!(name != "href" || value.starts_with("http"), "<{tag}> of {html}");
        }
        rest = &rest[end + 1..];
    }
    assert!(!rest.contains('>') && !copy.contains("onerror=\""), "{copy}");
}

const HARMLESS: &str = "a abbr address article aside b bdi blockquote br caption cite code dd del \
    dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i ins kbd li main mark \
    nav ol p pre q s samp section small span strong sub sup table tbody td tfoot th thead time tr \
    u ul var wbr";

#[test]
fn text_structure_and_links_stay() {
    check(
        "<h1>The jaguar</h1><p class=x>By <em>rivers</em> &amp; lakes</p>",
        "<h1>The <mark>jaguar</mark></h1><p>By <em>rivers</em> &amp; lakes</p>",
    );
    check(
        "<a href=../x?y#z target=_top onclick=f()>x</a>",
        "<a href=\"http://a.example/x?y\" rel=\"noopener noreferrer nofollow\">x</a>",
    );
    check(
        "<ul><li>1<li>2</ul><img src=http://b.example/p.png alt='a \"cat\"'><br>",
        "<ul><li>1</li><li>2</li></ul><span class=\"picture\">a &quot;cat&quot;</span><br>",
    );
    check("<p title='&lt;b>' lang=da>x", "<p lang=\"da\" title=\"&lt;b&gt;\">x</p>");
    check("<custom-tag><form action=/x><button>Go</button></form></custom-tag>", "Go");
}

#[test]
fn what_the_page_hides_stays_hidden() {
    check("<p>seen<p style='display:none'>hidden", "<p>seen</p>");
    check("<div hidden>no</div><p>yes", "<p>yes</p>");
}

#[test]
fn texts_are_shown_as_they_are_and_documents_not_at_all() {
    let url = Url::parse("http://a.example/x.txt").unwrap();
    let input = Input { content_type: Some("text/plain"), ..Input::new(&url, b"a <b>\n  c") };
    let copy = inert::copy(&input, &Options::default(), &|_| Vec::new()).unwrap();
    assert_eq!(copy.html, "<pre>a &lt;b&gt;\n  c</pre>");
    let input = Input::new(&url, b"%PDF-1.4 ...");
    assert_eq!(inert::copy(&input, &Options::default(), &|_| Vec::new()), None);
}

#[test]
fn the_character_set_is_the_pages_own() {
    let url = Url::parse("http://a.example/").unwrap();
    let body = b"<meta charset=windows-1251><p>\xff\xe3\xf3\xe0\xf0";
    let copy = inert::copy(&Input::new(&url, body), &Options::default(), &|_| Vec::new()).unwrap();
    assert_eq!(copy.html, "<p>ягуар</p>");
}

#[test]
fn links_that_are_not_of_the_web_lead_nowhere() {
    for href in [
        "javascript:alert(1)",
        " java\tscript:alert(1)",
        "&#106;avascript:x",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:x",
        "//user:pass@\u{0}b",
    ] {
        let copy = copy(&format!("<a href=\"{href}\">x</a>")).html;
        assert!(copy == "<a>x</a>" || copy.contains("href=\"http"), "{copy}");
    }
    // A base that is no address of the web counts for nothing.
    check(
        "<base href=javascript:alert(1)//><a href=x>y</a>",
        "<a href=\"http://a.example/dir/x\" rel=\"noopener noreferrer nofollow\">y</a>",
    );
    check(
        "<base href=http://b.example/><a href=x>y</a>",
        "<a href=\"http://b.example/x\" rel=\"noopener noreferrer nofollow\">y</a>",
    );
}

/// Tricks that have got past cleaners of HTML, and plain ones.
const TRICKS: [&str; 36] = [
    "<script>alert(1)</script>",
    "<script src=//x></script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><script>alert(1)</script><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<math><mi//xlink:href=\"data:x,<script>alert(4)</script>\">",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<iframe src=javascript:alert(1)>",
    "<object data=javascript:alert(1)><embed src=x></object>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<base href=//evil.example/>",
    "<link rel=stylesheet href=//x>",
    "<style>@import '//x'; body{background:url(javascript:alert(1))}</style>",
    "<p style='width:expression(alert(1))'>x",
    "<p style=\"behavior:url(x.htc)\">x",
    "<form action=//x><form><input type=image src=x formaction=javascript:alert(1)></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<template><script>alert(1)</script><img onerror=alert(1)></template>",
    "<textarea></textarea><img src=x onerror=alert(1)>",
    "<title></title><img src=x onerror=alert(1)>",
    "<xmp><p title=\"</xmp><img src=x onerror=alert(1)>\">",
    "<plaintext><img src=x onerror=alert(1)>",
    "<noembed><p title=\"</noembed><img onerror=alert(1)>\">",
    "<select><style></select><img src=x onerror=alert(1)></style>",
    "<select><template><style><!--</style><a rel=\"--></style></template></select><img id=x src onerror=alert(1)>\">",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<a href=\"javascript&colon;alert(1)\">x</a><a href='x' ping=//x onmouseover=alert(1)>y</a>",
    "<audio src=x onerror=alert(1)><video><source onerror=alert(1)></video>",
    "<table background=javascript:alert(1)><td background=x>y",
    "<details open ontoggle=alert(1)>x</details><dialog open onclose=alert(1)>y</dialog>",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]--><?xml version=1?><![CDATA[<script>x</script>]]>",
    "<p title='\" onmouseover=\"alert(1)'>x</p><p lang='\"><script>alert(1)</script>'>y",
    "<a\u{0}href=x onclick=alert(1)>x</a><scr\u{0}ipt>alert(1)</script><\u{0}script>x",
];

#[test]
fn web_11_no_trick_leaves_more_than_text_in_a_copy() {
    for trick in TRICKS {
        check_harmless(trick);
        // Nor in the middle of things, nor cut anywhere, nor when what we wrote is read again.
        check_harmless(&format!(
            "<table><tr><td><p><b>{trick}<i></table><svg><desc>{trick}</desc>"
        ));
        for end in 0..trick.len() {
            check_harmless(base::limits::cut(trick, end));
        }
        let once = copy(trick).html;
        check_harmless(&once);
    }
    for one in TRICKS {
        for other in TRICKS {
            check_harmless(&format!("{one}{other}"));
        }
    }
}

#[test]
fn web_11_copies_of_deep_and_large_pages_end() {
    for html in ["<div>".repeat(20_000), "<b><p>".repeat(5_000), "<a href=x>".repeat(5_000)] {
        check_harmless(&html);
    }
    // Short on the page, six bytes each in the copy.
    let copy = copy(&format!("<p>{}", "\"".repeat(1_500_000)));
    assert!(copy.is_cut && copy.html.len() >= inert::MOST_BYTES, "the limit was reached");
    assert!(copy.html.len() <= inert::MOST_BYTES + 100 && copy.html.ends_with("&quot;</p>"));
}
