//! Sends texts packed to browsers that take them so: a page of results is a fifth of its size.
//!
//! Only what is whole in memory is packed; a stream goes out as it comes. Our pages hold no secrets
//! that the size of a packed page could tell.

use std::io::Write as _;

use axum::body::{Body, to_bytes};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{Method, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Body as _;

// Not `tower-http`: four packages would save 60 lines.
/// Shorter texts fit into one packet as they are.
const LEAST_BYTES: u64 = 1_400;
/// Longer ones would hold up others; copies of pages have at most half of it.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Returns whether the answer to a request may be packed.
pub(crate) fn is_taken(method: &Method, headers: &HeaderMap) -> bool {
    let fields = headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = fields.filter_map(|field| field.to_str().ok()).flat_map(|f| f.split(','));
    method == Method::GET && codings.any(is_gzip)
}

fn is_gzip(coding: &str) -> bool {
    let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
    let quality = parameters.trim().strip_prefix("q=").map(|value| value.trim().parse::<f32>());
    let is_refused = matches!(quality, Some(Ok(0.0)));
    name.trim().eq_ignore_ascii_case("gzip") && !is_refused
}

/// Packs a text.
pub(crate) async fn squeezed(mut response: Response<Body>) -> Response<Body> {
    let length = response.body().size_hint().exact().unwrap_or(0);
    if !is_text(response.headers()) || !(LEAST_BYTES..=MOST_BYTES).contains(&length) {
        return response;
    }
    let body = std::mem::take(response.body_mut());
    let Ok(bytes) = to_bytes(body, usize::MAX).await else { return response };
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::fast());
    let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
    let Ok(packed) = packed else {
        *response.body_mut() = Body::from(bytes);
        return response;
    };
    *response.body_mut() = Body::from(packed);
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_LENGTH);
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Returns whether a response is a text that is not packed yet.
fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let is_text = kind.is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default();
        kind != "text/event-stream"
            && (kind.starts_with("text/") || kind.ends_with("json") || kind.ends_with("xml"))
    });
    is_text && !headers.contains_key(header::CONTENT_ENCODING)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn who_does_not_ask_for_it_gets_plain_text() {
        let taken = |accept: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(accept).unwrap());
            is_taken(&Method::GET, &headers)
        };
        assert!(taken("gzip, deflate, br") && taken("br;q=1, GZIP;q=0.5"));
        assert!(!taken("br") && !taken("gzip;q=0") && !taken("") && !taken("xgzip"));
        assert!(!is_taken(&Method::GET, &HeaderMap::new()));
    }

    #[tokio::test]
    async fn texts_are_packed_and_streams_pictures_and_short_answers_are_not() {
        let text = "jaguar ".repeat(1_000);
        let answer = |kind: &str, text: &str| {
            let mut response = Response::new(Body::from(text.to_owned()));
            let kind = HeaderValue::from_str(kind).unwrap();
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
            response
        };
        let packed = squeezed(answer("text/html; charset=utf-8", &text)).await;
        assert_eq!(packed.headers()[header::CONTENT_ENCODING], "gzip");
        let bytes = to_bytes(packed.into_body(), usize::MAX).await.unwrap();
        let mut back = String::new();
        flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut back).unwrap();
        assert!(back == text && bytes.len() < 200);
        for (kind, text) in
            [("text/html", "short"), ("image/png", &text), ("text/event-stream", &text)]
        {
            let plain = squeezed(answer(kind, text)).await;
            assert!(!plain.headers().contains_key(header::CONTENT_ENCODING), "{kind}");
            let bytes = to_bytes(plain.into_body(), usize::MAX).await.unwrap();
            assert_eq!(&bytes[..], text.as_bytes());
        }
    }
}
