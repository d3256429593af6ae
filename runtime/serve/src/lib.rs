//! Any game in a browser: a local web server with one page, and JSON over HTTP and WebSocket for other front ends.
//!
//! It works on games with their types hidden ([`rulec_search::AnyState`]), so compiled and interpreted ones are alike. Only
//! what is in the program is served: the page, its description for programs (`openapi.json`), positions of the game,
//! and the picture files that the rules name. Without more ado only programs of the same machine can connect, and
//! requests from pages of other origins are refused.

#![forbid(unsafe_code)]

mod guard;
mod http;
mod learner;
mod loaded;
mod problem;
mod table;
mod view;

use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Parser};
use rulec_core::{Game, Refusal};
use rulec_render::{Look, Position};
use rulec_search::AnyState;
use serde_json::{Value, json};

pub use guard::Guard;
pub use loaded::{Host, Loaded};

/// Arguments of `serve`.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  serve\n  serve --port 8000\n  serve --address 0.0.0.0 --token secret\n\n\
    The page is at the address that is printed, the description of its JSON at /openapi.json. Ctrl-C ends it."
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
}

impl Default for ServeArgs {
    fn default() -> Self {
        ServeArgs {
            port: 7878,
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            token: None,
            thinkers: None,
        }
    }
}

impl ServeArgs {
    /// Bots that think at once: by default one processor is left for everything else.
    pub fn thinkers(&self) -> usize {
        let spare = rulec_search::available_threads().saturating_sub(1);
        self.thinkers.unwrap_or(spare).max(1)
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
            host.loaded().start.info().name
        )?;
        out.flush()?;
        let guard = Guard::new(address, args.token.clone());
        axum::serve(listener, http::router(Arc::clone(host), guard)).await
    })
}

/// A position for the terminal, in colours or without; nothing where the looks of the game have nothing to draw.
pub fn drawing(look: &Look, state: &dyn AnyState<'_>, colours: bool) -> Option<String> {
    let (text, observed) = (state.text(), state.appearance());
    let position = Position::new(look, state.info(), state.turn(), &text, &observed);
    rulec_render::terminal(&position, colours)
}

/// The main function of a compiled game that can serve: its own commands, and `serve`.
///
/// `look` is the document of its looks, `pictures` its picture files as [`rulec_render::pack`] writes them.
pub fn game_main<G: Game + 'static>(game: G, look: &str, pictures: &str) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if args.get(1).is_none_or(|word| word != "serve") {
        return rulec_search::command::game_main_from(&game, args);
    }
    let line = match ServeLine::try_parse_from(&args[1..]) {
        Ok(line) => line,
        Err(error) => {
            // Without a reader there is nobody to tell.
            let _ = error.print();
            return ExitCode::from(u8::from(error.use_stderr()) * 2);
        }
    };
    let ready = Look::read(look).and_then(|look| Ok((look, rulec_render::unpack(pictures)?)));
    let served = ready.map_err(io::Error::other).and_then(|(look, files)| {
        let mut loaded = Loaded::new(game, look);
        loaded.files = files;
        serve(
            &Host::new(loaded, line.serve.thinkers()),
            &line.serve,
            &mut io::stdout(),
        )
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// The command line of `serve` of a compiled game.
#[derive(Parser)]
#[command(
    name = "serve",
    about = "Play in a browser: a local server with one page"
)]
struct ServeLine {
    #[command(flatten)]
    serve: ServeArgs,
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
    })
}
