//! Pictures of results, fetched by the crawl of this process for the page that shows them (P8).

use std::sync::Arc;

use crawl::{Handle, NoPicture};
use serve::{PictureFn, Shown};

/// Returns who fetches pictures: the crawl, under its rules.
pub(crate) fn of(handle: Handle) -> PictureFn {
    Arc::new(move |url| {
        let handle = handle.clone();
        Box::pin(async move {
            match handle.picture(&url).await {
                Ok(picture) => Shown::Picture(picture.kind.content_type(), picture.bytes),
                Err(NoPicture::Later) => Shown::Later,
                Err(reason) => {
                    tracing::debug!(%url, ?reason, "a picture is not shown");
                    Shown::Nothing
                }
            }
        })
    })
}
