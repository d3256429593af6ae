//! HTTP and WebSocket. `openapi.json` describes all of it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::guard::Guard;
use crate::loaded::Host;
use crate::problem::{Problem, json_type};
use crate::table::{self, Table};
use crate::thinkers::Turns;

/// The page and its description for programs.
const PAGE: &str = include_str!("page.html");
const OPENAPI: &str = include_str!("openapi.json");

/// The most bytes of a request.
const MOST_BYTES: usize = 1 << 20;
/// The most bytes of a message of a WebSocket.
const MOST_MESSAGE: usize = 1 << 16;

pub(crate) fn router(host: Arc<Host>, guard: Guard) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/openapi.json", get(openapi))
        .route("/picture/{number}", get(picture))
        .route("/api/game", get(game))
        .route("/api/rules", get(rules))
        .route("/api/games", get(games).post(open))
        .route("/api/games/{id}", get(show))
        .route("/api/games/{id}/moves", get(moves))
        .route("/api/games/{id}/record", get(record))
        .route("/api/games/{id}/ws", get(socket))
        .route("/api/games/{id}/{action}", post(act))
        .fallback(nothing)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(move |request, next| {
            checked(guard.clone(), request, next)
        }))
        .with_state(host)
}

/// Refuses who may not ask, and says to browsers what pages from here may do.
///
/// Every answer says how long the server had the request, in milliseconds: by `Server-Timing`, which browsers show.
async fn checked(guard: Guard, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let mut response = match guard.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    );
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    let spent = format!("total;dur={:.3}", begun.elapsed().as_secs_f64() * 1e3);
    if let Ok(spent) = HeaderValue::from_str(&spent) {
        headers.insert(HeaderName::from_static("server-timing"), spent);
    }
    response
}

async fn nothing() -> Problem {
    Problem::new(
        404,
        "not-found",
        "nothing is served here; /openapi.json lists what is",
    )
}

async fn wrong_method(method: Method) -> Problem {
    Problem::new(
        405,
        "wrong-method",
        format!("this address does not know {method}"),
    )
}

/// The page. Scripts run only with a word that nobody can guess, so that no text of a rule file becomes one.
async fn page() -> Response {
    let word = format!("{:016x}", RandomState::new().hash_one(0u64));
    let policy = format!(
        "default-src 'none'; img-src 'self' data:; connect-src 'self'; style-src 'unsafe-inline'; \
         script-src 'nonce-{word}'; base-uri 'none'; form-action 'none'"
    );
    let page = PAGE.replace("{{nonce}}", &word);
    let mut response = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

async fn openapi() -> Response {
    (json_type(), OPENAPI).into_response()
}

async fn picture(
    State(host): State<Arc<Host>>,
    Path(number): Path<String>,
) -> Result<Response, Problem> {
    let missing = || {
        Problem::new(
            404,
            "no-such-picture",
            "the rules name no picture of this number",
        )
    };
    let number: usize = number.parse().map_err(|_| missing())?;
    let loaded = host.loaded();
    let bytes = loaded.files.values().nth(number).ok_or_else(missing)?;
    let form = rulec_render::form(bytes).ok_or_else(missing)?;
    Ok((
        [
            (header::CONTENT_TYPE, form),
            (header::CACHE_CONTROL, "no-cache"),
        ],
        bytes.clone(),
    )
        .into_response())
}

fn answer(value: &Value) -> Response {
    (json_type(), value.to_string()).into_response()
}

async fn game(State(host): State<Arc<Host>>) -> Response {
    answer(&host.game_json())
}

async fn rules(State(host): State<Arc<Host>>) -> Response {
    answer(&host.rules_json())
}

async fn games(State(host): State<Arc<Host>>) -> Response {
    let ids: Vec<String> = host.tables().iter().map(|table| table.id.clone()).collect();
    answer(&json!({ "games": ids }))
}

/// The body of a request as a JSON object; nothing in it is an empty one.
async fn body(request: Request<Body>) -> Result<Value, Problem> {
    let kind = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let is_json = kind.is_some_and(|kind| {
        kind.split(';').next().unwrap_or_default().trim() == "application/json"
    });
    let bytes = to_bytes(request.into_body(), MOST_BYTES)
        .await
        .map_err(|_| {
            Problem::new(
                413,
                "too-large",
                format!("a request has {MOST_BYTES} bytes at most"),
            )
        })?;
    if !is_json {
        return Err(Problem::new(
            415,
            "not-json",
            "send `Content-Type: application/json`",
        ));
    }
    if bytes.is_empty() {
        return Ok(json!({}));
    }
    match serde_json::from_slice(&bytes) {
        Ok(value @ Value::Object(_)) => Ok(value),
        Ok(_) => Err(Problem::bad("the request is no JSON object")),
        Err(error) => Err(Problem::bad(format!("the request is no JSON: {error}"))),
    }
}

/// Runs work that may take a while beside what answers quickly.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::new(500, "failed", "the request could not be carried out"))
}

async fn open(State(host): State<Arc<Host>>, request: Request<Body>) -> Result<Response, Problem> {
    let wish = body(request).await?;
    let opened = Arc::clone(&host);
    let table = beside(move || opened.open(&wish)).await??;
    drive(&host, &table);
    Ok(answer(&json!({ "id": table.id })))
}

async fn show(State(host): State<Arc<Host>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let table = host.table(&id)?;
    let text = beside(move || table.view()).await?;
    Ok((json_type(), text).into_response())
}

async fn moves(State(host): State<Arc<Host>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let table = host.table(&id)?;
    let text = match table.known_moves() {
        Some(text) => text,
        None => beside(move || table.moves()).await?,
    };
    Ok((json_type(), text).into_response())
}

async fn record(
    State(host): State<Arc<Host>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let record = host.table(&id)?.lock().record();
    Ok(answer(&record))
}

async fn act(
    State(host): State<Arc<Host>>,
    Path((id, action)): Path<(String, String)>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let wish = body(request).await?;
    let table = host.table(&id)?;
    let told = acted(&host, &table, action, wish).await?;
    Ok(answer(&told))
}

async fn acted(
    host: &Arc<Host>,
    table: &Arc<Table>,
    action: String,
    wish: Value,
) -> Result<Value, Problem> {
    let at = Arc::clone(table);
    let told = match Table::takes_long(&action) {
        true => {
            let work = move |turns: &mut Turns| at.act(&action, &wish, turns);
            host.thinkers.think(work).await??
        }
        false => beside(move || at.act(&action, &wish, &mut Turns::free())).await??,
    };
    drive(host, table);
    Ok(told)
}

/// Lets bots and chance act as long as it is their turn.
fn drive(host: &Arc<Host>, table: &Arc<Table>) {
    let (host, table) = (Arc::clone(host), Arc::clone(table));
    tokio::spawn(async move {
        let mut driving = false;
        loop {
            let (next, pace) = table.next(driving);
            if matches!(next, table::Next::Nothing) {
                break;
            }
            driving = true;
            if !pace.is_zero() {
                tokio::time::sleep(pace).await;
            }
            let at = Arc::clone(&table);
            match next {
                table::Next::Nothing => break,
                table::Next::Draw => drop(beside(move || at.draw()).await),
                table::Next::Think(bot, state, seed, version) => {
                    let work =
                        move |turns: &mut Turns| at.think(&bot, &*state, (seed, version), turns);
                    if let Err(problem) = host.thinkers.think(work).await {
                        table.give_up(&problem);
                        break;
                    }
                }
            }
        }
    });
}

async fn socket(
    State(host): State<Arc<Host>>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let table = host.table(&id)?;
    let upgrade = upgrade.max_message_size(MOST_MESSAGE);
    Ok(upgrade.on_upgrade(move |socket| follow(socket, host, table)))
}

/// Sends the game whenever it changes, and the rules whenever they do; carries out what comes in.
async fn follow(mut socket: WebSocket, host: Arc<Host>, table: Arc<Table>) {
    let (mut game, mut rules) = (table.watch(), host.changed.subscribe());
    game.mark_changed();
    rules.mark_changed();
    loop {
        let message = tokio::select! {
            changed = game.changed() => {
                game.borrow_and_update();
                let at = Arc::clone(&table);
                match (changed, beside(move || at.view()).await) {
                    (Ok(()), Ok(view)) => format!("{{\"view\":{view}}}"),
                    _ => break,
                }
            }
            changed = rules.changed() => {
                rules.borrow_and_update();
                match changed {
                    Ok(()) => json!({ "rules": host.rules_json(), "about": host.game_json() }).to_string(),
                    Err(_) => break,
                }
            }
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => carry_out(&host, &table, text.as_str()).await.to_string(),
                Some(Ok(Message::Binary(_))) => Problem::bad("messages are text").json().to_string(),
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => break,
            },
        };
        if socket.send(Message::Text(message.into())).await.is_err() {
            break;
        }
    }
}

/// Carries out a message: `{"do": "move", "id": 7, ...}`; the answer has the same `id`.
async fn carry_out(host: &Arc<Host>, table: &Arc<Table>, text: &str) -> Value {
    let wish: Value = match serde_json::from_str(text) {
        Ok(wish @ Value::Object(_)) => wish,
        Ok(_) => return Problem::bad("the message is no JSON object").json(),
        Err(error) => return Problem::bad(format!("the message is no JSON: {error}")).json(),
    };
    let id = wish["id"].clone();
    let mut told = match wish["do"].as_str() {
        Some(action) => match acted(host, table, action.to_owned(), wish.clone()).await {
            Ok(told) => json!({ "done": told }),
            Err(problem) => problem.json(),
        },
        None => Problem::bad("`do` names what to do").json(),
    };
    if !id.is_null() {
        told["id"] = id;
    }
    told
}
