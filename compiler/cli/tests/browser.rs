//! Games in a browser: whole games by clicks, two browsers in one game, loading the page again, rules that change.
//!
//! Needs Chromium; without it the tests say that they are skipped, with `CI=true` they fail. `RULEC_SCREENS` names a folder
//! for pictures of the pages; `RULEC_GAMES` further rule files, with colons between, that pictures are made of too. Where `npm ci` was run in `tools/axe`, as `tools/test.sh` does, axe-core looks at all pages.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::chromium::{Browser, Tab, chromium};
use crate::server::Server;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// What the page shows is complete once it has a version.
fn ready(browser: &mut Browser, tab: &Tab) {
    browser.until(
        tab,
        "document.body && document.body.dataset.version && document.querySelector('#board svg')",
    );
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn ply(browser: &mut Browser, tab: &Tab) -> u64 {
    browser
        .eval(tab, "Number(document.body.dataset.ply)")
        .as_u64()
        .expect("a number")
}

/// Where to click for a move: the middle of each of its places, or of its line in the list of moves.
const PLAN: &str = "(pick => {
  const list = moves().filter(move => move.first !== false);
  const move = typeof pick === 'string' ? list.find(move => move.text.startsWith(pick)) : list[pick % list.length];
  const middle = element => { element.scrollIntoView({ block: 'nearest' }); const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]; };
  const all = elements();
  const points = move.spots.map(spot => all.find(e => e.classList.contains('place') && e.dataset.ref === spot) ||
    all.find(e => e.dataset.ref === spot)).filter(Boolean).map(middle);
  const button = document.querySelector(`#asks button[data-code='${move.code}'], #moves button[data-code='${move.code}']`);
  if (!points.length && button.closest('details')) button.closest('details').open = true;
  return { code: move.code, text: move.text, points: points.length ? points : [middle(button)] };
})";

/// Makes a move by clicks alone; a question is answered by its button.
fn play(browser: &mut Browser, tab: &Tab, pick: &Value) {
    let before = ply(browser, tab);
    let plan = browser.eval(tab, &format!("{PLAN}({pick})"));
    let done = |browser: &mut Browser| {
        let state = browser.eval(
            tab,
            "[Number(document.body.dataset.ply), document.getElementById('choice').open]",
        );
        (state[0].as_u64() != Some(before), state[1] == true)
    };
    for point in plan["points"].as_array().expect("points") {
        browser.click(tab, (number(&point[0]), number(&point[1])));
        std::thread::sleep(std::time::Duration::from_millis(25));
        let (moved, asked) = done(browser);
        if moved || asked {
            break;
        }
    }
    let choice = format!(
        "(() => {{ const button = document.querySelector('#options button[data-code=\"{}\"]') || document.querySelector('#options button');
          if (!document.getElementById('choice').open || !button) return null;
          const box = button.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
        plan["code"].as_str().unwrap_or_default()
    );
    for _ in 0..4 {
        let button = browser.eval(tab, &choice);
        if !button.is_null() {
            browser.click(tab, (number(&button[0]), number(&button[1])));
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        if done(browser).0 {
            return;
        }
        // The same place again plays what only one can do there.
        if browser.eval(tab, "chosen && chosen.moves.length === 1") == true
            && let Some(last) = plan["points"].as_array().and_then(|points| points.last())
        {
            browser.click(tab, (number(&last[0]), number(&last[1])));
        }
    }
    browser.until(
        tab,
        &format!("Number(document.body.dataset.ply) !== {before}"),
    );
}

/// Plays to the end, or so many moves: moves by clicks, draws by the button.
fn play_on(browser: &mut Browser, tab: &Tab, seed: u64, most: u64) {
    let mut random = seed;
    for _ in 0..most {
        let turn = browser.eval(tab, "document.body.dataset.turn");
        match turn.as_str() {
            Some("over") => return,
            Some("chance") => roll(browser, tab),
            _ => {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                play(browser, tab, &json!(random >> 40));
            }
        }
    }
}

fn roll(browser: &mut Browser, tab: &Tab) {
    let before = ply(browser, tab);
    let at = browser.eval(
        tab,
        "(() => { const box = document.getElementById('roll').getBoundingClientRect(); return [box.x + 8, box.y + 8]; })()",
    );
    browser.click(tab, (number(&at[0]), number(&at[1])));
    browser.until(
        tab,
        &format!("Number(document.body.dataset.ply) !== {before}"),
    );
}

fn begin(browser: &mut Browser, name: impl AsRef<Path>) -> (Server, Tab) {
    let server = Server::start(&games().join(name), &[]);
    let tab = browser.open(&server.page());
    ready(browser, &tab);
    (server, tab)
}

#[test]
fn a_whole_game_of_each_language_is_played_by_clicks() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "games");
    // A page whose server ends complains: all of them go on to the end.
    let mut servers = Vec::new();
    for (name, game) in [
        ("s3", "s3/tic_tac_toe.s3"),
        ("bgc", "bgc/knightthrough.json"),
        ("bgm", "bgm/tic_tac_toe.bgm"),
        ("gs5", "gs5/around.txt"),
        ("bbgel", "bbgel/crossroads.bbgel"),
    ] {
        let (server, tab) = begin(&mut browser, game);
        servers.push(server);
        browser.screenshot(&tab, &format!("{name}-start"));
        play_on(&mut browser, &tab, 5, 3);
        browser.screenshot(&tab, &format!("{name}-middle"));
        play_on(&mut browser, &tab, 7, 400);
        browser.until(&tab, "document.body.dataset.turn === 'over'");
        browser.screenshot(&tab, &format!("{name}-end"));
        accessible(&mut browser, &tab, &format!("the end of {game}"));
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_promotion_asks_which_piece() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "promotion");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    for text in [
        "0,1 0,3", "1,6 1,4", "0,3 1,4", "7,6 7,5", "1,4 1,5", "7,5 7,4", "1,5 0,6", "7,4 7,3",
    ] {
        play(&mut browser, &tab, &json!(text));
    }
    // A pawn takes on the last row: the page asks.
    let plan = browser.eval(&tab, &format!("{PLAN}('0,6 1,7')"));
    for point in plan["points"].as_array().expect("points") {
        browser.click(&tab, (number(&point[0]), number(&point[1])));
    }
    browser.until(&tab, "document.getElementById('choice').open");
    browser.screenshot(&tab, "promotion");
    accessible(&mut browser, &tab, "a promotion");
    let options = browser.eval(&tab, "document.querySelectorAll('#options button').length");
    assert_eq!(options, 5, "four pieces, and none of them");
    let at = browser.eval(
        &tab,
        "(() => { const box = document.querySelector('#options button').getBoundingClientRect(); return [box.x + 9, box.y + 9]; })()",
    );
    browser.click(&tab, (number(&at[0]), number(&at[1])));
    browser.until(&tab, "Number(document.body.dataset.ply) === 9");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn browsers_share_a_game_and_loading_again_loses_nothing() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "shared");
    let (_server, one) = begin(&mut browser, "s3/tic_tac_toe.s3");
    let address = browser.eval(&one, "location.href");
    let two = browser.open(address.as_str().expect("an address"));
    ready(&mut browser, &two);
    play(&mut browser, &one, &json!(0));
    browser.until(&two, "Number(document.body.dataset.ply) === 1");
    play(&mut browser, &two, &json!(1));
    browser.until(&one, "Number(document.body.dataset.ply) === 2");
    let record = "JSON.stringify(view.game.moves) + view.position.svg";
    let before = browser.eval(&one, record);
    browser.reload(&one);
    ready(&mut browser, &one);
    assert_eq!(browser.eval(&one, record), before);
    // Keys: undo, and a move by arrows and Enter.
    browser.eval(&one, "document.activeElement.blur()");
    browser.key(&one, "u");
    for tab in [&one, &two] {
        browser.until(tab, "Number(document.body.dataset.ply) === 1");
    }
    browser.eval(&one, "elements().find(e => e.classList.contains('can') || e.classList.contains('place')).focus()");
    browser.key(&one, "ArrowRight");
    let named = browser.eval(&one, "document.activeElement.getAttribute('aria-label')");
    assert!(named.as_str().is_some_and(|name| !name.is_empty()));
    // A place that takes nothing: there is a reason.
    browser.eval(&one, "explain([moves()[0].spots[0], moves()[0].spots[0]])");
    browser.until(
        &one,
        "document.getElementById('message').textContent !== ''",
    );
    // What was asked before a connection broke off does not stay without an answer, and the game goes on.
    let lost = "(() => { const answer = act('value'); socket.close(); return answer.then(answer => Boolean(answer.error)); })()";
    assert_eq!(browser.eval(&one, lost), true);
    browser.until(&one, "view && view.game.ply === 1");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn pieces_are_dragged_and_hints_and_steps_work() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "dragged");
    let (_server, tab) = begin(&mut browser, "s3/frogs.s3");
    let plan = browser.eval(&tab, &format!("{PLAN}(0)"));
    let point = |at: usize| {
        (
            number(&plan["points"][at][0]),
            number(&plan["points"][at][1]),
        )
    };
    browser.drag(&tab, point(0), point(1));
    browser.until(&tab, "Number(document.body.dataset.ply) === 1");
    browser.eval(&tab, "document.getElementById('hint').click()");
    browser.until(
        &tab,
        "document.getElementById('message').textContent.startsWith('Hint')",
    );
    browser.eval(&tab, "document.getElementById('back').click()");
    browser.until(&tab, "Number(document.body.dataset.ply) === 0");
    browser.eval(&tab, "document.getElementById('last').click()");
    browser.until(&tab, "Number(document.body.dataset.ply) === 1");
    // A frog that cannot jump there: the rule and its line are named.
    browser.eval(
        &tab,
        "explain([elements()[0].dataset.ref, elements()[1].dataset.ref])",
    );
    browser.until(&tab, "document.querySelector('#message pre')");
    browser.screenshot(&tab, "reason");
    assert_eq!(browser.eval(&tab, MISSING), json!([]));
    accessible(&mut browser, &tab, "a reason");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn rules_that_change_are_read_again() {
    let Some(program) = chromium() else { return };
    let folder = std::env::temp_dir().join(format!("rulec-watched-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("frogs.s3");
    let rules = std::fs::read_to_string(games().join("s3/frogs.s3")).expect("the rules");
    std::fs::write(&file, &rules).expect("a copy");
    let server = Server::start(&file, &["--watch"]);
    let mut browser = Browser::start(&program, "watched");
    let tab = browser.open(&server.page());
    ready(&mut browser, &tab);
    play(&mut browser, &tab, &json!(0));
    play(&mut browser, &tab, &json!(0));
    let text = "view.position.text";
    let before = browser.eval(&tab, text);
    // An edit: another name; the position stays.
    let edited = format!("{rules}\n;\n");
    let edited = match rules.contains("//") {
        true => format!("{rules}\n// edited\n"),
        false => edited,
    };
    std::fs::write(&file, &edited).expect("an edit");
    browser.until(&tab, "view && view.game.notice.includes('rules have changed') || !document.getElementById('diagnostics').classList.contains('hidden')");
    assert_eq!(browser.eval(&tab, text), before);
    // A broken edit: what is wrong is shown, and the game goes on.
    std::fs::write(&file, rules.replacen("EMPTY", "EMTY", 1)).expect("a broken edit");
    browser.until(
        &tab,
        "document.getElementById('diagnostics').textContent.includes('EMTY')",
    );
    browser.screenshot(&tab, "broken");
    accessible(&mut browser, &tab, "broken rules");
    assert_eq!(browser.eval(&tab, text), before);
    let now = ply(&mut browser, &tab);
    play(&mut browser, &tab, &json!(0));
    assert_eq!(ply(&mut browser, &tab), now + 1);
    std::fs::write(&file, &rules).expect("the rules again");
    browser.until(
        &tab,
        "!document.getElementById('diagnostics').textContent.includes('EMTY')",
    );
    assert_eq!(browser.complaints, Vec::<String>::new());
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_learner_sees_answers_and_no_rule() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "learner");
    let (_server, tab) = begin(&mut browser, "gs5/around.txt");
    browser.eval(&tab, "document.getElementById('learn').click()");
    browser.until(&tab, "view && view.game.learner");
    let click = |browser: &mut Browser, selector: &str| {
        let at = browser.eval(
            &tab,
            &format!(
                "(() => {{ const box = document.querySelector('{selector}').getBoundingClientRect(); \
                 return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
            ),
        );
        browser.click(&tab, (number(&at[0]), number(&at[1])));
    };
    for _ in 0..3 {
        let count = browser.eval(&tab, "view.game.learner.transcript.length");
        click(&mut browser, "#board .piece");
        click(&mut browser, "#board .target");
        browser.until(
            &tab,
            &format!("view.game.learner.transcript.length > {count}"),
        );
    }
    assert_eq!(browser.eval(&tab, "moves().length"), 0);
    browser.screenshot(&tab, "learner");
    accessible(&mut browser, &tab, "the learner's view");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Games of all kinds of boards, how many moves are made before the pictures, and whether places are marked then on which one click
/// puts something.
const BOARDS: [(&str, &str, u64, bool); 10] = [
    ("chess", "bgc/chess.json", 5, false),
    ("reversi", "s3/reversi.s3", 8, true),
    ("morris", "s3/nine_mens_morris.s3", 7, false),
    ("draughts", "bgc/english_draughts.json", 5, false),
    ("hexguard", "bgc/hexguard.json", 4, false),
    ("cards", "bgm/discard.bgm", 3, false),
    ("ladders", "bbgel/ladders.bbgel", 6, false),
    ("goose", "bbgel/goose.bbgel", 6, false),
    ("gs5", "gs5/around.txt", 2, false),
    ("connect_four", "s3/connect_four.s3", 7, true),
];

/// What axe-core says of a page, if it is there: nothing serious.
fn accessible(browser: &mut Browser, tab: &Tab, what: &str) {
    let script = games().join("../tools/axe/node_modules/axe-core/axe.min.js");
    let Ok(script) = std::fs::read_to_string(script) else {
        eprintln!("skipped: axe-core is not installed (npm ci in tools/axe)");
        return;
    };
    browser.eval(tab, &format!("{script}; void (window.found = null, axe.run(document, {{ resultTypes: ['violations'] }}).then(all => window.found = all.violations))"));
    browser.until(tab, "window.found");
    let serious = browser.eval(
        tab,
        "found.filter(one => ['serious', 'critical'].includes(one.impact)).map(one => one.id + ': ' + one.nodes.slice(0, 2).map(node => node.html.slice(0, 160)).join(' | '))",
    );
    assert_eq!(serious, json!([]), "{what}");
}

/// The drawings that are used and not there.
const MISSING: &str = "[...document.querySelectorAll('use')].map(use => use.getAttribute('href')).filter(href => !document.querySelector(href))";

/// Pictures of a page on screens of all kinds, each looked at by axe-core.
fn shown(browser: &mut Browser, tab: &Tab, name: &str) {
    for (kind, width, height, dark) in [
        ("desktop", 1280, 800, false),
        ("phone", 390, 844, false),
        ("dark", 1280, 800, true),
    ] {
        browser.emulate(tab, (width, height), dark);
        // A phone makes its window as wide as the page.
        let wide = browser.eval(tab, "document.documentElement.scrollWidth");
        assert!(
            number(&wide) <= f64::from(width),
            "{name} on {kind} is {wide} pixels wide"
        );
        let missing = browser.eval(tab, MISSING);
        assert_eq!(missing, json!([]), "{name}: drawings that are not there");
        browser.screenshot(tab, &format!("{name}-{kind}"));
        accessible(browser, tab, &format!("{name} on {kind}"));
    }
}

/// Games that are not ours, where somebody names some.
#[test]
fn other_games_are_shown_too() {
    let files = std::env::var("RULEC_GAMES").unwrap_or_default();
    let Some(program) = chromium().filter(|_| !files.is_empty()) else {
        return;
    };
    let mut browser = Browser::start(&program, "others");
    let mut servers = Vec::new();
    for file in files.split(':').map(PathBuf::from) {
        let (server, tab) = begin(&mut browser, &file);
        servers.push(server);
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        browser.screenshot(&tab, &format!("{name}-start"));
        play_on(&mut browser, &tab, 3, 6);
        shown(&mut browser, &tab, &name);
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Notes for each click how long it took until the picture with what it led to was there, and how many places can be chosen.
const WATCH: &str = "window.times = []; addEventListener('pointerup', event => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => times.push([performance.now() - event.timeStamp, document.querySelectorAll('#board .mark.dot, #board .mark.take').length]);
  channel.port2.postMessage(0);
}), true), 0";

/// The part of some times that is below the result, in milliseconds.
fn quantile(times: &[f64], part: f64) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * part) as usize]
}

/// How quick the page is, printed for the manual; the bounds are far away, and as other programs may be at work the page is tried
/// again where it is late.
#[test]
fn legal_places_are_there_at_once() {
    const CLICKS: usize = 200;
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "speed");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    let mut first = f64::INFINITY;
    for _ in 0..10 {
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
        first = first.min(number(&browser.eval(&tab, paint)));
        if first < 5000.0 {
            break;
        }
        browser.reload(&tab);
        ready(&mut browser, &tab);
    }
    let bytes = browser.eval(
        &tab,
        "fetch('/').then(page => page.text()).then(text => new Blob([text]).size)",
    );
    play_on(&mut browser, &tab, 11, 12);
    browser.eval(&tab, WATCH);
    let sources = "[...new Set(moves().map(move => move.spots[0]))].map(spot => { const box = places.get(spot).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })";
    let sources = browser.eval(&tab, sources);
    let mut times = Vec::new();
    for _ in 0..50 {
        for at in sources.as_array().expect("points") {
            let count = browser.eval(&tab, "times.length");
            browser.click(&tab, (number(&at[0]), number(&at[1])));
            browser.until(&tab, &format!("times.length > {count}"));
            let seen = browser.eval(&tab, "times.at(-1)");
            assert!(
                number(&seen[1]) >= 1.0,
                "places that can be chosen are marked"
            );
            times.push(number(&seen[0]));
            browser.key(&tab, "Escape");
        }
        if times.len() >= CLICKS && quantile(&times[times.len() - CLICKS..], 0.99) < 500.0 {
            break;
        }
    }
    let last = &times[times.len().saturating_sub(CLICKS)..];
    let (half, most) = (quantile(last, 0.5), quantile(last, 0.99));
    eprintln!(
        "chess: legal places {half:.0} ms after a click in the middle, {most:.0} ms at most in 99 of 100 of {} clicks; first paint after \
         {first:.0} ms; page {bytes} bytes",
        last.len(),
    );
    assert!(most < 500.0 && first < 5000.0);
    assert!(number(&bytes) < 200_000.0, "the page has {bytes} bytes");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn boards_and_pieces_can_be_chosen_and_are_remembered() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "kinds");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    let colour = "getComputedStyle(document.querySelector('#board .own-d')).fill";
    let mut seen = vec![browser.eval(&tab, colour)];
    for (board, pieces) in [("green", "bold"), ("blue", "raised"), ("grey", "wood")] {
        let choose =
            |id: &str, value: &str| format!("$('{id}').value = '{value}', $('{id}').onchange(), 0");
        browser.eval(&tab, &choose("boardkind", board));
        browser.eval(&tab, &choose("piecekind", pieces));
        let now = browser.eval(&tab, colour);
        assert!(!seen.contains(&now), "{board}: {now}");
        seen.push(now);
        browser.screenshot(&tab, &format!("kind-{board}-{pieces}"));
        accessible(&mut browser, &tab, board);
    }
    browser.reload(&tab);
    ready(&mut browser, &tab);
    assert_eq!(Some(&browser.eval(&tab, colour)), seen.last());
    let chosen = "[$('boardkind').value, $('piecekind').value]";
    assert_eq!(browser.eval(&tab, chosen), json!(["grey", "wood"]));
    browser.eval(&tab, "$('menu').open = true, 0");
    browser.screenshot(&tab, "menu");
    accessible(&mut browser, &tab, "the menu");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn draws_are_offered_and_the_value_is_shown_beside_the_board() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "draw");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    play_on(&mut browser, &tab, 5, 2);
    let hidden = |id: &str| format!("$('{id}').classList.contains('hidden')");
    assert_eq!(
        browser.eval(&tab, &hidden("value")),
        true,
        "two people play"
    );
    browser.eval(&tab, "$('bar').click(), 0");
    browser.until(&tab, "worth.key && worth.key !== '?' && !worth.asking");
    assert_eq!(browser.eval(&tab, &hidden("value")), false);
    browser.eval(&tab, "$('offer').click(), 0");
    browser.until(&tab, "!$('offered').classList.contains('hidden')");
    browser.screenshot(&tab, "offer");
    accessible(&mut browser, &tab, "an offer of a draw");
    let answer =
        |number: usize| format!("$('offered').querySelectorAll('button')[{number}].click(), 0");
    browser.eval(&tab, &answer(1));
    browser.until(&tab, &hidden("offered"));
    browser.until(
        &tab,
        "$('message').textContent === 'black does not agree to a draw'",
    );
    browser.eval(&tab, "$('offer').click(), 0");
    browser.until(&tab, "!$('offered').classList.contains('hidden')");
    browser.eval(&tab, &answer(0));
    browser.until(&tab, "$('status').textContent === 'a draw: both agreed.'");
    let sheet = "fetch('/api/games/' + id() + '/sheet').then(sheet => sheet.text())";
    let sheet = browser.eval(&tab, sheet);
    assert!(
        sheet
            .as_str()
            .is_some_and(|text| text.trim_end().ends_with("1/2-1/2")),
        "{sheet}"
    );
    let load = "window.loaded = null, fetch('/api/games', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sheet: SHEET }) })
        .then(made => made.json()).then(made => fetch('/api/games/' + made.id)).then(game => game.json()).then(view => view.game.ended.why)";
    let again = browser.eval(&tab, &load.replace("SHEET", &sheet.to_string()));
    assert_eq!(again, "agreed");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn boards_are_pictures_on_desktops_and_phones_light_and_dark() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "boards");
    let mut servers = Vec::new();
    for (name, game, count, offers) in BOARDS {
        let (server, tab) = begin(&mut browser, game);
        servers.push(server);
        play_on(&mut browser, &tab, 3, count);
        shown(&mut browser, &tab, name);
        let marked = "document.querySelectorAll('#board .mark.last').length > 0";
        assert_eq!(browser.eval(&tab, marked), true, "{name}: the last move");
        let offered = "[...document.querySelectorAll('#board .mark.ghost')].length";
        let offered = number(&browser.eval(&tab, offered)) as usize;
        let open = "new Set(moves().map(move => move.spots[0])).size";
        let open = number(&browser.eval(&tab, open)) as usize;
        assert_eq!(offered, if offers { open } else { 0 }, "{name}");
        // Which disc of a pool is taken is not told.
        let plain = "view.game.moves.every(move => !/pool|tray|rt\\(/.test(called(move)))";
        assert_eq!(browser.eval(&tab, plain), true, "{name}");
        // Everything that can be reached by keys has a name.
        let silent = browser.eval(
            &tab,
            "[...places.values()].filter(place => !place.getAttribute('aria-label')).length",
        );
        assert_eq!(silent, 0, "{name}");
    }
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn pieces_of_boards_are_drawings_and_the_last_move_is_marked() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "marks");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    play(&mut browser, &tab, &json!("4,1 4,3"));
    let seen = "[document.querySelectorAll('#board .piece use').length, document.querySelectorAll('#board .piece text').length, \
                document.querySelectorAll('#board .mark.last').length]";
    assert_eq!(browser.eval(&tab, seen), json!([32, 0, 2]));
    // Every drawing that is used is there.
    assert_eq!(browser.eval(&tab, MISSING), json!([]));
    // Moves are written as chess players do, and by the rules' own names if that is wished.
    play(&mut browser, &tab, &json!("6,7 5,5"));
    let written = "view.game.moves.map(called).join(' ')";
    assert_eq!(browser.eval(&tab, written), "e4 Nf6");
    browser.eval(&tab, "document.getElementById('words').click()");
    assert_eq!(browser.eval(&tab, written), "4,1 4,3 6,7 5,5");
    browser.eval(&tab, "document.getElementById('words').click()");
    // A reason is said in plain words, with files and ranks.
    browser.eval(&tab, "explain([places.get(moves().find(move => move.name === 'Nc3').spots[0]).dataset.ref, moves().find(move => move.name === 'd4').spots[1]])");
    browser.until(&tab, "document.getElementById('message').textContent.startsWith('The white knight on b1 cannot go to d4')");
    // What may be done with a piece is shown by dots, one for each target.
    browser.eval(
        &tab,
        "clickAny([places.get(moves().find(move => move.name === 'Nc3').spots[0])])",
    );
    assert_eq!(
        browser.eval(&tab, "document.querySelectorAll('#board .mark.dot').length"),
        2
    );
    // The board is turned when somebody asks for it, and only then.
    assert_eq!(
        browser.eval(&tab, "document.querySelector('#board svg.turned')"),
        Value::Null
    );
    browser.eval(&tab, "document.activeElement.blur()");
    browser.key(&tab, "Escape");
    browser.key(&tab, "f");
    browser.until(&tab, "document.querySelector('#board svg.turned')");
    play(&mut browser, &tab, &json!("1,0 2,2"));
    assert_eq!(browser.eval(&tab, written), "e4 Nf6 Nc3");
    browser.key(&tab, "?");
    browser.until(&tab, "$('legend').open");
    browser.screenshot(&tab, "legend");
    accessible(&mut browser, &tab, "the legend");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn a_king_in_check_is_marked_and_moves_say_so() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "check");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    for mv in ["4,1 4,3", "5,6 5,5"] {
        play(&mut browser, &tab, &json!(mv));
    }
    let marked = "document.querySelectorAll('#board .mark.check:not(.rim)').length";
    assert_eq!(browser.eval(&tab, marked), 0);
    play(&mut browser, &tab, &json!("3,0 7,4"));
    browser.until(&tab, &format!("{marked} === 1"));
    let told = "[...document.querySelectorAll('#board .place')].map(place => place.getAttribute('aria-label')).filter(label => / in check/.test(label))";
    let told = browser.eval(&tab, told);
    let labels = told.as_array().expect("a list");
    assert_eq!(labels.len(), 1, "{told}");
    assert!(
        labels[0]
            .as_str()
            .is_some_and(|label| label.starts_with("e8")),
        "{told}"
    );
    let last = browser.eval(&tab, "view.game.moves.at(-1).name");
    assert_eq!(last, "Qh5+");
    browser.screenshot(&tab, "check");
    accessible(&mut browser, &tab, "check");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn men_that_can_be_taken_have_rings_and_their_moves_an_x() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "mill");
    let (_server, tab) = begin(&mut browser, "s3/nine_mens_morris.s3");
    for mv in [
        "man(1,1) tray(1,1) p(1,1)",
        "man(2,1) tray(2,1) p(2,1)",
        "man(1,2) tray(1,2) p(1,2)",
        "man(2,2) tray(2,2) p(2,2)",
        "man(1,3) tray(1,3) p(1,3)",
    ] {
        play(&mut browser, &tab, &json!(mv));
    }
    let seen =
        "[document.querySelectorAll('#board .mark.take').length, moves().map(called).join(' ')]";
    assert_eq!(browser.eval(&tab, seen), json!([2, "xb6 xd6"]));
    browser.screenshot(&tab, "mill");
    accessible(&mut browser, &tab, "a mill");
    play(&mut browser, &tab, &json!("man(2,1)"));
    assert_eq!(browser.eval(&tab, "view.game.moves.at(-1).name"), "xb6");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn clocks_run_and_games_are_given_up() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "clock");
    let (_server, tab) = begin(&mut browser, "bgc/chess.json");
    browser.eval(
        &tab,
        "$('clock').value = '300000 0', $('clock').onchange(), 0",
    );
    browser.until(&tab, "document.querySelectorAll('.clock').length === 2");
    browser.until(
        &tab,
        "document.querySelector('#below .clock').textContent.startsWith('4:')",
    );
    let other = browser.eval(&tab, "document.querySelector('#above .clock').textContent");
    assert_eq!(other, "5:00", "only the clock of who is to move runs");
    browser.screenshot(&tab, "clock");
    accessible(&mut browser, &tab, "clocks");
    browser.eval(&tab, "$('resign').click(), 0");
    browser.until(
        &tab,
        "$('status').textContent === 'black wins: white resigned.'",
    );
    assert_eq!(browser.eval(&tab, "$('resign').disabled"), true);
    browser.eval(&tab, "$('undo').click(), 0");
    browser.until(&tab, "$('status').textContent === 'white to move'");
}

#[test]
fn a_game_is_reviewed_and_replays_without_its_server() {
    let Some(program) = chromium() else { return };
    let mut browser = Browser::start(&program, "shared-page");
    let (server, tab) = begin(&mut browser, "s3/connect_four_5x4.s3");
    play_on(&mut browser, &tab, 5, 6);
    browser.eval(&tab, "document.getElementById('review').click()");
    browser.until(&tab, "document.querySelector('#graph polyline')");
    assert_eq!(browser.eval(&tab, "graph.values.length"), 7);
    browser.screenshot(&tab, "review");
    accessible(&mut browser, &tab, "a review");
    let page = browser.eval(
        &tab,
        "fetch('/api/games/' + id() + '/share').then(page => page.text())",
    );
    let file = std::env::temp_dir().join(format!("rulec-shared-{}.html", std::process::id()));
    std::fs::write(&file, page.as_str().expect("a page")).expect("the page is written");
    browser.close(&tab);
    drop(server);
    let alone = browser.open(&format!("file://{}", file.display()));
    browser.until(&alone, "document.body && document.body.dataset.ply === '0'");
    browser.eval(&alone, "document.getElementById('last').click()");
    assert_eq!(browser.eval(&alone, "document.body.dataset.ply"), "6");
    let seen = "[document.querySelectorAll('#board .place.hole').length, document.querySelectorAll('#board .piece').length]";
    assert_eq!(browser.eval(&alone, seen), json!([20, 6]));
    browser.screenshot(&alone, "replay");
    accessible(&mut browser, &alone, "a shared game");
    assert_eq!(browser.complaints, Vec::<String>::new());
    let _ = std::fs::remove_file(&file);
}
