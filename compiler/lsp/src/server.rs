//! The loop that owns the open files.

use std::sync::Arc;

use anyhow::{Context, Result};
use crossbeam_channel::select;
use indexmap::IndexMap;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use rulec_compiler::source::SourceMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::check::{Checked, Checker, Job};
use crate::document::{self, Document, Encoding};
use crate::games::{self, Games, Told};
use crate::lenses::{self, WHY};
use crate::protocol::{Called, Changed, Closed, File, Opened, Position, Range};
use crate::{Host, features, tokens};

/// Serves an editor until it goes away; whether it said goodbye as it should.
///
/// # Errors
/// When the editor does not begin as the protocol says.
pub fn serve(connection: &Connection, host: Host) -> Result<bool> {
    let (id, params) = connection.initialize_start()?;
    let client = Client::read(&params);
    connection.initialize_finish(
        id,
        json!({
            "capabilities": client.capabilities(),
            "serverInfo": { "name": "rulec", "version": env!("CARGO_PKG_VERSION") },
        }),
    )?;
    let mut server = Server {
        connection,
        client,
        documents: IndexMap::new(),
        checker: Checker::start(host).context("no thread for checks")?,
        games: Games::start(host).context("no thread for games")?,
        host,
        pulls: Vec::new(),
        lenses: Vec::new(),
        refreshed: 0,
        over: false,
    };
    loop {
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => server.request(request),
                Ok(Message::Notification(note)) if note.method == "exit" => return Ok(server.over),
                Ok(Message::Notification(note)) => server.notification(note),
                Ok(Message::Response(_)) => {}
                Err(_) => return Ok(false),
            },
            recv(server.checker.done) -> checked => if let Ok(checked) = checked {
                server.checked(checked);
            },
            recv(server.games.done) -> told => if let Ok(told) = told {
                server.played(told);
            },
        }
    }
}

/// What the editor can do.
#[derive(Clone, Copy, Debug)]
struct Client {
    encoding: Encoding,
    /// It asks for diagnostics, so it is not told them by itself.
    pulls: bool,
    nested_symbols: bool,
    versioned_edits: bool,
    /// It asks for lenses again when it is told to.
    refreshes_lenses: bool,
    /// It has a command that opens the board of a file.
    opens_boards: bool,
    /// It shows in its margin what random games reach.
    shows_coverage: bool,
}

/// The command of editors that opens the board of a file.
const BOARD: &str = "rulec.board";

impl Client {
    fn read(params: &Value) -> Client {
        let can = &params["capabilities"];
        let encodings = can["general"]["positionEncodings"].as_array();
        let narrow = encodings.is_some_and(|all| all.iter().any(|one| one == "utf-8"));
        let text = &can["textDocument"];
        let yes = |value: &Value| value.as_bool().unwrap_or(false);
        Client {
            encoding: if narrow {
                Encoding::Utf8
            } else {
                Encoding::Utf16
            },
            pulls: text["diagnostic"].is_object(),
            nested_symbols: yes(&text["documentSymbol"]["hierarchicalDocumentSymbolSupport"]),
            versioned_edits: yes(&can["workspace"]["workspaceEdit"]["documentChanges"]),
            refreshes_lenses: yes(&can["workspace"]["codeLens"]["refreshSupport"]),
            opens_boards: can["experimental"]["commands"]["commands"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == BOARD)),
            shows_coverage: yes(&can["experimental"]["rulecCoverage"]),
        }
    }

    fn capabilities(self) -> Value {
        let mut all = json!({
            "positionEncoding": match self.encoding {
                Encoding::Utf8 => "utf-8",
                Encoding::Utf16 => "utf-16",
            },
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": ["$", "\"", "=", ".", "(", "["] },
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "documentFormattingProvider": true,
            "renameProvider": { "prepareProvider": true },
            "foldingRangeProvider": true,
            "callHierarchyProvider": true,
            "inlayHintProvider": true,
            "codeLensProvider": { "resolveProvider": false },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": tokens::TYPES, "tokenModifiers": tokens::MODIFIERS },
                "full": { "delta": true },
                "range": true,
            },
            "executeCommandProvider": { "commands": [WHY] },
        });
        if self.pulls {
            all["diagnosticProvider"] = json!({
                "identifier": "rulec",
                "interFileDependencies": true,
                "workspaceDiagnostics": false,
            });
        }
        all
    }
}

struct Server<'a> {
    connection: &'a Connection,
    client: Client,
    documents: IndexMap<String, Document>,
    checker: Checker,
    games: Games,
    host: Host,
    /// Questions for diagnostics of files that are being checked.
    pulls: Vec<(RequestId, String)>,
    /// Questions for lenses of files whose start is not known yet.
    lenses: Vec<(RequestId, String)>,
    /// How often the editor was told to ask for lenses again.
    refreshed: i32,
    /// Whether the editor asked to end.
    over: bool,
}

/// Why a request has no answer.
struct Refusal(ErrorCode, String);

type Answer = Result<Value, Refusal>;

fn failed(why: String) -> Refusal {
    Refusal(ErrorCode::RequestFailed, why)
}

/// What requests about files say, as far as this server reads it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    text_document: File,
    #[serde(default)]
    position: Position,
    #[serde(default)]
    range: Range,
    #[serde(default)]
    new_name: String,
    #[serde(default)]
    previous_result_id: String,
    #[serde(default)]
    context: Extent,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Extent {
    #[serde(default)]
    include_declaration: bool,
}

#[derive(Deserialize)]
struct Call {
    item: Called,
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params)
        .map_err(|error| Refusal(ErrorCode::InvalidParams, error.to_string()))
}

impl Server<'_> {
    fn send(&self, message: impl Into<Message>) {
        // It only fails when the editor is gone, which the loop sees next.
        let _ = self.connection.sender.send(message.into());
    }

    fn answer(&self, id: RequestId, answer: Answer) {
        self.send(match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(Refusal(code, why)) => Response::new_err(id, code as i32, why),
        });
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            _ if self.over => Err(Refusal(
                ErrorCode::InvalidRequest,
                "the server is shutting down".to_owned(),
            )),
            "shutdown" => {
                self.over = true;
                Ok(Value::Null)
            }
            "textDocument/diagnostic" => match self.pull(&id, params) {
                Some(answer) => answer,
                None => return,
            },
            "textDocument/codeLens" => match self.lenses_of(&id, params) {
                Some(answer) => answer,
                None => return,
            },
            "workspace/executeCommand" => self.execute(&params),
            "workspace/symbol" => {
                let query = params["query"].as_str().unwrap_or_default().to_owned();
                Ok(features::workspace_symbols(self.documents.values(), &query))
            }
            "callHierarchy/incomingCalls" => self.calls(params, true),
            "callHierarchy/outgoingCalls" => self.calls(params, false),
            method => self.about_file(method, params),
        };
        self.answer(id, answer);
    }

    fn file(&self, uri: &str) -> Result<&Document, Refusal> {
        let file = self.documents.get(uri);
        file.ok_or_else(|| failed(format!("{uri} is not open, or is no rule file")))
    }

    fn calls(&self, params: Value, incoming: bool) -> Answer {
        let call: Call = read(params)?;
        let file = self.file(&call.item.uri)?;
        Ok(features::calls(
            file,
            call.item.selection_range.start,
            incoming,
        ))
    }

    fn about_file(&self, method: &str, params: Value) -> Answer {
        let known = method.starts_with("textDocument/");
        if !known {
            let why = format!("unknown method {method}");
            return Err(Refusal(ErrorCode::MethodNotFound, why));
        }
        let asked: Asked = read(params)?;
        // Files in other languages are none to say anything about.
        let Ok(file) = self.file(&asked.text_document.uri) else {
            return Ok(Value::Null);
        };
        let place = asked.position;
        Ok(match method {
            "textDocument/hover" => features::hover(file, place),
            "textDocument/completion" => features::completion(file, place),
            "textDocument/signatureHelp" => features::signature(file, place),
            "textDocument/definition" => features::definition(file, place),
            "textDocument/references" => {
                features::references(file, place, asked.context.include_declaration)
            }
            "textDocument/documentHighlight" => features::highlights(file, place),
            "textDocument/prepareRename" => {
                features::prepare_rename(file, place).map_err(failed)?
            }
            "textDocument/rename" => {
                let versions = self.client.versioned_edits;
                features::rename(file, place, &asked.new_name, versions).map_err(failed)?
            }
            "textDocument/documentSymbol" => {
                features::document_symbols(file, self.client.nested_symbols)
            }
            "textDocument/foldingRange" => features::folding(file),
            "textDocument/semanticTokens/full" => tokens::full(file),
            "textDocument/semanticTokens/full/delta" => {
                tokens::delta(file, &asked.previous_result_id)
            }
            "textDocument/semanticTokens/range" => tokens::range(file, file.span(asked.range)),
            "textDocument/inlayHint" => features::inlay_hints(file, asked.range),
            "textDocument/codeAction" => features::code_actions(file, &file.sources, asked.range),
            "textDocument/formatting" => features::formatting(file).ok_or_else(|| {
                failed("the file cannot be read, so it stays as it is".to_owned())
            })?,
            "textDocument/prepareCallHierarchy" => features::prepare_hierarchy(file, place),
            _ => {
                let why = format!("unknown method {method}");
                return Err(Refusal(ErrorCode::MethodNotFound, why));
            }
        })
    }

    fn notification(&mut self, note: Notification) {
        let Notification { method, params } = note;
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(params) = read::<Opened>(params) {
                    self.open(params);
                }
            }
            "textDocument/didChange" => {
                if let Ok(params) = read::<Changed>(params) {
                    self.change(params);
                }
            }
            "textDocument/didClose" => {
                if let Ok(params) = read::<Closed>(params) {
                    self.close(&params.text_document.uri);
                }
            }
            "textDocument/didSave" => {
                // Files may speak of the one that was saved.
                let all: Vec<String> = self.documents.keys().cloned().collect();
                all.iter().for_each(|uri| self.submit(uri));
            }
            "$/cancelRequest" => self.cancel(&params),
            _ => {}
        }
    }

    fn open(&mut self, params: Opened) {
        let file = params.text_document;
        let uri = file.uri;
        let Some(language) = document::language(&file.language_id, &uri) else {
            return;
        };
        let encoding = self.client.encoding;
        let opened = Document::new(uri.clone(), file.version, language, file.text, encoding);
        self.documents.insert(uri.clone(), opened);
        self.submit(&uri);
    }

    fn change(&mut self, params: Changed) {
        let uri = params.text_document.uri;
        let version = params.text_document.version;
        if let Some(file) = self.documents.get_mut(&uri) {
            file.change(version, params.content_changes);
            self.submit(&uri);
        }
    }

    fn close(&mut self, uri: &str) {
        if let Some(file) = self.documents.shift_remove(uri)
            && !self.client.pulls
        {
            self.publish(&json!({ "uri": file.uri, "diagnostics": [] }));
        }
        let waiting = self.pulls.extract_if(.., |(_, of)| of == uri);
        let lenses = self.lenses.extract_if(.., |(_, of)| of == uri);
        let gone: Vec<RequestId> = waiting.chain(lenses).map(|(id, _)| id).collect();
        for id in gone {
            let why = "the file was closed".to_owned();
            self.answer(id, Err(Refusal(ErrorCode::ContentModified, why)));
        }
    }

    fn submit(&mut self, uri: &str) {
        let Some(file) = self.documents.get_mut(uri) else {
            return;
        };
        file.unchecked();
        let mut sources = SourceMap::new();
        // It was small enough before.
        let _ = sources.add(file.name(), &file.text);
        self.checker.submit(Job {
            uri: file.uri.clone(),
            version: file.version,
            language: file.language,
            sources,
        });
    }

    fn checked(&mut self, checked: Checked) {
        let Some(file) = self.documents.get_mut(&checked.uri) else {
            return;
        };
        if file.version != checked.version {
            return;
        }
        file.sources = checked.sources;
        file.findings = Some(checked.findings);
        file.game = checked.game.map(Arc::new);
        match &file.game {
            Some(game) => self.games.submit(games::Job {
                uri: file.uri.clone(),
                version: file.version,
                newest: Arc::clone(&file.newest),
                game: Arc::clone(game),
            }),
            None => file.known.settled = true,
        }
        let items = shown(file);
        let (uri, version) = (file.uri.clone(), file.version);
        if !self.client.pulls {
            self.publish(&json!({ "uri": uri, "version": version, "diagnostics": items }));
        }
        let due = self.pulls.extract_if(.., |(_, of)| *of == uri);
        let due: Vec<RequestId> = due.map(|(id, _)| id).collect();
        for id in due {
            self.answer(id, Ok(json!({ "kind": "full", "items": items })));
        }
        self.tell_lenses(&uri);
    }

    /// What was found out about the game of a file.
    fn played(&mut self, told: Told) {
        let (Told::Start { uri, version, .. } | Told::Games { uri, version, .. }) = &told;
        let Some(file) = self.documents.get_mut(uri) else {
            return;
        };
        if file.version != *version {
            return;
        }
        match told {
            Told::Start { uri, starts, .. } => {
                file.known.starts = starts;
                file.known.settled = true;
                self.tell_lenses(&uri);
            }
            Told::Games { uri, played, .. } => {
                file.known.played = Some(played);
                if self.client.shows_coverage
                    && let Some(marks) = self.documents.get(&uri).and_then(lenses::coverage)
                {
                    self.send(Notification::new("rulec/coverage".to_owned(), marks));
                }
                self.refresh_lenses();
            }
        }
    }

    fn refresh_lenses(&mut self) {
        if !self.client.refreshes_lenses {
            return;
        }
        self.refreshed += 1;
        let id = RequestId::from(format!("lenses {}", self.refreshed));
        let method = "workspace/codeLens/refresh".to_owned();
        self.send(Request::new(id, method, Value::Null));
    }

    /// The lenses of a file; nothing if the start of its game is not known yet.
    fn lenses_of(&mut self, id: &RequestId, params: Value) -> Option<Answer> {
        let asked: Asked = match read(params) {
            Ok(asked) => asked,
            Err(refusal) => return Some(Err(refusal)),
        };
        let uri = asked.text_document.uri;
        let Some(file) = self.documents.get(&uri) else {
            return Some(Ok(Value::Null));
        };
        if file.known.settled {
            return Some(Ok(lenses::lenses(file, self.board())));
        }
        self.lenses.push((id.clone(), uri));
        None
    }

    /// The command that opens a board, if the editor has it.
    fn board(&self) -> Option<&'static str> {
        self.client.opens_boards.then_some(BOARD)
    }

    /// Answers who waits for lenses of a file.
    fn tell_lenses(&mut self, uri: &str) {
        let Some(file) = self.documents.get(uri).filter(|file| file.known.settled) else {
            return;
        };
        let shown = lenses::lenses(file, self.board());
        let due = self.lenses.extract_if(.., |(_, of)| of == uri);
        let due: Vec<RequestId> = due.map(|(id, _)| id).collect();
        for id in due {
            self.answer(id, Ok(shown.clone()));
        }
    }

    /// Runs a command of the server.
    fn execute(&mut self, params: &Value) -> Answer {
        if params["command"] != WHY {
            let why = format!("unknown command {}", params["command"]);
            return Err(Refusal(ErrorCode::InvalidParams, why));
        }
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let line = params["arguments"][1].as_u64().unwrap_or_default();
        let told = lenses::why(self.file(uri)?, line as u32, self.host)
            .ok_or_else(|| failed("nobody knows why".to_owned()))?;
        let message = json!({ "type": 3, "message": told });
        self.send(Notification::new("window/showMessage".to_owned(), message));
        Ok(Value::String(told))
    }

    fn publish(&self, params: &Value) {
        let method = "textDocument/publishDiagnostics".to_owned();
        self.send(Notification::new(method, params));
    }

    /// The diagnostics of a file; nothing if it is still being checked.
    fn pull(&mut self, id: &RequestId, params: Value) -> Option<Answer> {
        let asked: Asked = match read(params) {
            Ok(asked) => asked,
            Err(refusal) => return Some(Err(refusal)),
        };
        let uri = asked.text_document.uri;
        let Some(file) = self.documents.get(&uri) else {
            return Some(Ok(json!({ "kind": "full", "items": [] })));
        };
        if file.findings.is_some() {
            return Some(Ok(json!({ "kind": "full", "items": shown(file) })));
        }
        self.pulls.push((id.clone(), uri));
        None
    }

    /// What is cancelled is answered all the same; only what waits for a check has not been.
    fn cancel(&mut self, params: &Value) {
        let Ok(id) = serde_json::from_value::<RequestId>(params["id"].clone()) else {
            return;
        };
        let (pulls, lenses) = (self.pulls.len(), self.lenses.len());
        self.pulls.retain(|(waiting, _)| *waiting != id);
        self.lenses.retain(|(waiting, _)| *waiting != id);
        if (pulls, lenses) != (self.pulls.len(), self.lenses.len()) {
            let why = "cancelled".to_owned();
            self.answer(id, Err(Refusal(ErrorCode::RequestCanceled, why)));
        }
    }
}

fn shown(file: &Document) -> Value {
    let findings = file.findings.iter().flatten();
    findings
        .map(|found| features::diagnostic(file, &file.sources, found))
        .collect()
}
