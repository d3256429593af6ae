//! What is told of a request that cannot be carried out.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A request that cannot be carried out: a stable code and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: u16,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(status: u16, code: &'static str, message: impl Into<String>) -> Problem {
        Problem {
            status,
            code,
            message: message.into(),
        }
    }

    /// Something that the request says makes no sense.
    pub(crate) fn bad(message: impl Into<String>) -> Problem {
        Problem::new(400, "bad-request", message)
    }

    pub(crate) fn json(&self) -> Value {
        json!({ "error": { "code": self.code, "message": self.message } })
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut response = (status, json_type(), self.json().to_string()).into_response();
        if status == StatusCode::REQUEST_TIMEOUT {
            // The rest of the request may still come.
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }
}

/// The header of an answer in JSON.
pub(crate) fn json_type() -> [(header::HeaderName, HeaderValue); 1] {
    [(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    )]
}
