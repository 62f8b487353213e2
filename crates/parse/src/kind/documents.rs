//! Which document a container holds: told by its members, never by its name or its server.

use base::ContentKind;

use crate::document::zip::Zip;

/// Members of an archive looked at.
const MEMBERS: usize = 5_000;
/// Bytes that members may unpack to while we look: lists of types are small.
const MEMBER_BYTES: usize = 512 * 1024;

/// Returns what a ZIP archive holds; [`ContentKind::Other`] if it is only an archive.
pub(super) fn of_zip(body: &[u8]) -> ContentKind {
    let Some(zip) = Zip::open(body, MEMBERS, MEMBER_BYTES) else { return ContentKind::Other };
    if let Some(name) = zip.read("mimetype") {
        return of_name(&String::from_utf8_lossy(&name));
    }
    if let Some(types) = zip.xml("[Content_Types].xml") {
        return of_types(&types, &zip);
    }
    if zip.has("content.xml")
        && let Some(manifest) = zip.xml("META-INF/manifest.xml")
    {
        let name = manifest.find("application/vnd.").map_or("", |place| &manifest[place..]);
        return of_name(name.split('"').next().unwrap_or_default());
    }
    if zip.has("META-INF/container.xml") { ContentKind::Epub } else { ContentKind::Other }
}

/// The name of a type in a member of its own, as OpenDocument and EPUB have it.
fn of_name(name: &str) -> ContentKind {
    let name = name.trim();
    if name == "application/epub+zip" {
        return ContentKind::Epub;
    }
    let oasis = name.strip_prefix("application/vnd.oasis.opendocument.");
    let Some(family) = oasis.or_else(|| name.strip_prefix("application/vnd.sun.xml.")) else {
        return ContentKind::Other;
    };
    let is = |names: &[&str]| names.iter().any(|name| family.starts_with(name));
    if is(&["text", "writer"]) {
        ContentKind::Odt
    } else if is(&["spreadsheet", "calc"]) {
        ContentKind::Ods
    } else if is(&["presentation", "graphics", "impress", "draw"]) {
        ContentKind::Odp
    } else {
        ContentKind::Other
    }
}

/// The types of the parts, as Office Open XML lists them.
fn of_types(types: &str, zip: &Zip<'_>) -> ContentKind {
    let types = types.to_ascii_lowercase();
    // The main part's type has many forms: document and template, with macros and without.
    let has = |application: &str| {
        types.split(['"', '\'']).any(|word| {
            word.contains(application) && word.ends_with("main+xml") && !word.contains("binary")
        })
    };
    if has("word") {
        ContentKind::Docx
    } else if has("spreadsheetml") || has("ms-excel") {
        ContentKind::Xlsx
    } else if has("presentationml") || has("ms-powerpoint") {
        ContentKind::Pptx
    } else if zip.has("word/document.xml") {
        ContentKind::Docx
    } else {
        ContentKind::Other
    }
}
