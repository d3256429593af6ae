//! The usual form of a file: keys in the order of the reference, a line for what fits into one.

use super::schema;
use crate::diag::Diagnostics;
use crate::json;
use crate::source::SourceFile;

/// The file in its usual form, if it can be read and no key comes twice.
pub(super) fn format(source: &SourceFile) -> Option<String> {
    let mut findings = Diagnostics::new();
    let mut json = json::parse(source, super::codes::JSON, &mut findings)?;
    if !findings.is_empty() || !source.bad_bytes().is_empty() {
        return None;
    }
    schema::put_in_order(&mut json);
    Some(json::print(&json, source, &json::Form::COMPACT))
}
