//! Documents made for tests: PDF object by object, ZIP member by member.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};

/// Writes a PDF of numbered objects, the first one its root.
pub(super) fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    pdf_with(objects, "")
}

/// Writes a PDF with more in its trailer.
pub(super) fn pdf_with(objects: &[Vec<u8>], trailer: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", i + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let xref = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").bytes());
    }
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<</Size {size}/Root 1 0 R{trailer}>>\n").bytes());
    file.extend(format!("startxref\n{xref}\n%%EOF\n").bytes());
    file
}

/// Writes a stream object.
pub(super) fn stream(dictionary: &str, content: &[u8]) -> Vec<u8> {
    let mut object = format!("<<{dictionary}/Length {}>>\nstream\n", content.len()).into_bytes();
    object.extend(content);
    object.extend(b"\nendstream");
    object
}

/// Returns the objects of a document of one page.
pub(super) fn page_objects(content: &str) -> Vec<Vec<u8>> {
    vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R\
          /Resources<</Font<</F1 5 0 R>>>>>>"
            .to_vec(),
        stream("", content.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ]
}

pub(super) fn pdf_page(content: &str) -> Vec<u8> {
    pdf(&page_objects(content))
}

pub(super) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Writes an archive.
pub(super) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    zip_as(members, 0)
}

/// Writes an archive whose members have a mode of Unix: what kind of file each is.
pub(super) fn zip_as(members: &[(&str, &[u8])], mode: u16) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in members {
        let packed = deflate(bytes);
        let place = u32::try_from(file.len()).unwrap();
        let method = if bytes.is_empty() { 0 } else { 8 };
        let mut shared = vec![20, 0, 0, 0, method, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        shared.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
        shared.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
        shared.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        shared.extend([0, 0]);
        file.extend(b"PK\x03\x04");
        file.extend(&shared);
        file.extend(name.bytes());
        file.extend(packed);
        // Made by Unix, so that the mode counts.
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&shared);
        directory.extend([0; 6]);
        directory.extend((u32::from(mode) << 16).to_le_bytes());
        directory.extend(place.to_le_bytes());
        directory.extend(name.bytes());
    }
    let start = u32::try_from(file.len()).unwrap();
    let count = u16::try_from(members.len().min(65_535)).unwrap().to_le_bytes();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\x00\x00\x00\x00");
    file.extend(count);
    file.extend(count);
    file.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    file.extend(start.to_le_bytes());
    file.extend([0, 0]);
    file
}

pub(super) const DOCX_TYPES: &str = "<Types><Override PartName='/word/document.xml' ContentType=\
     \"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";
pub(super) const XLSX_TYPES: &str = "<Types><Override PartName='/xl/workbook.xml' ContentType=\
     \"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml\"/></Types>";
const KIND: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Writes a document of Word with a body.
pub(super) fn docx(body: &str) -> Vec<u8> {
    docx_with(
        &format!("<w:document xmlns:w='w' xmlns:r='r'><w:body>{body}</w:body></w:document>"),
        &[],
    )
}

/// Writes a document of Word with a whole main part and more members.
pub(super) fn docx_with(main: &str, more: &[(&str, &[u8])]) -> Vec<u8> {
    let root = format!(
        "<Relationships><Relationship Id='a' Type='{KIND}/officeDocument' \
         Target='word/document.xml'/><Relationship Id='b' Type='x/metadata/core-properties' \
         Target='docProps/core.xml'/></Relationships>"
    );
    let relations = format!(
        "<Relationships><Relationship Id='r1' Type='{KIND}/hyperlink' \
         Target='http://b.example/' TargetMode='External'/></Relationships>"
    );
    let core = "<c><dc:title>The title</dc:title><dc:creator>An author</dc:creator>\
                <dcterms:created>2020-01-02T03:04:05Z</dcterms:created></c>";
    let mut members: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", DOCX_TYPES.as_bytes()),
        ("_rels/.rels", root.as_bytes()),
        ("word/document.xml", main.as_bytes()),
        ("word/_rels/document.xml.rels", relations.as_bytes()),
        ("docProps/core.xml", core.as_bytes()),
    ];
    members.extend(more);
    zip(&members)
}

/// Writes a workbook of one sheet.
pub(super) fn xlsx(sheet: &str) -> Vec<u8> {
    let root = format!(
        "<Relationships><Relationship Id='a' Type='{KIND}/officeDocument' \
         Target='xl/workbook.xml'/></Relationships>"
    );
    let relations = format!(
        "<Relationships><Relationship Id='s1' Type='{KIND}/worksheet' \
         Target='worksheets/sheet1.xml'/></Relationships>"
    );
    let book = "<workbook><sheets><sheet name='Prices' sheetId='1' r:id='s1'/></sheets></workbook>";
    zip(&[
        ("[Content_Types].xml", XLSX_TYPES.as_bytes()),
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

/// Writes a text of OpenDocument.
pub(super) fn odt(content: &[u8]) -> Vec<u8> {
    zip(&[("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", content)])
}
