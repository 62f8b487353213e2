//! HTTP/2 frames said as they are, for answers that no HTTP/2 library would give.
//!
//! ```text
//! length: u24 be | kind: u8 | flags: u8 | stream: u32 be | payload
//! ```

use crate::{End, Pace, Raw};

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    kind: u8,
    flags: u8,
    /// The request's own stream unless said otherwise.
    stream: Option<u32>,
    payload: Vec<u8>,
}

/// The last frame of a body or of a response without one.
pub const END_STREAM: u8 = 0x1;
/// The last frame of a header block.
pub const END_HEADERS: u8 = 0x4;

impl Frame {
    /// Returns a DATA frame on the request's stream.
    pub fn data(flags: u8, payload: impl Into<Vec<u8>>) -> Self {
        Self { kind: 0, flags, stream: None, payload: payload.into() }
    }

    /// Returns a HEADERS frame on the request's stream with an HPACK block.
    pub fn headers(flags: u8, block: impl Into<Vec<u8>>) -> Self {
        Self { kind: 1, flags, stream: None, payload: block.into() }
    }

    /// Returns a CONTINUATION frame on the request's stream.
    pub fn continuation(flags: u8, block: impl Into<Vec<u8>>) -> Self {
        Self { kind: 9, flags, stream: None, payload: block.into() }
    }

    /// Returns a RST_STREAM frame on the request's stream with an error code.
    pub fn reset(code: u32) -> Self {
        Self { kind: 3, flags: 0, stream: None, payload: code.to_be_bytes().to_vec() }
    }

    /// Returns a SETTINGS frame with one setting.
    pub fn setting(id: u16, value: u32) -> Self {
        let payload = [&id.to_be_bytes()[..], &value.to_be_bytes()].concat();
        Self { kind: 4, flags: 0, stream: Some(0), payload }
    }

    /// Returns a PUSH_PROMISE frame on the request's stream.
    pub fn promise(promised: u32, block: &[u8]) -> Self {
        let payload = [&promised.to_be_bytes()[..], block].concat();
        Self { kind: 5, flags: END_HEADERS, stream: None, payload }
    }

    /// Returns a PING frame.
    pub fn ping() -> Self {
        Self { kind: 6, flags: 0, stream: Some(0), payload: vec![7; 8] }
    }

    /// Returns a GOAWAY frame: streams after `last` were not looked at.
    pub fn go_away(last: u32, code: u32) -> Self {
        let payload = [last.to_be_bytes(), code.to_be_bytes()].concat();
        Self { kind: 7, flags: 0, stream: Some(0), payload }
    }

    /// Puts the frame on another stream.
    #[must_use]
    pub fn on(mut self, stream: u32) -> Self {
        self.stream = Some(stream);
        self
    }

    fn write(&self, own: u32, out: &mut Vec<u8>) {
        let length = u32::try_from(self.payload.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&length.to_be_bytes()[1..]);
        out.extend_from_slice(&[self.kind, self.flags]);
        out.extend_from_slice(&self.stream.unwrap_or(own).to_be_bytes());
        out.extend_from_slice(&self.payload);
    }
}

/// The answer to an HTTP/2 request, frame by frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// Sent once.
    pub frames: Vec<Frame>,
    /// Sent after them, again and again.
    pub again: Vec<Frame>,
    /// How often `again` is sent; the client leaving ends it early.
    pub times: u64,
    /// How slowly all of it is sent.
    pub pace: Pace,
    /// What happens to the connection afterwards.
    pub end: End,
}

impl Frames {
    /// Returns frames sent at once, after which the connection stays as `end` says.
    pub fn new(frames: impl Into<Vec<Frame>>, end: End) -> Self {
        Self { frames: frames.into(), end, ..Self::default() }
    }

    /// Sends `again` `times` times after the frames.
    #[must_use]
    pub fn followed_by(mut self, again: impl Into<Vec<Frame>>, times: u64) -> Self {
        self.again = again.into();
        self.times = times;
        self
    }

    /// Sets the pace.
    #[must_use]
    pub fn paced(mut self, pace: Pace) -> Self {
        self.pace = pace;
        self
    }

    /// Returns the bytes that answer a request on `stream`.
    pub(crate) fn on(&self, stream: u32) -> Raw {
        let write = |frames: &[Frame]| {
            let mut out = Vec::new();
            frames.iter().for_each(|frame| frame.write(stream, &mut out));
            out
        };
        Raw {
            bytes: write(&self.frames),
            again: write(&self.again),
            times: self.times,
            pace: self.pace,
            end: self.end,
        }
    }
}

/// Returns an HPACK block: a status of the table (200, 204, 206, 304, 400, 404, 500) or any
/// other in full, then fields in full, nothing compressed.
pub fn header_block(status: u16, fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    match [200, 204, 206, 304, 400, 404, 500].iter().position(|known| *known == status) {
        Some(place) => block.push(0x88 + u8::try_from(place).unwrap_or_default()),
        None => literal(&mut block, ":status", &status.to_string()),
    }
    for (name, value) in fields {
        literal(&mut block, name, value);
    }
    block
}

fn literal(block: &mut Vec<u8>, name: &str, value: &str) {
    block.push(0);
    for text in [name, value] {
        // HPACK's number with a prefix of seven bits.
        let mut rest = text.len();
        if rest < 0x7F {
            block.push(u8::try_from(rest).unwrap_or_default());
        } else {
            block.push(0x7F);
            rest -= 0x7F;
            while rest >= 0x80 {
                block.push(u8::try_from(rest % 0x80).unwrap_or_default() | 0x80);
                rest /= 0x80;
            }
            block.push(u8::try_from(rest).unwrap_or_default());
        }
        block.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_written_on_the_stream_of_their_request() {
        let frames = Frames::new([Frame::data(END_STREAM, "ab"), Frame::ping()], End::Close);
        let bytes = frames.on(3).bytes;
        assert_eq!(bytes[..11], [0, 0, 2, 0, 1, 0, 0, 0, 3, b'a', b'b']);
        assert_eq!(bytes[11..20], [0, 0, 8, 6, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn header_blocks_are_plain() {
        assert_eq!(header_block(200, &[("a", "b")]), [0x88, 0, 1, b'a', 1, b'b']);
        assert_eq!(header_block(404, &[]), [0x8D]);
        let long = header_block(200, &[("a", &"x".repeat(300))]);
        assert_eq!(long[4..7], [0x7F, 0xAD, 0x01]);
    }
}
