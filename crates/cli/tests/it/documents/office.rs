//! OFF-01 to OFF-06: archives and containers made to harm.

use base::{ContentKind, Oddity};

use super::files::{DOCX_TYPES, docx, docx_with, odt, xlsx, zip, zip_as};
use super::{has, survive, words};

fn paragraph(text: &str) -> String {
    format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>")
}

#[test]
fn off_01_bombs_are_stopped_at_the_limit() {
    let spaces = " ".repeat(64 * 1024 * 1024);
    let bodies = [
        docx(&format!("{}{spaces}{}", paragraph("before"), paragraph("behind"))),
        xlsx(&format!("<worksheet><row><c t='str'><v>before</v></c></row>{spaces}</worksheet>")),
        odt(format!("<o><text:p>before</text:p>{spaces}</o>").as_bytes()),
    ];
    for body in bodies {
        assert!(body.len() < 3 * 1024 * 1024);
        let parsed = survive(&body);
        assert!(words(&parsed).ends_with("before"), "{:?}", parsed.oddities);
        assert!(has(&parsed, Oddity::DocumentCut), "{:?}", parsed.oddities);
    }
}

#[test]
fn off_02_names_of_members_are_only_names() {
    let main = format!("<d><w:body>{}</w:body></d>", paragraph("the first"));
    let long = "x".repeat(65_000);
    let second = paragraph("the second");
    let more: [(&str, &[u8]); 5] = [
        ("../../escaped-from-the-archive", b"x"),
        ("/escaped-from-the-archive", b"x"),
        (&long, b"x"),
        ("word/document.xml", second.as_bytes()),
        ("..\\..\\escaped-from-the-archive", b"x"),
    ];
    assert_eq!(words(&survive(&docx_with(&main, &more))), "the first");
    for place in ["../../escaped-from-the-archive", "/escaped-from-the-archive"] {
        assert!(!std::path::Path::new(place).exists());
    }
    // Members that are links: what they hold is the name of a file, which nobody opens.
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret.xml");
    std::fs::write(&secret, format!("<d><w:body>{}</w:body></d>", paragraph("secret"))).unwrap();
    let name = secret.to_str().unwrap();
    let members: [(&str, &[u8]); 3] = [
        ("[Content_Types].xml", DOCX_TYPES.as_bytes()),
        ("word/document.xml", name.as_bytes()),
        ("word/footnotes.xml", main.as_bytes()),
    ];
    let parsed = survive(&zip_as(&members, 0o120_777));
    assert_eq!(parsed.kind, ContentKind::Docx);
    assert!(!words(&parsed).contains("secret "), "{}", words(&parsed));
    assert!(parsed.blocks.iter().all(|block| block.text != "secret"));
}

#[test]
fn off_03_many_members_and_archives_inside_are_bounded() {
    let names: Vec<String> = (0..100_000).map(|i| format!("word/{i}")).collect();
    let more: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    let main = format!("<d><w:body>{}</w:body></d>", paragraph("among many"));
    let parsed = survive(&docx_with(&main, &more));
    assert_eq!(words(&parsed), "among many");
    assert!(has(&parsed, Oddity::DocumentCut));
    let inner = docx(&paragraph("inside"));
    let outer = zip(&[("inner.docx", &inner), ("again.zip", &inner)]);
    let parsed = survive(&outer);
    assert_eq!((parsed.kind, parsed.blocks.len()), (ContentKind::Other, 0));
}

#[test]
fn off_04_entities_are_neither_expanded_nor_fetched() {
    let mut laughs = String::from("<!DOCTYPE d [<!ENTITY a0 'ha'>");
    for i in 1..20 {
        laughs += &format!("<!ENTITY a{i} '{}'>", format!("&a{};", i - 1).repeat(10));
    }
    let main = format!(
        "{laughs}<!ENTITY file SYSTEM 'file:///etc/hostname'>]><d><w:body>{}</w:body></d>",
        paragraph("fish &amp; &#99;hips &a19;&file;")
    );
    assert_eq!(words(&survive(&docx_with(&main, &[]))), "fish & chips");
}

#[test]
fn off_05_only_cells_that_are_there_are_read() {
    let sheet = "<worksheet><dimension ref='A1:XFD1048576'/><sheetData>\
        <row r='1'><c r='A1' t='inlineStr'><is><t>top left</t></is></c></row>\
        <row r='1048576'><c r='XFD1048576'><v>42</v></c></row></sheetData></worksheet>";
    assert_eq!(words(&survive(&xlsx(sheet))), "Prices | top left | 42");
    let ods = "<o><office:spreadsheet><table:table table:name='S'><table:table-row \
        table:number-rows-repeated='1048576'><table:table-cell table:number-columns-repeated=\
        '16384'><text:p>once</text:p></table:table-cell></table:table-row></table:table>\
        </office:spreadsheet></o>";
    let body = zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", ods.as_bytes()),
    ]);
    assert_eq!(words(&survive(&body)), "S | once");
}

/// Writes a container whose streams lie in sectors of 512 bytes, chained as `fat` says.
fn container(fat: &[u32], stream: &str, sectors: &[[u8; 512]]) -> Vec<u8> {
    let mut file = vec![0; 512];
    file[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    file[0x1E] = 9;
    file[0x20] = 6;
    file[0x2C] = 1;
    let mut put = |place: usize, number: u32| {
        file[place..place + 4].copy_from_slice(&number.to_le_bytes());
    };
    // The directory is sector 1, the table of chains sector 0; no small sectors.
    put(0x30, 1);
    put(0x38, 4_096);
    put(0x3C, 0xFFFF_FFFE);
    put(0x44, 0xFFFF_FFFE);
    for i in 0..109 {
        put(0x4C + 4 * i, if i == 0 { 0 } else { u32::MAX });
    }
    let mut table = [0xFF; 512];
    for (place, next) in table.chunks_exact_mut(4).zip(fat) {
        place.copy_from_slice(&next.to_le_bytes());
    }
    file.extend(table);
    let mut directory = [0; 512];
    for (i, (name, child, start, size)) in
        [("Root Entry", 1, 0xFFFF_FFFE_u32, 0_u32), (stream, u32::MAX, 2, 1 << 30)]
            .into_iter()
            .enumerate()
    {
        let entry = &mut directory[i * 128..(i + 1) * 128];
        for (place, unit) in entry.chunks_exact_mut(2).zip(name.encode_utf16()) {
            place.copy_from_slice(&unit.to_le_bytes());
        }
        entry[64] = u8::try_from(2 * name.len() + 2).unwrap();
        for (place, number) in
            [(68, u32::MAX), (72, u32::MAX), (76, child), (116, start), (120, size)]
        {
            entry[place..place + 4].copy_from_slice(&number.to_le_bytes());
        }
    }
    file.extend(directory);
    for sector in sectors {
        file.extend(sector);
    }
    file
}

#[test]
fn off_06_chains_that_bite_their_tail_are_bounded() {
    // 0 is the table itself, 1 the directory, 2 and 3 follow each other for ever.
    let fat = [0xFFFF_FFFD, 0xFFFF_FFFE, 3, 2];
    for (stream, kind) in [
        ("WordDocument", ContentKind::Doc),
        ("Workbook", ContentKind::Xls),
        ("PowerPoint Document", ContentKind::Ppt),
    ] {
        let parsed = survive(&container(&fat, stream, &[[0; 512], [0x15; 512]]));
        assert_eq!((parsed.kind, parsed.blocks.len()), (kind, 0));
        assert!(!parsed.oddities.is_empty());
        // The directory itself in a circle.
        survive(&container(&[0xFFFF_FFFD, 1, 3, 2], stream, &[[0; 512]]));
        survive(&container(&[0; 4], stream, &[[0xFF; 512]]));
    }
}
