//! Any game in a browser: a local web server with one page, and JSON over HTTP and WebSocket for other front ends.
//!
//! It works on games with their types hidden ([`rulec_search::AnyState`]), so compiled and interpreted ones are alike. Only
//! what is in the program is served: the page, its description for programs (`openapi.json`), positions of the game,
//! and the picture files that the rules name. Without more ado only programs of the same machine can connect, and
//! requests from pages of other origins are refused.

#![forbid(unsafe_code)]

mod agreement;
#[cfg(test)]
mod colours;
mod connections;
mod contest;
mod course;
mod guard;
mod host;
mod http;
mod kept;
mod learner;
mod loaded;
mod played;
mod ply;
mod problem;
mod reason;
mod residents;
mod share;
mod sheet;
mod store;
mod table;
mod terminal;
mod thinkers;
mod view;

use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser, Subcommand};
use rulec_command::{self as command, PlayArgs};
use rulec_core::{FullGame, Reasons, Refusal};
use rulec_render::{Look, Position};
use rulec_search::AnyState;
use serde_json::{Value, json};

use connections::Gate;
pub use guard::Guard;
pub use host::Host;
use host::Keeping;
pub use loaded::Loaded;
pub use residents::Resident;
pub use share::replay_page;
use store::Store;
pub use terminal::play;

/// Arguments of `serve`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  serve\n  serve --port 8000\n  serve --address 0.0.0.0 --token secret1\n  \
    serve --bot 'the network=puct:400:net=net.onnx'\n\n\
    The page is at the address that is printed, the description of its JSON at /openapi.json. Ctrl-C ends it; games are \
    kept, and are there again under their addresses when the same rules are served again. There are 1000 games at most: one \
    that nobody touched for a day gives way to a new one."
)]
pub struct ServeArgs {
    /// Port; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    pub port: u16,
    /// Address to listen at; others than this machine's own need a token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// What requests must show; needed unless only this machine can connect
    #[arg(long, value_name = "TOKEN")]
    pub token: Option<String>,
    /// Bots that think at once [default: one less than processors]
    #[arg(long, value_name = "N")]
    pub thinkers: Option<usize>,
    /// Folder where games are kept, a file each [default: games in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_store")]
    pub store: Option<PathBuf>,
    /// Keep games in memory only
    #[arg(long)]
    pub no_store: bool,
    /// Games from one address at most [default: 100 if others than this machine can connect, else any number]
    #[arg(long, value_name = "N")]
    pub most_games: Option<usize>,
    /// A player that the page offers too, by a name if it has one, such as `net=puct:800:net=net.onnx`; it may read files, which players that
    /// visitors name may not; may be repeated
    #[arg(long = "bot", value_name = "[NAME=]PLAYER")]
    pub bots: Vec<Resident>,
    /// Connections from one address at most [default: 64 if others than this machine can connect, else any number]
    #[arg(long, value_name = "N")]
    pub most_connections: Option<usize>,
}

/// Games and connections of one address where others than this machine can connect.
const GAMES_OF_ONE: usize = 100;
const CONNECTIONS_OF_ONE: usize = 64;

impl Default for ServeArgs {
    fn default() -> Self {
        ServeArgs {
            port: 7878,
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            token: None,
            thinkers: None,
            store: None,
            no_store: false,
            most_games: None,
            bots: Vec::new(),
            most_connections: None,
        }
    }
}

impl ServeArgs {
    /// Bots that think at once: by default one processor is left for everything else.
    pub fn thinkers(&self) -> usize {
        let spare = rulec_search::available_threads().saturating_sub(1);
        self.thinkers.unwrap_or(spare).max(1)
    }

    /// A bound for one address.
    fn of_one(&self, asked: Option<usize>, usual: usize) -> Option<usize> {
        asked.or((!self.address.is_loopback()).then_some(usual))
    }

    /// Where games of these rules are kept.
    fn store(&self, rules: &str) -> io::Result<Option<Store>> {
        let wrong = |folder: &PathBuf, error: io::Error| {
            io::Error::new(
                error.kind(),
                format!("cannot keep games in {}: {error}", folder.display()),
            )
        };
        if let Some(folder) = &self.store {
            let store = Store::open(folder, rules);
            return Ok(Some(store.map_err(|error| wrong(folder, error))?));
        }
        let Some(folder) = store::usual_folder().filter(|_| !self.no_store) else {
            return Ok(None);
        };
        let store = Store::open(&folder, rules).map_err(|error| {
            // Without a reader there is nobody to tell.
            let _ = writeln!(
                io::stderr(),
                "note: {}; games end with this program (--store names another folder)",
                wrong(&folder, error)
            );
        });
        Ok(store.ok())
    }
}

/// The shortest token that is accepted.
const TOKEN_LENGTH: usize = 6;

/// Serves until the program is ended; says on `out` where, in one line: the last word is the address.
///
/// # Errors
/// When the address needs a token and has none, or cannot be listened at.
pub fn serve(host: &Arc<Host>, args: &ServeArgs, out: &mut dyn Write) -> io::Result<()> {
    let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidInput, text);
    match &args.token {
        None if !args.address.is_loopback() => {
            return Err(wrong(format!(
                "others than this machine can connect to {}: name a --token that requests must show",
                args.address
            )));
        }
        Some(token)
            if token.len() < TOKEN_LENGTH || !token.chars().all(|c| c.is_ascii_alphanumeric()) =>
        {
            return Err(wrong(format!(
                "a token has {TOKEN_LENGTH} letters and digits at least"
            )));
        }
        _ => {}
    }
    host.keep(Keeping {
        store: args.store(host.loaded().start.about().rules_sha256)?,
        most_from_one: args.of_one(args.most_games, GAMES_OF_ONE),
    });
    let gate = Gate::new(args.of_one(args.most_connections, CONNECTIONS_OF_ONE));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener =
            tokio::net::TcpListener::bind(SocketAddr::new(args.address, args.port)).await;
        let listener = listener.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("cannot listen at {}:{}: {error}", args.address, args.port),
            )
        })?;
        let address = listener.local_addr()?;
        let query = args
            .token
            .as_ref()
            .map_or(String::new(), |token| format!("?token={token}"));
        writeln!(
            out,
            "{} is played at http://{address}/{query}",
            host.loaded().start.about().name
        )?;
        out.flush()?;
        let guard = Guard::new(address, args.token.clone());
        connections::serve(listener, http::router(Arc::clone(host), guard), gate).await;
        Ok(())
    })
}

/// The main function of a compiled game that can serve: its own commands, `play` with the board drawn, and `serve`.
///
/// `look` is the document of its looks, `pictures` its picture files as [`rulec_render::pack`] writes them. `reasons` makes
/// what tells why moves are not legal, if the program has it.
pub fn game_main<G: FullGame + 'static>(
    game: G,
    look: &str,
    pictures: &str,
    reasons: impl FnOnce() -> Option<Result<Reasons, String>>,
) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let word = args.get(1).and_then(|word| word.to_str());
    if !matches!(word, Some("serve" | "play")) {
        return rulec_command::game_main_from(&game, args);
    }
    let line = match Line::try_parse_from(&args) {
        Ok(line) => line,
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()) * 2);
        }
    };
    let ready = || -> Result<_, String> {
        let files = rulec_render::unpack(pictures)?;
        Ok((Look::read(look)?, files, reasons().transpose()?))
    };
    let done = ready().map_err(|error| command::Error::Io(io::Error::other(error)));
    let done = done.and_then(|(look, files, reasons)| match &line.verb {
        Verb::Play(args) => play(&*rulec_search::start(&game), args, &look, reasons.as_ref()),
        Verb::Serve(args) => {
            let mut loaded = Loaded::new(game, look);
            loaded.files = files;
            loaded.tell_reasons(reasons);
            let taken = loaded.take_in(&args.bots);
            taken.map_err(|error| command::Error::Io(io::Error::other(error)))?;
            let host = Host::new(loaded, args.thinkers());
            serve(&host, args, &mut io::stdout()).map_err(command::Error::Io)
        }
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let code = match line.verb {
                Verb::Play(_) => error.exit_code(),
                Verb::Serve(_) => 2,
            };
            if code != 0 {
                let _ = writeln!(io::stderr(), "error: {error}");
            }
            ExitCode::from(code)
        }
    }
}

/// The command line of what only programs with a board can do.
#[derive(Parser)]
struct Line {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Play in a browser: a local server with one page
    Serve(ServeArgs),
    /// Play on the terminal, with the board drawn
    Play(PlayArgs),
}

/// A reason in plain words, as the page says it of a position.
pub fn plain_reason(look: &Look, state: &dyn AnyState<'_>, refusal: &Refusal) -> String {
    let observed = state.appearance();
    let position = Position::new(look, state.about(), state.turn(), "", &observed);
    reason::plain(&position, refusal, &results(state))
}

/// The texts of what may be drawn, where a draw is due.
pub(crate) fn results(state: &dyn AnyState<'_>) -> Vec<String> {
    match state.turn() {
        rulec_core::Turn::Chance => {
            let results = state.results();
            results
                .iter()
                .map(|&(code, _)| state.move_text(code))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A reason as JSON.
pub fn refusal_json(refusal: &Refusal) -> Value {
    let values: Vec<Value> = refusal
        .values
        .iter()
        .map(|(name, value)| json!({ "name": name, "value": value }))
        .collect();
    json!({
        "kind": refusal.kind,
        "sentence": refusal.sentence(),
        "family": refusal.family,
        "move": refusal.mv,
        "rule": refusal.rule,
        "origin": refusal.origin,
        "condition": refusal.condition,
        "came_to": refusal.came_to,
        "values": values,
        "confirmed": refusal.confirmed,
        "within": refusal.within,
        "lacks": refusal.lacks.as_ref().map(rulec_core::Lack::word),
        "instead": refusal.instead,
    })
}
