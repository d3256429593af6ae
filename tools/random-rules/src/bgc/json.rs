//! JSON, with a line for each item, so that lines can be left out.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Json {
    /// As it is.
    Plain(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

pub(super) fn text(text: &str) -> Json {
    Json::Plain(format!("{text:?}"))
}

pub(super) fn number(number: i64) -> Json {
    Json::Plain(number.to_string())
}

pub(super) fn plain(text: &str) -> Json {
    Json::Plain(text.to_owned())
}

pub(super) fn list(items: impl IntoIterator<Item = Json>) -> Json {
    Json::List(items.into_iter().collect())
}

pub(super) fn texts(items: &[&str]) -> Json {
    list(items.iter().map(|item| text(item)))
}

pub(super) fn object<'k>(members: impl IntoIterator<Item = (&'k str, Json)>) -> Json {
    let own = |(key, value): (&str, Json)| (key.to_owned(), value);
    Json::Object(members.into_iter().map(own).collect())
}

impl Json {
    /// The value with a line for each item that is long; commas stand before items.
    pub(super) fn lines(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String) {
        let short = self.short();
        if short.len() <= 90 {
            out.push_str(&short);
            return;
        }
        match self {
            Json::Plain(text) => out.push_str(text),
            Json::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "\n" } else { "\n," });
                    item.write(out);
                }
                out.push_str("\n]");
            }
            Json::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    out.push_str(if at == 0 { "\n" } else { "\n," });
                    out.push_str(&format!("{key:?}:"));
                    value.write(out);
                }
                out.push_str("\n}");
            }
        }
    }

    fn short(&self) -> String {
        match self {
            Json::Plain(text) => text.clone(),
            Json::List(items) => {
                let items: Vec<String> = items.iter().map(Json::short).collect();
                format!("[{}]", items.join(","))
            }
            Json::Object(members) => {
                let member = |(key, value): &(String, Json)| format!("{key:?}:{}", value.short());
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}
