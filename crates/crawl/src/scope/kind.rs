//! Kinds of files, told from the end of a path before anything is fetched.
//!
//! Only what is surely something else than wanted is left out: a path without an extension, or
//! with one that is not in the table, is fetched, and the response says what it is.

use std::collections::BTreeSet;

use base::Url;
use thiserror::Error;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FileKind {
    /// HTML and the programs that make it: `html`, `php`, `aspx` …
    Page,
    /// Paged documents: `pdf`, `docx`, `odt`, `epub` …
    Document,
    /// Plain text: `txt`, `md` …
    Text,
    /// Data and feeds: `xml`, `rss`, `json`, `csv` …
    Data,
    /// Pictures.
    Picture,
    /// Moving pictures.
    Video,
    /// Sound.
    Audio,
    /// Packed files.
    Archive,
    /// Programs and disk images.
    Program,
    /// Typefaces.
    Font,
    /// Style sheets.
    Style,
    /// Scripts.
    Script,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 12] = [
        Self::Page,
        Self::Document,
        Self::Text,
        Self::Data,
        Self::Picture,
        Self::Video,
        Self::Audio,
        Self::Archive,
        Self::Program,
        Self::Font,
        Self::Style,
        Self::Script,
    ];

    /// Returns the name used in configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Document => "document",
            Self::Text => "text",
            Self::Data => "data",
            Self::Picture => "picture",
            Self::Video => "video",
            Self::Audio => "audio",
            Self::Archive => "archive",
            Self::Program => "program",
            Self::Font => "font",
            Self::Style => "style",
            Self::Script => "script",
        }
    }

    /// Returns the kind that the end of the path speaks for, if it does.
    pub fn of(url: &Url) -> Option<Self> {
        Lowered::of(url).and_then(|extension| Self::of_extension(extension.as_str()))
    }

    fn of_extension(extension: &str) -> Option<Self> {
        EXTENSIONS.iter().find(|(_, list)| list.contains(&extension)).map(|(kind, _)| *kind)
    }
}

/// Which kinds of files are fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Types {
    kinds: BTreeSet<FileKind>,
    /// Single extensions, in lower case, without the dot.
    extensions: BTreeSet<String>,
}

/// What is neither a kind nor an extension.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no kind of file; write `page`, `document`, `text`, `data`, `picture`, `video`, \
     `audio`, `archive`, `program`, `font`, `style`, `script`, or an extension with its dot \
     such as `.pdf`"
)]
pub struct BadType(String);

impl Default for Types {
    /// What can hold text to be found: pages, documents, text and data.
    fn default() -> Self {
        let kinds = [FileKind::Page, FileKind::Document, FileKind::Text, FileKind::Data];
        Self { kinds: kinds.into(), extensions: BTreeSet::new() }
    }
}

impl Types {
    /// Reads kinds by name and single extensions with their dot (`.pdf`).
    pub fn parse(texts: &[String]) -> Result<Self, BadType> {
        let mut types = Self { kinds: BTreeSet::new(), extensions: BTreeSet::new() };
        for text in texts {
            let kind = FileKind::ALL.into_iter().find(|kind| kind.name() == text);
            match (kind, text.strip_prefix('.')) {
                (Some(kind), _) => {
                    types.kinds.insert(kind);
                }
                (None, Some(extension)) if is_extension(extension) => {
                    types.extensions.insert(extension.to_ascii_lowercase());
                }
                _ => return Err(BadType(text.clone())),
            }
        }
        Ok(types)
    }

    /// Returns whether a URL may lead to a file that is wanted.
    pub fn take(&self, url: &Url) -> bool {
        let Some(extension) = Lowered::of(url) else { return true };
        match FileKind::of_extension(extension.as_str()) {
            Some(kind) => {
                self.kinds.contains(&kind) || self.extensions.contains(extension.as_str())
            }
            None => true,
        }
    }
}

/// Longest extension looked at.
const LONGEST: usize = 8;

/// An extension in lower case, without memory of its own.
struct Lowered {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Lowered {
    /// Returns the extension of the last part of a path.
    fn of(url: &Url) -> Option<Self> {
        let path = url.path();
        let last = path.rsplit_once('/').map_or(path, |(_, last)| last);
        let last = last.split_once(';').map_or(last, |(last, _)| last);
        let (name, extension) = last.rsplit_once('.')?;
        // `File:Photo.jpg` is a wiki's page about a picture.
        if !is_extension(extension) || last.contains(':') || last.contains("%3A") {
            return None;
        }
        // `sitemap.xml.gz` is data that is packed, not an archive.
        let is_packed = extension.eq_ignore_ascii_case("gz");
        let inner = name.rsplit_once('.').map(|(_, inner)| inner);
        let extension = match inner {
            Some(inner) if is_packed && inner.eq_ignore_ascii_case("xml") => inner,
            _ => extension,
        };
        let mut bytes = [0; LONGEST];
        bytes[..extension.len()].copy_from_slice(extension.as_bytes());
        bytes.make_ascii_lowercase();
        Some(Self { bytes, len: extension.len() })
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).expect("`of` takes only ASCII")
    }
}

fn is_extension(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Extensions that say what a file is, the most frequent kinds first.
///
/// Left out of the table on purpose: `com`, `pl`, `cgi` and others that end both pages and files.
#[rustfmt::skip]
const EXTENSIONS: [(FileKind, &[&str]); 12] = [
    (FileKind::Page, &[
        "html", "htm", "php", "asp", "aspx", "jsp", "xhtml", "shtml", "php3", "php5", "phtml",
        "jspx", "cfm", "do", "dhtml", "mhtml",
    ]),
    (FileKind::Picture, &[
        "jpg", "png", "jpeg", "gif", "webp", "svg", "ico", "avif", "bmp", "tif", "tiff", "heic",
        "heif", "jxl", "psd", "eps", "raw", "cr2", "nef", "xcf", "svgz", "jfif", "pjpeg", "apng",
        "xbm", "xpm", "ppm", "pgm",
    ]),
    (FileKind::Document, &[
        "pdf", "doc", "docx", "odt", "rtf", "ps", "dvi", "xls", "xlsx", "ods", "ppt", "pptx",
        "odp", "pps", "ppsx", "epub", "mobi", "djvu", "docm", "xlsm", "pptm", "pages", "tex",
    ]),
    (FileKind::Text, &["txt", "text", "md", "markdown", "rst", "asc"]),
    (FileKind::Data, &[
        "xml", "rss", "atom", "rdf", "json", "jsonld", "csv", "tsv", "yaml", "yml", "ics", "vcf",
        "kml", "gpx", "opml", "geojson", "ndjson",
    ]),
    (FileKind::Script, &["js", "mjs", "cjs", "wasm", "swf"]),
    (FileKind::Style, &["css", "scss", "less", "xsl", "xslt"]),
    (FileKind::Font, &["woff2", "woff", "ttf", "otf", "eot"]),
    (FileKind::Video, &[
        "mp4", "webm", "mov", "avi", "mkv", "mpg", "mpeg", "m4v", "wmv", "flv", "ogv", "3gp",
        "m3u8", "ts", "vob", "f4v",
    ]),
    (FileKind::Audio, &[
        "mp3", "wav", "ogg", "m4a", "flac", "aac", "oga", "opus", "wma", "mid", "midi", "aif",
        "aiff", "m3u", "pls", "ra", "ram", "au",
    ]),
    (FileKind::Archive, &[
        "zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar", "zst", "tbz", "tbz2", "txz", "lz",
        "lzma", "cab", "z", "lha", "arj", "warc", "torrent",
    ]),
    (FileKind::Program, &[
        "exe", "msi", "dmg", "pkg", "deb", "rpm", "apk", "jar", "war", "iso", "img", "bin", "dll",
        "so", "appimage", "ipa", "xpi", "crx", "msu", "vmdk", "qcow2", "whl", "gem", "class", "o",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(types: &Types, path: &str, expected: bool) {
        let url = Url::parse(&format!("http://a.example{path}")).unwrap();
        assert_eq!(types.take(&url), expected, "{path}");
    }

    fn types(texts: &[&str]) -> Types {
        Types::parse(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn what_holds_no_text_is_left_out_by_default() {
        let types = Types::default();
        for path in [
            "/a.jpg",
            "/a.PNG",
            "/a.mp4",
            "/a.mp3",
            "/a.zip",
            "/a.tar.gz",
            "/a.exe",
            "/a.woff2",
            "/a.css",
            "/a.js?v=3",
            "/a.gif;x=1",
        ] {
            check(&types, path, false);
        }
        for path in
            ["/", "/a", "/a.html", "/a.php?b=c.jpg", "/a.pdf", "/a.txt", "/a.xml", "/a.unheard"]
        {
            check(&types, path, true);
        }
    }

    #[test]
    fn only_the_last_part_of_the_path_counts() {
        let types = Types::default();
        check(&types, "/photo.jpg/view", true);
        check(&types, "/get?file=a.zip", true);
        check(&types, "/wiki/File:Photo.jpg", true);
        check(&types, "/wiki/File%3APhoto.jpg", true);
        check(&types, "/v1.2", true);
        check(&types, "/.gif", false);
        check(&types, "/a.averylongextension", true);
        check(&types, "/sitemap.xml.gz", true);
        check(&types, "/list.txt.gz", false);
    }

    #[test]
    fn kinds_and_extensions_can_be_chosen() {
        let types = types(&["page", "picture", ".zip"]);
        check(&types, "/a.png", true);
        check(&types, "/a.zip", true);
        check(&types, "/a.html", true);
        check(&types, "/a", true);
        check(&types, "/a.tar", false);
        check(&types, "/a.pdf", false);
    }

    #[test]
    fn what_is_no_kind_is_an_error_that_lists_them() {
        for text in ["pictures", "pdf", ".", ".a/b", "", ".verylongext"] {
            let error = Types::parse(&[text.to_owned()]).unwrap_err().to_string();
            assert!(FileKind::ALL.iter().all(|kind| error.contains(kind.name())), "{error}");
        }
    }

    #[test]
    fn no_extension_has_two_kinds() {
        let mut seen = BTreeSet::new();
        for extension in EXTENSIONS.iter().flat_map(|(_, list)| *list) {
            assert!(is_extension(extension) && *extension == extension.to_ascii_lowercase());
            assert!(seen.insert(extension), "{extension}");
        }
    }
}
