//! Pictures and PDF files made in code.

use std::fmt::Write as _;

use super::world::hash;

/// Returns the picture drawn for a path such as `/img/harbour.svg`, or `None` for other paths.
///
/// The picture follows from its path and the host's colour and holds no words: hills, a bay with
/// a sail, or a night; on `front` and `door…`, the company's, a lantern hangs before it.
pub(super) fn picture(path: &str, hue: u32) -> Option<String> {
    let name = path.strip_prefix("/img/")?.strip_suffix(".svg")?;
    let mut rng = fastrand::Rng::with_seed(hash(&[name.as_bytes()]));
    let motif = rng.u32(0..3);
    let sky = (hue + rng.u32(0..60)) % 360;
    let (x, y, radius) = (rng.u32(60..420), rng.u32(40..110), rng.u32(16..40));
    let (air, disc) =
        if motif == 2 { ("35%,22%", "50,40%,88%") } else { ("55%,82%", "45,90%,70%") };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 270\">\
         <rect width=\"480\" height=\"270\" fill=\"hsl({sky},{air})\"/>\
         <circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"hsl({disc})\"/>"
    );
    if motif == 2 {
        for _ in 0..40 {
            let (x, y) = (rng.u32(0..480), rng.u32(0..150));
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"1\" fill=\"#fff\"/>");
        }
    }
    hills(&mut svg, &mut rng, hue, motif);
    if motif == 1 {
        let x = rng.u32(80..400);
        let _ = write!(
            svg,
            "<rect y=\"190\" width=\"480\" height=\"80\" fill=\"hsl({sky},45%,48%)\"/>\
             <path d=\"M{x} 130 L{x} 215 L{} 215 Z\" fill=\"#fdfaf2\"/>\
             <path d=\"M{} 220 h70 l-12 16 h-46 Z\" fill=\"hsl({hue},40%,25%)\"/>",
            x + 44,
            x - 18
        );
    }
    if name == "front" || name.starts_with("door") {
        svg.push_str(
            "<path d=\"M190 110 L240 60 L290 110 Z M232 60 a8 8 0 1 1 16 0 Z M205 220 h70 v14 h-70 Z\" \
             fill=\"hsl(22,55%,38%)\"/><rect x=\"200\" y=\"110\" width=\"80\" height=\"110\" rx=\"6\" \
             fill=\"hsl(46,95%,72%)\" stroke=\"hsl(22,55%,38%)\" stroke-width=\"7\"/>",
        );
    }
    svg.push_str("</svg>");
    Some(svg)
}

fn hills(svg: &mut String, rng: &mut fastrand::Rng, hue: u32, motif: u32) {
    for layer in 0..4_u32 {
        let mut line = format!("M0 {}", 120 + layer * 34 + rng.u32(0..30));
        for step in 1..=8_u32 {
            let _ = write!(line, " L{} {}", step * 60, 110 + layer * 36 + rng.u32(0..44));
        }
        let light = if motif == 2 { 30 - layer * 6 } else { 62 - layer * 12 };
        let _ =
            write!(svg, "<path d=\"{line} L480 270 L0 270 Z\" fill=\"hsl({hue},32%,{light}%)\"/>");
    }
}

/// Lines that fit a page of [`pdf`].
const LINES_PER_PAGE: usize = 44;

/// Returns a small valid PDF: Helvetica, uncompressed text, one link-free page per 44 lines.
///
/// `lines` must be ASCII without parentheses or backslashes in odd places; those are escaped.
pub(super) fn pdf(title: &str, lines: &[String]) -> Vec<u8> {
    let pages: Vec<&[String]> = lines.chunks(LINES_PER_PAGE).collect();
    let mut objects = vec![String::new(), String::new()];
    objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned());
    objects.push(format!("<< /Title ({}) /Producer (demo web) >>", pdf_text(title)));
    let mut kids = String::new();
    for page in &pages {
        let mut stream = String::from("BT /F1 11 Tf 56 780 Td 16 TL\n");
        for line in *page {
            let _ = writeln!(stream, "({}) Tj T*", pdf_text(line));
        }
        stream.push_str("ET");
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
        let contents = objects.len();
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] \
             /Resources << /Font << /F1 3 0 R >> >> /Contents {contents} 0 R >>"
        ));
        let _ = write!(kids, "{} 0 R ", objects.len());
    }
    objects[0] = "<< /Type /Catalog /Pages 2 0 R >>".to_owned();
    objects[1] = format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len());
    assemble(&objects)
}

fn assemble(objects: &[String]) -> Vec<u8> {
    let mut out = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let start = out.len();
    let _ = write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(out, "{offset:010} 00000 n ");
    }
    let _ = write!(
        out,
        "trailer\n<< /Size {} /Root 1 0 R /Info 4 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    );
    out.into_bytes()
}

fn pdf_text(text: &str) -> String {
    let ascii: String = text.chars().map(|ch| if ch.is_ascii() { ch } else { '-' }).collect();
    ascii.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)")
}

/// Breaks paragraphs into lines of at most 88 characters, with an empty line after each.
pub(super) fn wrap(paragraphs: &[&str]) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.len() + 1 + word.len() > 88 {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
        lines.push(String::new());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_reference_points_at_the_objects() {
        let bytes = pdf("Tide (table)", &wrap(&["High water at noon.", "Low water at six."]));
        let text = String::from_utf8(bytes).unwrap();
        let start: usize =
            text.rsplit("startxref\n").next().unwrap().lines().next().unwrap().parse().unwrap();
        assert!(text[start..].starts_with("xref\n"));
        for (at, line) in
            text[start..].lines().skip(3).take_while(|line| line.ends_with("n ")).enumerate()
        {
            let offset: usize = line[..10].parse().unwrap();
            assert!(text[offset..].starts_with(&format!("{} 0 obj", at + 1)));
        }
        assert!(text.contains("(High water at noon.) Tj"));
        assert!(text.contains("/Title (Tide \\(table\\))"));
    }
}
