//! What to do about an error, where we know.

use base::collection;

/// Returns advice for an error that a user can do something about.
pub(crate) fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        if let Some(serve::Error::PortInUse { .. }) = cause.downcast_ref() {
            return Some("choose another port with `--port N`".to_owned());
        }
        if cause.downcast_ref().is_some_and(crawl::FrontierError::is_damage) {
            return Some(
                "`lookfar check --repair` makes the frontier again from the page log".to_owned(),
            );
        }
        match cause.downcast_ref::<collection::Error>()? {
            // `lookfar init` has been there, and nothing since.
            collection::Error::Missing(folder) if folder.join("lookfar.toml").exists() => {
                Some("it is set up, and nothing is crawled yet: begin with `lookfar up`".to_owned())
            }
            collection::Error::Missing(_) => Some(
                "make one with `lookfar init` or `lookfar up URL`, or try `lookfar demo`"
                    .to_owned(),
            ),
            collection::Error::Foreign(_) => {
                Some("name another folder with `--dir`; this one is left as it is".to_owned())
            }
            collection::Error::Newer { .. } => {
                Some("use the newer Lookfar; this one leaves the folder as it is".to_owned())
            }
            collection::Error::InUse(_) => Some(
                "stop the other process, or name another folder with `--dir`; \
                 `search`, `serve` and `status` work beside it. If nothing crawls, a control room \
                 may be forgetting something: wait until it is done"
                    .to_owned(),
            ),
            collection::Error::File { .. } => None,
        }
    })
}
