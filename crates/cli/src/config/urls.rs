//! `[crawl.urls]`: which addresses are held for the same page.

use base::Rules;
use serde::Deserialize;

/// The rules of [`Rules`] by name, and whether hosts teach more of them;
/// `assets/lookfar.toml` says what each is for.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct UrlsConfig {
    drop_default_documents: bool,
    drop_tracking: bool,
    drop_sessions: bool,
    sort_parameters: bool,
    drop_empty_parameters: bool,
    drop_empty_values: bool,
    merge_slashes: bool,
    normal_encoding: bool,
    encode_unsafe: bool,
    encode_stray_percent: bool,
    drop_trailing_dot: bool,
    pub(crate) learn: bool,
}

impl UrlsConfig {
    /// Returns how texts become addresses.
    pub(crate) fn rules(self) -> Rules {
        Rules {
            drop_default_documents: self.drop_default_documents,
            drop_tracking: self.drop_tracking,
            drop_sessions: self.drop_sessions,
            sort_parameters: self.sort_parameters,
            drop_empty_parameters: self.drop_empty_parameters,
            drop_empty_values: self.drop_empty_values,
            merge_slashes: self.merge_slashes,
            normal_encoding: self.normal_encoding,
            encode_unsafe: self.encode_unsafe,
            encode_stray_percent: self.encode_stray_percent,
            drop_trailing_dot: self.drop_trailing_dot,
        }
    }
}

impl Default for UrlsConfig {
    fn default() -> Self {
        let rules = Rules::default();
        Self {
            drop_default_documents: rules.drop_default_documents,
            drop_tracking: rules.drop_tracking,
            drop_sessions: rules.drop_sessions,
            sort_parameters: rules.sort_parameters,
            drop_empty_parameters: rules.drop_empty_parameters,
            drop_empty_values: rules.drop_empty_values,
            merge_slashes: rules.merge_slashes,
            normal_encoding: rules.normal_encoding,
            encode_unsafe: rules.encode_unsafe,
            encode_stray_percent: rules.encode_stray_percent,
            drop_trailing_dot: rules.drop_trailing_dot,
            learn: true,
        }
    }
}
