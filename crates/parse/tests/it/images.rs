//! Pictures of a page (P8).

use super::page;

#[track_caller]
fn check(html: &str, expected: &[&str]) {
    let parsed = page(html);
    let lines = parsed.images.iter().map(|image| {
        let target = image.target.as_str().replace("http://a.example", "");
        let size = format!("{}x{}", image.width, image.height);
        format!("{target} {size} {} / {}", image.alt, image.caption)
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected, "{html}");
}

#[test]
fn pictures_have_alt_caption_and_size() {
    check(
        "<img src=i.png alt=' a \n cat ' width=640 height=480px>",
        &["/dir/i.png 640x480 a cat / "],
    );
    check("<img src=i.png title=tip style='WIDTH: 20px; height:50%'>", &["/dir/i.png 20x0  / tip"]);
    check(
        "<figure><img src=1.png><img src=2.png><figcaption>Two <b>cats</b></figcaption></figure><img src=3.png>",
        &["/dir/1.png 0x0  / Two cats", "/dir/2.png 0x0  / Two cats", "/dir/3.png 0x0  / "],
    );
    check("<base href=/b/><img src=i.png>", &["/b/i.png 0x0  / "]);
}

#[test]
fn pictures_shown_by_scripts_and_in_sizes_are_found() {
    check("<img src=data:image/gif;base64,x data-src=real.png>", &["/dir/real.png 0x0  / "]);
    check("<img src=small.png srcset='a.png 320w, b.png 1280w'>", &["/dir/b.png 0x0  / "]);
    check("<img data-srcset='a.png 1x, b.png 2x'>", &["/dir/b.png 0x0  / "]);
}

#[test]
fn the_picture_to_share_comes_first() {
    check(
        "<meta property=og:image content=/s.png><meta property=og:image:alt content=shared><meta property=og:image:width content=1200><meta property=og:image:height content=630><img src=i.png><img src=/s.png title=again>",
        &["/s.png 1200x630 shared / again", "/dir/i.png 0x0  / "],
    );
}

#[test]
fn points_and_inline_pictures_are_none() {
    check("<img src=/count.gif width=1 height=1><img src=/x.gif style='width:1px'>", &[]);
    check("<img src=data:image/png;base64,AAAA><img><img src=''><img src=javascript:x>", &[]);
    check("<svg><image href=x.png></svg><template><img src=t.png></template>", &[]);
}

#[test]
fn htm_15_pictures_are_bounded() {
    let many: String = (0..3_000).map(|i| format!("<figure><img src={i}.png>")).collect();
    assert_eq!(page(&many).images.len(), 200);
    let long = format!("<img src=i.png alt='{0}' title='{0}'>", "long ".repeat(10_000));
    let parsed = page(&long);
    assert!(parsed.images[0].alt.len() <= 512 && parsed.images[0].caption.len() <= 512);
    assert_eq!(page(&"<img src=i.png>".repeat(5_000)).images.len(), 1);
}
