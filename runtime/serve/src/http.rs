//! HTTP and WebSocket. `openapi.json` describes all of it.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::connections::{Client, PATIENCE};
use crate::course::Next as Due;
use crate::guard::Guard;
use crate::host::Host;
use crate::problem::{Problem, json_type};
use crate::share;
use crate::table::Table;
use crate::thinkers::Turns;

/// The page and its description for programs.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("page.js"), include_str!("wishes.js"));
const OPENAPI: &str = include_str!("openapi.json");

/// The most bytes of a request, and of one that is not for a record.
const MOST_BYTES: usize = 1 << 20;
const MOST_OF_ACTION: usize = 1 << 16;
/// The most bytes of a text in a request, such as a move, but for the first position of a record.
const MOST_TEXT: usize = 1 << 10;
/// Time after which a game that goes on by itself is written down again.
const KEEP_EVERY: Duration = Duration::from_millis(500);
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
        .route("/api/games/{id}/share", get(shared))
        .route("/api/games/{id}/sheet", get(sheet))
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
    let parts = [
        ("{{style}}", STYLE),
        ("{{script}}", SCRIPT),
        ("{{nonce}}", word.as_str()),
    ];
    let page = share::fill(PAGE, &parts);
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
    answer(&json!({ "games": host.ids() }))
}

/// The body of a request as a JSON object; nothing in it is an empty one.
async fn body(request: Request<Body>, most: usize) -> Result<Value, Problem> {
    let kind = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let is_json = kind.is_some_and(|kind| {
        kind.split(';').next().unwrap_or_default().trim() == "application/json"
    });
    if !is_json {
        return Err(Problem::new(
            415,
            "not-json",
            "send `Content-Type: application/json`",
        ));
    }
    let bytes = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), most)).await;
    let bytes = bytes.map_err(|_| {
        let seconds = PATIENCE.as_secs();
        Problem::new(
            408,
            "too-slow",
            format!("the request did not arrive within {seconds} seconds"),
        )
    })?;
    let bytes = bytes.map_err(|_| {
        Problem::new(
            413,
            "too-large",
            format!("such a request has {most} bytes at most"),
        )
    })?;
    if bytes.is_empty() {
        return Ok(json!({}));
    }
    let wish: Value = serde_json::from_slice(&bytes)
        .map_err(|error| Problem::bad(format!("the request is no JSON: {error}")))?;
    wanted(wish)
}

/// What somebody asks for, if it is an object without endless texts.
fn wanted(wish: Value) -> Result<Value, Problem> {
    let Value::Object(fields) = &wish else {
        return Err(Problem::bad("the request is no JSON object"));
    };
    let record = |key: &String| key == "record";
    let texts = fields.iter().filter(|(key, _)| !record(key));
    let moves = wish["record"]["moves"].as_array().into_iter().flatten();
    if texts.map(|(_, value)| value).chain(moves).any(is_endless) {
        return Err(Problem::new(
            413,
            "too-large",
            format!("a text in a request, such as a move, has {MOST_TEXT} bytes at most"),
        ));
    }
    Ok(wish)
}

/// Whether a text in a value is longer than any that makes sense.
fn is_endless(value: &Value) -> bool {
    match value {
        Value::String(text) => text.len() > MOST_TEXT,
        Value::Array(items) => items.iter().any(is_endless),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| key.len() > MOST_TEXT || is_endless(value)),
        _ => false,
    }
}

/// Runs work that may take a while beside what answers quickly.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Problem::new(500, "failed", "the request could not be carried out"))
}

/// The game of a number: in memory, or taken up from its file.
async fn table(host: &Arc<Host>, id: &str) -> Result<Arc<Table>, Problem> {
    if let Some(table) = host.present(id) {
        return Ok(table);
    }
    let turn = match host.is_in_file(id) {
        true => Some(Arc::clone(&host.reviving).lock_owned().await),
        false => None,
    };
    let (at, id) = (Arc::clone(host), id.to_owned());
    let revived = beside(move || {
        let _turn = turn;
        at.revive(&id)
    });
    let (table, is_new) = revived.await??;
    if is_new {
        drive(host, &table);
    }
    Ok(table)
}

async fn open(
    State(host): State<Arc<Host>>,
    Extension(client): Extension<Client>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let wish = body(request, MOST_BYTES).await?;
    let (at, from) = (Arc::clone(&host), Some(client.address));
    let table = match wish["record"].is_object() {
        // Its moves may be many.
        true => {
            let work = move |turns: &mut Turns| at.open(&wish, from, turns);
            host.thinkers.ask(work).await??
        }
        false => beside(move || at.open(&wish, from, &mut Turns::free())).await??,
    };
    drive(&host, &table);
    Ok(answer(&json!({ "id": table.id })))
}

async fn show(State(host): State<Arc<Host>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let table = table(&host, &id).await?;
    let text = beside(move || table.view()).await?;
    Ok((json_type(), text).into_response())
}

async fn moves(State(host): State<Arc<Host>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let table = table(&host, &id).await?;
    let text = match table.known_moves() {
        Some(text) => text,
        None => beside(move || table.moves()).await?,
    };
    Ok((json_type(), text).into_response())
}

/// The game as a page of its own.
async fn shared(
    State(host): State<Arc<Host>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let table = table(&host, &id).await?;
    let page = beside(move || table.share()).await?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page?).into_response())
}

/// The game as a score sheet.
async fn sheet(State(host): State<Arc<Host>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let table = table(&host, &id).await?;
    let sheet = beside(move || table.sheet()).await?;
    Ok((
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
        sheet?,
    )
        .into_response())
}

async fn record(
    State(host): State<Arc<Host>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let table = table(&host, &id).await?;
    let record = beside(move || table.lock().record()).await?;
    Ok(answer(&record))
}

async fn act(
    State(host): State<Arc<Host>>,
    Path((id, action)): Path<(String, String)>,
    request: Request<Body>,
) -> Result<Response, Problem> {
    let wish = body(request, MOST_OF_ACTION).await?;
    let table = table(&host, &id).await?;
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
    if Table::takes_long(&action) {
        let work = move |turns: &mut Turns| at.act(&action, &wish, turns);
        return host.thinkers.ask(work).await?;
    }
    let keeper = Arc::clone(host);
    let told = beside(move || {
        let told = at.act(&action, &wish, &mut Turns::free());
        keeper.save(&at);
        told
    });
    let told = told.await??;
    drive(host, table);
    Ok(told)
}

/// Lets bots and chance act as long as it is their turn.
fn drive(host: &Arc<Host>, table: &Arc<Table>) {
    let (host, table) = (Arc::clone(host), Arc::clone(table));
    tokio::spawn(async move {
        let (mut driving, mut kept) = (false, Instant::now());
        loop {
            let (at, keeper) = (Arc::clone(&table), Arc::clone(&host));
            let asked = beside(move || {
                let (next, pace) = at.next(driving);
                let rests = matches!(next, Due::Nothing);
                let keeps = driving && (rests || kept.elapsed() >= KEEP_EVERY);
                if keeps {
                    keeper.save(&at);
                }
                (next, pace, keeps)
            });
            let Ok((next, pace, keeps)) = asked.await else {
                break;
            };
            if matches!(next, Due::Nothing) {
                break;
            }
            if keeps || !driving {
                kept = Instant::now();
            }
            driving = true;
            if !pace.is_zero() {
                tokio::time::sleep(pace).await;
            }
            let at = Arc::clone(&table);
            match next {
                Due::Nothing => break,
                Due::Draw => drop(beside(move || at.draw()).await),
                Due::Think(bot, state, seed, version) => {
                    let work =
                        move |turns: &mut Turns| at.think(&bot, &*state, (seed, version), turns);
                    if let Err(problem) = host.thinkers.think(work).await {
                        let at = Arc::clone(&table);
                        // Nothing can be done where not even that can be told.
                        let _ = beside(move || at.give_up(&problem)).await;
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
    Extension(client): Extension<Client>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    let table = table(&host, &id).await?;
    let upgrade = upgrade.max_message_size(MOST_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        follow(socket, host, table).await;
        drop(client.pass);
    }))
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
    let read = serde_json::from_str(text);
    let read = read.map_err(|error| Problem::bad(format!("the message is no JSON: {error}")));
    let wish = match read.and_then(wanted) {
        Ok(wish) => wish,
        Err(problem) => return problem.json(),
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_of_a_request_have_an_end() {
        let status = |length: usize| {
            let text = "a".repeat(length);
            let wishes = [
                json!({ "move": text }),
                json!({ "moves": [text] }),
                json!({ "record": { "moves": [text] } }),
            ];
            wishes.map(|wish| wanted(wish).map_or_else(|problem| problem.status, |_| 200))
        };
        assert_eq!(status(MOST_TEXT), [200; 3]);
        assert_eq!(status(MOST_TEXT + 1), [413; 3]);
    }
}
