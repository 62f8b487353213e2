//! What is a picture, and how long it is kept.

use super::*;

fn url(number: usize) -> Url {
    Url::parse(&format!("http://a.example/{number}.png")).unwrap()
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

/// A JPEG's segments up to the frame header.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xd0\xff\xc0\0\x11\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes
}

fn webp(form: &[u8], rest: &[u8]) -> Vec<u8> {
    [b"RIFF\0\0\0\0WEBP", form, b"\0\0\0\0", rest].concat()
}

fn avif(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x20ftypavif....ispe\0\0\0\0".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

#[test]
fn web_25_pictures_are_known_by_their_bytes_and_nothing_else_is_shown() {
    let check = |bytes: &[u8], kind| assert_eq!(PictureKind::of(bytes), kind, "{bytes:?}");
    check(&png(640, 480), Some(PictureKind::Png));
    check(&jpeg(640, 480), Some(PictureKind::Jpeg));
    check(b"GIF89a\x10\0\x10\0", Some(PictureKind::Gif));
    let lossy = webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a\x10\0\x10\0");
    check(&lossy, Some(PictureKind::Webp));
    check(&webp(b"VP8L", b"\x2f\x0f\xc0\x03\0"), Some(PictureKind::Webp));
    check(&webp(b"VP8X", b"\0\0\0\0\x0f\0\0\x0f\0\0"), Some(PictureKind::Webp));
    check(&avif(16, 16), Some(PictureKind::Avif));
    for other in
        ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<!doctype html>", "%PDF-1.7", "", "BM"]
    {
        check(other.as_bytes(), None);
    }
    check(&webp(b"XXXX", b"\0\0\0\0\0\0\0\0\0\0"), None);
}

#[test]
fn pictures_that_would_fill_the_memory_of_a_browser_are_not_shown() {
    assert_eq!(PictureKind::of(&png(30_000, 30_000)), None);
    assert_eq!(PictureKind::of(&png(u32::MAX, u32::MAX)), None);
    assert_eq!(PictureKind::of(&jpeg(65_000, 65_000)), None);
    assert_eq!(PictureKind::of(&avif(1 << 20, 1 << 20)), None);
    let huge = webp(b"VP8X", b"\0\0\0\0\xff\xff\xff\xff\xff\xff");
    assert_eq!(PictureKind::of(&huge), None);
}

#[test]
fn heads_that_break_off_anywhere_are_no_pictures() {
    for whole in [png(1, 1), jpeg(1, 1), avif(1, 1), b"GIF89a\x01\0\x01\0".to_vec()] {
        assert!(PictureKind::of(&whole).is_some());
        for end in 0..whole.len() {
            assert_eq!(PictureKind::of(&whole[..end]), None, "{end} of {whole:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn pictures_are_kept_within_bytes_and_number_and_for_a_while() {
    let mut kept = Kept::default();
    let found = |bytes: usize| Ok(Picture { kind: PictureKind::Png, bytes: vec![0; bytes].into() });
    for number in 0..5 {
        let cell = kept.cell(&url(number));
        cell.found.set(found(KEPT_BYTES / 4)).unwrap();
        kept.weigh(&url(number), &cell);
    }
    assert!(kept.bytes <= KEPT_BYTES);
    assert!(!kept.cells.contains_key(&url(0)) && kept.cells.contains_key(&url(4)));
    for number in 10..10 + 2 * KEPT {
        kept.cell(&url(number));
    }
    assert!(kept.cells.len() <= KEPT && kept.order.len() == kept.cells.len());
    assert_eq!(kept.bytes, 0, "what is gone weighs nothing");
    // What was not there is asked for again, later.
    let none = kept.cell(&url(1));
    none.found.set(Err(NoPicture::Status(404))).unwrap();
    assert!(Arc::ptr_eq(&none, &kept.cell(&url(1))));
    tokio::time::advance(NONE_FOR).await;
    assert!(!Arc::ptr_eq(&none, &kept.cell(&url(1))));
}
