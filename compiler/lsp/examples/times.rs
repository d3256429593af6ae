//! How long an editor waits: first diagnostics, diagnostics after a keystroke, completion, renaming, and the memory of the
//! process at its end.
//!
//! `cargo run --release -p rulec-lsp --example times -- FILE...`

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use rulec_lsp::Host;
use serde_json::{Value, json};

/// Keystrokes, and questions of each kind.
const ROUNDS: usize = 20;

fn main() -> Result<()> {
    for file in std::env::args().skip(1) {
        measure(&file).with_context(|| file.clone())?;
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|line| line.starts_with("VmHWM"));
    println!(
        "memory at most: {}",
        peak.unwrap_or("unknown")
            .trim_start_matches("VmHWM:")
            .trim()
    );
    Ok(())
}

struct Editor {
    wire: Connection,
    asked: i32,
}

impl Editor {
    fn tell(&self, method: &str, params: Value) -> Result<()> {
        let note = Notification::new(method.to_owned(), params);
        Ok(self.wire.sender.send(note.into())?)
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.wire.sender.send(request.into())?;
        loop {
            if let Message::Response(answer) = self.wire.receiver.recv()?
                && answer.id == id
            {
                return Ok(answer.response_result.unwrap_or_default());
            }
        }
    }

    fn published(&self, version: usize) -> Result<usize> {
        loop {
            if let Message::Notification(note) = self.wire.receiver.recv()?
                && note.params["version"] == version
            {
                let items = note.params["diagnostics"].as_array();
                return Ok(items.map_or(0, Vec::len));
            }
        }
    }
}

fn measure(file: &str) -> Result<()> {
    let text = std::fs::read_to_string(file)?;
    let uri = format!("file://{}", std::fs::canonicalize(file)?.display());
    let (wire, other) = Connection::memory();
    let server = std::thread::spawn(move || rulec_lsp::serve(&other, Host::NONE));
    let mut editor = Editor { wire, asked: 0 };
    editor.ask("initialize", json!({ "capabilities": {} }))?;
    editor.tell("initialized", json!({}))?;
    println!("{file}: {} lines", text.lines().count());

    let begun = Instant::now();
    editor.tell(
        "textDocument/didOpen",
        json!({
            "textDocument": { "uri": uri, "languageId": "", "version": 1, "text": text },
        }),
    )?;
    let found = editor.published(1)?;
    tell("first diagnostics", &[begun.elapsed()]);
    println!("  {found} found");

    // A letter at the end of a line in the middle, and away again.
    let line = text.lines().count() / 2;
    let length = text
        .lines()
        .nth(line)
        .unwrap_or_default()
        .encode_utf16()
        .count();
    let at = |character: usize| json!({ "line": line, "character": character });
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let (range, put) = match round % 2 {
            0 => (json!({ "start": at(length), "end": at(length) }), "x"),
            _ => (json!({ "start": at(length), "end": at(length + 1) }), ""),
        };
        let begun = Instant::now();
        editor.tell(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": uri, "version": round + 2 },
                "contentChanges": [{ "range": range, "text": put }],
            }),
        )?;
        editor.published(round + 2)?;
        times.push(begun.elapsed());
    }
    tell("diagnostics after a keystroke", &times);

    let symbols = editor.ask("workspace/symbol", json!({ "query": "" }))?;
    let Some(first) = symbols.get(0) else {
        bail!("no names")
    };
    let place = &first["location"]["range"]["start"];
    let document = json!({ "uri": uri });
    let questions = [
        (
            "textDocument/completion",
            json!({ "textDocument": document, "position": at(length) }),
        ),
        (
            "textDocument/hover",
            json!({ "textDocument": document, "position": place }),
        ),
        (
            "textDocument/semanticTokens/full",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/documentSymbol",
            json!({ "textDocument": document }),
        ),
        (
            "textDocument/rename",
            json!({ "textDocument": document, "position": place, "newName": "anew" }),
        ),
        (
            "textDocument/formatting",
            json!({ "textDocument": document }),
        ),
    ];
    for (method, params) in questions {
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let begun = Instant::now();
            editor.ask(method, params.clone())?;
            times.push(begun.elapsed());
        }
        tell(method, &times);
    }
    editor.ask("shutdown", Value::Null)?;
    editor.tell("exit", Value::Null)?;
    match server.join() {
        Ok(Ok(true)) => Ok(()),
        _ => bail!("the server did not end as it should"),
    }
}

fn tell(what: &str, times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (median, most) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
    println!("  {what}: {:.1} ms, at most {:.1} ms", ms(median), ms(most));
}
