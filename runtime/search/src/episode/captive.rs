//! The Captive Game Server: episodes over a stream of lines, as the original server offers them to learning programs.

use std::io::{self, BufRead, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use rulec_core::episode::{BoardSource, EpisodeInfo, FixedPiece};

use super::boards::{Boards, Purpose};
use super::log::{ResultLog, Transcript, TranscriptForm, Tried};
use super::request::{Request, Source, Verbosity};
use super::scheme::Scheme;
use super::session::{Code, Finish, Session};
use super::show::{self, Mark};
use super::words::{Word, words};
use crate::AnyState;

/// The version of the original server whose answers these are.
pub const VERSION: &str = "8.060";

/// Longest line of a client, in bytes.
const MAX_LINE: usize = 64 << 10;
/// Most clients of a socket at one time.
const MAX_CLIENTS: usize = 64;

/// The boards that a request asks for, among those of the game.
///
/// # Errors
/// What is wrong, for people.
pub fn source_of(info: &'static EpisodeInfo, request: &Request) -> Result<BoardSource, String> {
    match &request.source {
        Source::Board(_, file) => {
            let file = in_folder(request, file);
            let text =
                std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let pieces = read_board(info, &text).map_err(|e| format!("{}: {e}", file.display()))?;
            // A server reads one board and serves it as long as it runs.
            let pieces: &'static [FixedPiece] = Vec::leak(pieces);
            Ok(BoardSource::Fixed {
                boards: Vec::leak(vec![pieces]),
                shuffled: false,
                drawn: false,
            })
        }
        Source::Counts(_, counts) => Ok(counted(info.boards, counts)),
        Source::Own | Source::List(..) | Source::Modified(..) | Source::Plan { .. } => {
            Ok(info.boards)
        }
    }
}

fn in_folder(request: &Request, file: &Path) -> PathBuf {
    match &request.folder {
        Some(folder) => folder.join(file),
        None => file.to_owned(),
    }
}

fn counted(source: BoardSource, counts: &[(u32, u32)]) -> BoardSource {
    let count = |index: usize, own: (u32, u32)| counts.get(index).copied().unwrap_or(own);
    match source {
        BoardSource::Pairs {
            pieces,
            kinds,
            seconds,
            ..
        } => BoardSource::Pairs {
            pieces: count(0, pieces),
            first: count(1, (0, 0)),
            second: count(2, (0, 0)),
            kinds,
            seconds,
        },
        BoardSource::Kinds { pieces, kinds } => BoardSource::Kinds {
            pieces: count(0, pieces),
            kinds,
        },
        BoardSource::Families { pieces, families } => BoardSource::Families {
            pieces: count(0, pieces),
            families,
        },
        fixed @ BoardSource::Fixed { .. } => fixed,
    }
}

/// The pieces of a board file.
fn read_board(info: &EpisodeInfo, text: &str) -> Result<Vec<FixedPiece>, String> {
    let board: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let list = board["value"]
        .as_array()
        .ok_or("there is no list `value`")?;
    let mut pieces: Vec<FixedPiece> = Vec::new();
    for piece in list {
        let number = |key: &str| match &piece[key] {
            serde_json::Value::String(text) => text.trim().parse::<i64>().ok(),
            other => other.as_i64(),
        };
        let rows = info.places / info.columns.max(1);
        let within = |n: &i64, most: usize| (1..=most as i64).contains(n);
        let x = number("x")
            .filter(|x| within(x, info.columns))
            .ok_or("a piece has no `x` on the board")?;
        let y = number("y")
            .filter(|y| within(y, rows))
            .ok_or("a piece has no `y` on the board")?;
        let id = number("id")
            .and_then(|id| i32::try_from(id).ok())
            .ok_or("a piece has no number `id`")?;
        let word = |key: &str| piece[key].as_str().unwrap_or_default();
        let name = match piece["image"].as_str() {
            Some(image) => image.to_owned(),
            None => format!("{}_{}", word("color"), word("shape")).to_uppercase(),
        };
        let kind = info.kinds.iter().position(|kind| kind.name == name);
        let kind = kind.ok_or_else(|| format!("the game has no piece `{name}`"))?;
        let place = (x - 1) as usize + info.columns * (y - 1) as usize;
        let taken = pieces.iter().any(|other| usize::from(other.place) == place);
        if taken && !info.crowded {
            return Err("two pieces are in one cell".to_owned());
        }
        pieces.push(FixedPiece {
            id,
            kind: kind as u16,
            place: place as u8,
        });
    }
    Ok(pieces)
}

/// A game for clients, and how many episodes of it there are.
#[derive(Clone, Copy)]
pub struct Program<'a, 'g> {
    start: &'a (dyn AnyState<'g> + 'g),
    episodes: Option<u64>,
}

impl<'a, 'g> Program<'a, 'g> {
    /// A game of which there are as many episodes as clients want.
    pub fn endless(start: &'a (dyn AnyState<'g> + 'g)) -> Self {
        Self {
            start,
            episodes: None,
        }
    }

    /// A series of a plan, with as many episodes as its parameters say.
    ///
    /// # Errors
    /// When a parameter has no sense, for people.
    pub fn of(start: &'a (dyn AnyState<'g> + 'g)) -> Result<Self, String> {
        let info = start.info().episode.ok_or("the game has no episodes")?;
        let boards = Scheme::read(info.parameters)?.boards;
        Ok(Self {
            start,
            episodes: (boards < u64::MAX).then_some(boards),
        })
    }
}

/// Serves what a request asks for: a client over the standard streams, or clients of a socket.
///
/// # Errors
/// When there is no board to begin with, the streams fail, or nobody can listen at the address; a message for people.
pub fn run<'g>(
    programs: &[Program<'_, 'g>],
    request: &Request,
    out: &mut dyn Write,
) -> io::Result<()> {
    match &request.listen {
        Some(address) => listen(programs, request, address, out),
        None => serve(programs, request, &mut io::stdin().lock(), out),
    }
}

fn failed(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// The first episode of a game, whose boards go on from those of the game before.
fn begin<'g>(
    program: &Program<'_, 'g>,
    request: &Request,
    before: Option<&Boards>,
) -> io::Result<Session<'g>> {
    let info = program.start.info().episode;
    let info = info.ok_or_else(|| failed("the game has no episodes".to_owned()))?;
    let source = source_of(info, request).map_err(failed)?;
    let boards = match (before, request.seed) {
        (Some(before), _) => before.followed_by(info, source),
        (None, 0) => Boards::new(info, source, by_chance()),
        (None, seed) => Boards::new(info, source, seed),
    };
    let mut boards = boards.map_err(failed)?;
    if let Some((_, testing)) = request.condition {
        boards.set_purpose(match testing {
            true => Purpose::Test,
            false => Purpose::Train,
        });
    }
    Session::new(program.start, info, boards).map_err(failed)
}

/// Serves a client over two streams until it leaves: games one after the other.
///
/// # Errors
/// When there is no board to begin with, or the streams fail; a message for people.
pub fn serve<'g>(
    programs: &[Program<'_, 'g>],
    request: &Request,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<()> {
    let first = programs
        .first()
        .ok_or_else(|| failed("there is nothing to play".to_owned()))?;
    let mut session = begin(first, request, None)?;
    let purpose = session.boards().purpose();
    let name = session.name();
    let log = match &request.log {
        Some(path) => {
            let (nickname, run) = (&request.nickname, request.run);
            Some(ResultLog::open(
                path,
                request.append,
                request.form,
                nickname,
                name,
                run,
            )?)
        }
        None => None,
    };
    let transcript = match &request.transcript {
        Some(path) => Some(Transcript::open(
            path,
            request.append,
            TranscriptForm::Detailed,
            &request.nickname,
            name,
        )?),
        None => None,
    };
    let mut client = Client {
        programs,
        series: 0,
        before: 0,
        request,
        session,
        verbosity: request.verbosity,
        purpose,
        mark: Mark::None,
        reply: Vec::with_capacity(4096),
        log,
        transcript,
    };
    client.run(input, out)
}

pub(super) fn by_chance() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(1, |now| now.as_nanos() as i64)
}

/// A client and its episode.
struct Client<'s, 'g> {
    programs: &'s [Program<'s, 'g>],
    series: usize,
    /// Episodes of the series before.
    before: u64,
    request: &'s Request,
    session: Session<'g>,
    verbosity: Verbosity,
    purpose: Purpose,
    mark: Mark,
    reply: Vec<u8>,
    log: Option<ResultLog>,
    transcript: Option<Transcript>,
}

/// A line of a client.
enum Line {
    End,
    TooLong,
    Text,
}

/// Reads a line; what is too long is read to its end and dropped.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    input.take(MAX_LINE as u64 + 1).read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(Line::End);
    }
    if line.len() <= MAX_LINE {
        return Ok(Line::Text);
    }
    while line.last() != Some(&b'\n') {
        line.clear();
        if input.take(MAX_LINE as u64).read_until(b'\n', line)? == 0 {
            break;
        }
    }
    Ok(Line::TooLong)
}

/// The piece and the bucket of a move in its usual form, which is nearly all that clients send.
fn plain_move(line: &[u8]) -> Option<(i64, i64)> {
    fn number(line: &[u8]) -> Option<(i64, &[u8])> {
        let line = line.strip_prefix(b" ")?;
        let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
        let value = |text: &[u8]| text.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'));
        (1..=9)
            .contains(&digits)
            .then(|| (value(&line[..digits]), &line[digits..]))
    }
    let (word, rest) = line.split_at_checked(4)?;
    if !word.eq_ignore_ascii_case(b"move") {
        return None;
    }
    let (id, rest) = number(rest)?;
    let (bucket, rest) = number(rest)?;
    matches!(rest, b"" | b"\n" | b"\r\n").then_some((id, bucket))
}

impl Client<'_, '_> {
    fn run(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        self.hello();
        self.send(out)?;
        let mut line = Vec::new();
        loop {
            let goes_on = match read_line(input, &mut line)? {
                Line::End => break,
                Line::TooLong => {
                    self.status(-1);
                    self.comment("Line too long");
                    true
                }
                Line::Text => match plain_move(&line) {
                    Some((id, bucket)) => {
                        self.move_piece(id, bucket)?;
                        true
                    }
                    None => self.command(&String::from_utf8_lossy(&line))?,
                },
            };
            self.send(out)?;
            if !goes_on {
                break;
            }
        }
        self.end_episode()
    }

    fn send(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if !self.reply.is_empty() {
            out.write_all(&self.reply)?;
            out.flush()?;
            self.reply.clear();
        }
        Ok(())
    }

    fn status(&mut self, response: i32) {
        let out = &mut self.reply;
        show::number(response.into(), out);
        out.push(b' ');
        show::number(self.session.finish().number().into(), out);
        out.push(b' ');
        show::number(self.session.attempts as i64, out);
        out.push(b'\n');
    }

    fn comment(&mut self, text: &str) {
        self.reply.extend_from_slice(b"# ");
        self.reply.extend_from_slice(text.as_bytes());
        self.reply.push(b'\n');
    }

    fn board(&mut self, picture: bool) {
        show::json(&self.session, &mut self.reply);
        if picture {
            show::picture(&self.session, self.mark, &mut self.reply);
        }
        self.mark = Mark::None;
    }

    fn hello(&mut self) {
        let stuck = self.session.finish() == Finish::Stalemate;
        self.status(if stuck { 2 } else { 6 });
        let number = self.before + self.session.episodes;
        let sorry = if stuck {
            " -- immediate stalemate. Our apologies!"
        } else {
            ""
        };
        let text = format!(
            "Hello. This is Captive Game Server ver. {VERSION}. Starting a new episode (no. {number}){sorry}"
        );
        self.comment(&text);
        self.board(self.verbosity == Verbosity::Full);
    }

    /// The board after a command, as far as the client wants it.
    fn after(&mut self) {
        match self.verbosity {
            Verbosity::Brief => self.mark = Mark::None,
            Verbosity::Standard => self.board(false),
            Verbosity::Full => self.board(true),
        }
    }

    fn end_episode(&mut self) -> io::Result<()> {
        match &mut self.log {
            Some(log) => log.episode(&self.session),
            None => Ok(()),
        }
    }

    /// Carries out a command; whether the session goes on.
    fn command(&mut self, line: &str) -> io::Result<bool> {
        let line = line.trim();
        if line.is_empty() {
            return Ok(true);
        }
        let mut parts = Vec::with_capacity(6);
        words(line, &mut parts);
        let Some(Word::Name(command)) = parts.first() else {
            self.status(-1);
            self.comment("Invalid input");
            return Ok(true);
        };
        let args = &parts[1..];
        match command.to_ascii_uppercase().as_str() {
            "MOVE" => self.make_move(args)?,
            "NEW" => {
                self.end_episode()?;
                self.next_episode()?;
            }
            "DISPLAY" => self.board(self.verbosity == Verbosity::Full),
            "DISPLAYFULL" => self.board(true),
            "FEATURES" => self.features(),
            "MODE" => self.mode(args),
            "COND" => return self.cond(args),
            "VERSION" => self.comment(VERSION),
            "HELP" => self.help(),
            "EXIT" => {
                self.status(5);
                self.comment("Goodbye");
                return Ok(false);
            }
            _ => {
                self.status(-1);
                self.comment(&format!("Invalid command: {}", command.to_uppercase()));
            }
        }
        Ok(true)
    }

    /// Begins the next episode, of the next series where those of one are over.
    fn next_episode(&mut self) -> io::Result<()> {
        let all = self.programs[self.series].episodes;
        if all.is_none_or(|all| self.session.episodes < all) {
            self.session.next_episode().map_err(failed)?;
            if let Some(transcript) = &mut self.transcript {
                transcript.begin();
            }
        } else if self.series + 1 < self.programs.len() {
            self.before += self.session.episodes;
            self.series += 1;
            let before = self.session.boards().clone();
            self.session = begin(&self.programs[self.series], self.request, Some(&before))?;
            self.purpose = self.session.boards().purpose();
            let name = self.session.name();
            if let Some(transcript) = &mut self.transcript {
                transcript.begin_series("", self.series, name);
            }
            if let Some(log) = &mut self.log {
                log.begin_series(name)?;
            }
        } else {
            self.status(Code::NoGame.number());
            self.comment("All series of the plan are over");
            return Ok(());
        }
        self.mark = Mark::None;
        self.hello();
        Ok(())
    }

    fn help(&mut self) {
        for line in [
            "Commands available:",
            "FEATURES",
            "MOVE row col bucket_row bucket_col",
            "MOVE piece_id bucket_id",
            "NEW",
            "DISPLAY",
            "DISPLAYFULL",
            "MODE <BRIEF|STANDARD|FULL>",
            "COND <train|test>",
            "EXIT",
        ] {
            self.comment(line);
        }
    }

    fn features(&mut self) {
        let out = &mut self.reply;
        out.push(b'{');
        for (index, (name, values)) in self.session.info().features.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            show::quoted(name, out);
            out.extend_from_slice(b":[");
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                show::property(value, out);
            }
            out.push(b']');
        }
        out.extend_from_slice(b"}\n");
    }

    fn mode(&mut self, args: &[Word<'_>]) {
        let Some(Word::Name(name)) = args.first() else {
            self.status(-2);
            self.comment("MODE command must be followed by the new mode value");
            return;
        };
        match Verbosity::of(name) {
            Some(verbosity) => {
                self.verbosity = verbosity;
                self.comment(&format!("OK, mode={}", verbosity.name()));
            }
            None => {
                self.status(-2);
                self.comment(&format!("Not a known mode: {}", name.to_uppercase()));
            }
        }
    }

    /// Asks for boards for training or testing; without a condition the original server breaks off.
    fn cond(&mut self, args: &[Word<'_>]) -> io::Result<bool> {
        let wanted = match args.first() {
            None => Some(self.purpose),
            Some(Word::Name("train")) => Some(Purpose::Train),
            Some(Word::Name("test")) => Some(Purpose::Test),
            Some(other) => {
                let shown = match other {
                    Word::Name(name) => (*name).to_owned(),
                    other => other.named(),
                };
                self.status(-2);
                self.comment(&format!(
                    "COND command  must be followed by 'train' or 'test'; invalid value={shown}"
                ));
                None
            }
        };
        if wanted == Some(Purpose::Test) && !self.session.boards().has_condition() {
            let text = "there is no condition that tells boards for testing from others";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        if let Some(purpose) = wanted {
            self.purpose = purpose;
            self.session.boards().set_purpose(purpose);
        }
        let name = match self.purpose {
            Purpose::Train => "train",
            Purpose::Test => "test",
        };
        self.comment(&format!("OK, cond={name}"));
        Ok(true)
    }

    fn make_move(&mut self, args: &[Word<'_>]) -> io::Result<()> {
        if !matches!(args.len(), 2 | 4) {
            self.status(-2);
            self.comment("Invalid input");
            return Ok(());
        }
        let mut numbers = [0_i64; 4];
        for (number, arg) in numbers.iter_mut().zip(args) {
            let Word::Number(n) = arg else {
                self.status(-2);
                self.comment(&format!("Invalid input: {}", arg.named()));
                return Ok(());
            };
            *number = *n;
        }
        match args.len() {
            2 => self.move_piece(numbers[0], numbers[1]),
            _ => self.move_from(numbers),
        }
    }

    fn refuse(&mut self, message: &str) {
        self.status(-2);
        self.comment(message);
        self.after();
    }

    fn move_piece(&mut self, id: i64, bucket: i64) -> io::Result<()> {
        let targets = self.session.info().targets as i64;
        if self.over() {
            return Ok(());
        }
        if bucket >= targets {
            self.refuse(&format!("Invalid input: bucket ID={bucket}"));
            return Ok(());
        }
        let id = i32::try_from(id).unwrap_or(-1);
        let piece = self
            .session
            .pieces()
            .iter()
            .find(|piece| piece.here && piece.id == id)
            .copied();
        let code = self.session.attempt(id, bucket as usize);
        self.answer(code, piece, bucket as usize)
    }

    fn move_from(&mut self, [row, column, bucket_row, bucket_column]: [i64; 4]) -> io::Result<()> {
        let info = self.session.info();
        let columns = info.columns as i64;
        let rows = info.places as i64 / columns.max(1);
        if self.over() {
            return Ok(());
        }
        if !(1..=rows).contains(&row) {
            self.refuse(&format!("Invalid input: row={row} out of range"));
            return Ok(());
        }
        if !(1..=columns).contains(&column) {
            self.refuse(&format!("Invalid input: column={column} out of range"));
            return Ok(());
        }
        // The original names the row of the bucket also where its column is wrong, and looks at the row only later.
        if bucket_column != 0 && bucket_column != columns + 1 {
            self.refuse(&format!(
                "Invalid input: bucket row={bucket_row} is not 0 or 7"
            ));
            return Ok(());
        }
        let place = (column - 1 + columns * (row - 1)) as usize;
        let found = self.session.only_piece(place);
        let high = bucket_row == rows + 1;
        if found.is_ok() && bucket_row != 0 && !high {
            self.refuse(&format!(
                "Invalid input: bucket row={bucket_row} is not 0 or 7"
            ));
            return Ok(());
        }
        let bucket = match (bucket_column == 0, high) {
            (true, true) => 0,
            (false, true) => 1,
            (false, false) => 2,
            (true, false) => 3,
        };
        let piece = found.ok().map(|index| self.session.pieces()[index]);
        let code = self.session.attempt_place(place, bucket);
        self.answer(code, piece, bucket)
    }

    /// Tells that there is no game on, if so.
    fn over(&mut self) -> bool {
        let finish = self.session.finish();
        if finish == Finish::Playing {
            return false;
        }
        self.status(Code::NoGame.number());
        let (cleared, stuck) = (finish == Finish::Cleared, finish == Finish::Stalemate);
        self.comment(&format!(
            "No game is on right now (cleared={cleared}, stalemate={stuck}, earlyWin=false). Use NEW to start a new game"
        ));
        self.after();
        true
    }

    fn answer(
        &mut self,
        code: Code,
        piece: Option<super::session::Piece>,
        bucket: usize,
    ) -> io::Result<()> {
        self.status(code.number());
        self.reply.extend_from_slice(b"# null\n");
        self.mark = match (code, &piece) {
            (Code::Accept, Some(piece)) => Mark::Emptied(piece.place.into()),
            (Code::Deny | Code::Immovable, Some(piece)) => Mark::Failed(piece.place.into()),
            _ => Mark::None,
        };
        if let (Some(transcript), Some(piece)) = (&mut self.transcript, &piece) {
            let tried = Tried {
                piece,
                bucket: Some(bucket),
                code,
                mover: 0,
            };
            transcript.attempt(&self.session, &tried)?;
        }
        self.after();
        Ok(())
    }
}

/// Serves clients of a socket, each in a thread of its own. A client begins with `GAME` and arguments; it is served in the
/// mode STANDARD unless they say otherwise.
///
/// # Errors
/// When nobody can listen at the address.
pub fn listen<'g>(
    programs: &[Program<'_, 'g>],
    request: &Request,
    address: &str,
    ready: &mut dyn Write,
) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    writeln!(ready, "# listening at {}", listener.local_addr()?)?;
    ready.flush()?;
    let clients = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { continue };
            let busy = clients.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= MAX_CLIENTS;
            let clients = &clients;
            scope.spawn(move || {
                // What goes wrong with one client is no matter of the others.
                let _ = client(programs, request, &stream, busy);
                clients.fetch_sub(1, std::sync::atomic::Ordering::Relaxed);
            });
        }
    });
    Ok(())
}

fn client<'g>(
    programs: &[Program<'_, 'g>],
    request: &Request,
    stream: &TcpStream,
    busy: bool,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = io::BufReader::new(stream);
    let mut out = stream;
    if busy {
        return out.write_all(b"-5 0 0\n# Too many clients\n");
    }
    let mut line = Vec::new();
    match read_line(&mut input, &mut line)? {
        Line::Text => {}
        _ => return out.write_all(b"-1 0 0\n# Expected GAME\n"),
    }
    let text = String::from_utf8_lossy(&line);
    let mut args = text.split_whitespace();
    if !args
        .next()
        .is_some_and(|word| word.eq_ignore_ascii_case("GAME"))
    {
        return out.write_all(b"-1 0 0\n# Expected GAME\n");
    }
    let args: Vec<String> = args.map(str::to_owned).collect();
    let own = match Request::parse(&args) {
        Ok(own) => own,
        Err(message) => return writeln!(out, "-2 0 0\n# {message}"),
    };
    let told = args
        .iter()
        .any(|arg| arg.trim_start_matches("-D").starts_with("output="));
    let request = Request {
        verbosity: if told {
            own.verbosity
        } else {
            Verbosity::Standard
        },
        source: match own.source {
            // Files of a client are none of ours; its numbers are.
            Source::Counts(_, counts) => Source::Counts(PathBuf::new(), counts),
            _ => request.source.clone(),
        },
        seed: if own.seed == 0 {
            request.seed
        } else {
            own.seed
        },
        log: None,
        transcript: None,
        ..request.clone()
    };
    match serve(programs, &request, &mut input, &mut out) {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
            writeln!(out, "-5 0 0\n# {error}")
        }
        other => other,
    }
}
