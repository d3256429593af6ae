'use strict';
const $ = id => document.getElementById(id);
const token = new URLSearchParams(location.search).get('token');
let about = null, view = null, chosen = null, focusRef = null, heat = null, hinted = null, replaying = null, rolledPly = -1, socket = null, waiting = 0;
/* What this reader wants to see, kept by the browser. */
const wishes = { turned: false, words: false, theme: '', board: '', pieces: '', bar: null, sound: false };
try { Object.assign(wishes, JSON.parse(localStorage.getItem('board') || '{}'), { turned: false }); } catch { /* nothing is kept */ }
function keep() { try { localStorage.setItem('board', JSON.stringify(wishes)); } catch { /* nothing is kept */ } }

/* The server. */
async function ask(path, wish) {
  const headers = {};
  if (token) headers.Authorization = 'Bearer ' + token;
  const request = { headers };
  if (wish !== undefined) {
    request.method = 'POST';
    headers['Content-Type'] = 'application/json';
    request.body = JSON.stringify(wish);
  }
  return (await fetch(path, request)).json();
}
const id = () => new URLSearchParams(location.hash.slice(1)).get('game');

/* Requests that change the game go over the socket: a refusal is an answer there, no failure of the page. */
let asked = new Map(), nextId = 1;
function act(action, wish = {}) {
  if (!socket || socket.readyState !== WebSocket.OPEN) return Promise.resolve({ error: { message: 'The connection is lost; trying again.' } });
  return new Promise(done => {
    const number = nextId++;
    asked.set(number, done);
    socket.send(JSON.stringify({ ...wish, do: action, id: number }));
  });
}
async function tell(action, wish) {
  const answer = await act(action, wish);
  if (answer.error) say(answer.error.message, 'bad');
  return answer;
}

function say(text, kind = '', line = '') {
  $('message').className = kind;
  $('message').replaceChildren(text);
  if (line) $('message').append(make('pre', {}, line));
}
const speak = text => { $('spoken').textContent = text; };

/* An element with properties and children. */
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}
function draw(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
/* A small picture of a piece. */
function chip(drawing) {
  const svg = draw('svg', { viewBox: '-6 -6 112 112', 'aria-hidden': 'true' });
  svg.append(draw('use', { href: '#' + drawing }));
  return svg;
}

async function open(wish) {
  const answer = await ask('/api/games', wish);
  if (answer.error) return say(answer.error.message, 'bad');
  /* The page follows its address. */
  location.hash = 'game=' + answer.id;
}

/* What was asked over a connection that has ended is answered by nobody. */
function unanswered(message) {
  for (const done of asked.values()) done({ error: { message } });
  asked.clear();
}

function connect() {
  if (socket) { socket.onclose = null; socket.close(); }
  chosen = null; heat = null; rolledPly = -1; view = null; flagged = -1;
  unanswered('');
  const scheme = location.protocol === 'https:' ? 'wss://' : 'ws://';
  socket = new WebSocket(scheme + location.host + '/api/games/' + id() + '/ws' + (token ? '?token=' + encodeURIComponent(token) : ''));
  socket.onmessage = event => {
    const message = JSON.parse(event.data);
    if (message.view) { show(message.view); waiting = 0; }
    if (message.rules) { showRules(message.rules); if (message.about) { about = message.about; showAbout(); } }
    if (message.id && asked.has(message.id)) { asked.get(message.id)(message); asked.delete(message.id); }
  };
  socket.onclose = () => {
    unanswered('The connection was lost before the answer came.');
    say('The connection is lost; trying again.', 'bad');
    setTimeout(start, Math.min(5000, 300 * ++waiting));
  };
}

async function start() {
  try { about = await ask('/api/game'); } catch { setTimeout(start, Math.min(5000, 300 * ++waiting)); return; }
  if (about.error) return say(about.error.message, 'bad');
  say('');
  showAbout();
  const games = (await ask('/api/games')).games;
  if (id() && games.includes(id())) return connect();
  open({ pace: 400 });
}

function showAbout() {
  document.title = about.name;
  $('name').textContent = about.name.replaceAll('_', ' ');
  $('about').textContent = about.language + ' · ' + (about.players.length === 1 ? '1 player' : about.players.length + ' players');
  const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${about.drawings}</svg>`, 'image/svg+xml').documentElement;
  $('drawings').replaceChildren(...[...parsed.childNodes].map(node => document.importNode(node, true)));
  /* What a kind of pieces may change. */
  const sides = { '#fbf8f0': 'white', '#33302c': 'black' };
  for (const part of $('drawings').querySelectorAll('[fill]')) {
    const fill = part.getAttribute('fill');
    if (sides[fill]) part.style.fill = `var(--${sides[fill]}, ${fill})`;
  }
  for (const part of $('drawings').children) part.style.strokeWidth = 'var(--edge, 3.2px)';
  $('learn').classList.toggle('hidden', !about.episodes);
  $('newboard').classList.toggle('hidden', !about.episodes);
  $('sheet').classList.toggle('hidden', !about.sheet);
  if (about.sheet) $('sheet').textContent = `Save as ${about.sheet.toUpperCase()}`;
  for (const name of ['heat', 'review']) $(name).classList.toggle('hidden', about.episodes);
}

function showRules(rules) {
  const box = $('diagnostics');
  const list = rules.diagnostics || [];
  box.classList.toggle('hidden', !list.length);
  box.lastElementChild.replaceChildren(...list.slice(0, 20).map(d => {
    const label = d.labels && d.labels[0];
    const span = label && label.span;
    const where = span ? `${span.file}:${span.start.line}:${span.start.column}` : '';
    return make('pre', { className: d.severity === 'error' ? 'error' : 'warning' },
      [`${d.severity}[${d.code}] ${where}`, d.message, label && label.text, d.help && d.help.message].filter(Boolean).join('\n'));
  }));
  box.open = rules.broken;
  box.firstElementChild.textContent = rules.broken ? 'Rules: this version does not compile, the one before is played' : `What the compiler says of the rules (${list.length})`;
}

const moves = () => view.position.moves.list;
/* Whether chance is dice here, not cards or the like. */
const rolls = () => moves().every(move => move.text.startsWith('roll'));
const isLearner = () => !!view.game.learner;
const atEnd = () => view.game.ply === view.game.plies;
/* What a move is called: by files and ranks, or in the words of the rules. */
const called = move => (wishes.words ? move.text : move.name || move.text);

function show(next) {
  const before = view;
  view = next;
  told = performance.now();
  const { game, position } = view;
  if (!before || before.position.svg !== position.svg) drawBoard(before);
  prepare();
  if (!before || before.game.version !== game.version || before.game.ply !== game.ply) {
    chosen = null;
    hinted = null;
    if (before) heat = null;
    if ($('choice').open) $('choice').close();
    if (before && $('message').className === 'bad') say('');
  }
  const who = position.turn.players.map(p => about.players[p - 1] || 'player ' + p).join(' or ');
  const turn = position.turn.kind;
  $('status').textContent = turn === 'over' ? (position.outcome_text || 'The game is over.') :
    game.ended && atEnd() ? game.ended.text :
    turn === 'chance' ? (position.drawing ? `${about.players[position.drawing - 1]} to roll` : rolls() ? 'The dice are to be rolled.' : 'Chance decides what comes next.') : isLearner() ? 'Find out what goes where.' : `${who} to move`;
  $('text').textContent = position.text;
  $('as-text').classList.toggle('hidden', !position.text);
  if (game.notice) say(game.notice, 'good');
  showDice(before);
  showSeats();
  showMoves();
  showRecord();
  showThoughts();
  showLearner();
  showOffer();
  showWorth();
  mark();
  $('tools').classList.toggle('hidden', isLearner());
  $('undo').disabled = game.ply === 0;
  $('redo').disabled = $('next').disabled = $('last').disabled = atEnd();
  $('first').disabled = $('back').disabled = game.ply === 0;
  $('branch').classList.toggle('hidden', atEnd());
  $('hint').disabled = turn !== 'decide' || isLearner() || !!game.ended;
  $('resign').classList.toggle('hidden', isLearner() || about.players.length > 2);
  $('resign').disabled = turn === 'over' || !!game.ended || !atEnd();
  $('clock').parentNode.classList.toggle('hidden', isLearner());
  $('undo').disabled &&= !game.ended;
  Object.assign(document.body.dataset, { ply: game.ply, turn, version: game.version });
  if (before && before.game.ply + 1 === game.ply && game.last) tick((game.last.steps || []).some(({ from, to }) => from && !to));
  if (before && before.game.ply !== game.ply && game.last) speak(`${about.players[(game.last.player || game.last.drawing) - 1] ? about.players[(game.last.player || game.last.drawing) - 1] + ': ' : ''}${called(game.last)}. ${$('status').textContent}`);
}

/* A short tick for a move, a lower one for a capture; no file is needed. */
let audio = null;
function tick(low) {
  if (!wishes.sound || !window.AudioContext) return;
  audio ||= new AudioContext();
  const tone = audio.createOscillator(), gain = audio.createGain(), now = audio.currentTime;
  tone.frequency.value = low ? 220 : 440;
  gain.gain.setValueAtTime(.15, now);
  gain.gain.exponentialRampToValueAtTime(.001, now + .08);
  tone.connect(gain).connect(audio.destination);
  tone.start(now);
  tone.stop(now + .09);
}

/* The board. */
let canon = new Map(), stores = new Set(), places = new Map();
const elements = () => [...$('board').querySelectorAll('[data-ref]')];
const spotOf = element => element.dataset.on || element.dataset.ref;
const isPlace = element => element.classList.contains('place');

function drawBoard(before) {
  const box = $('board');
  const parsed = new DOMParser().parseFromString(view.position.svg, 'image/svg+xml').documentElement;
  if (parsed.nodeName !== 'svg') { box.textContent = 'the board cannot be shown'; return; }
  const svg = document.importNode(parsed, true), old = box.querySelector('svg');
  svg.removeAttribute('width'); svg.removeAttribute('height');
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', 'Board; arrow keys move, Enter chooses, Escape lets go');
  svg.querySelector('title')?.remove();
  svg.style.setProperty('--pitch', svg.dataset.pitch || 60);
  svg.style.setProperty('--wide', svg.viewBox.baseVal.width);
  svg.classList.toggle('turned', wishes.turned);
  svg.classList.toggle('names', wishes.words);
  if (token) for (const image of svg.querySelectorAll('image')) {
    const address = image.getAttribute('href');
    if (address && address.startsWith('/')) image.setAttribute('href', address + '?token=' + encodeURIComponent(token));
  }
  if (!svg.querySelector('.below')) svg.append(draw('g', { class: 'below' }));
  svg.append(draw('g', { class: 'above' }));
  canon = new Map(); stores = new Set(); places = new Map();
  for (const element of svg.querySelectorAll('[data-ref]')) {
    /* A piece may be a place for others, or stand where no place is drawn. */
    const alone = element.classList.contains('piece') && !element.dataset.on;
    if (!isPlace(element) && !alone) { element.setAttribute('aria-hidden', 'true'); continue; }
    element.setAttribute('tabindex', '-1');
    element.setAttribute('role', 'button');
    places.set(element.dataset.ref, element);
    if (!element.dataset.all) continue;
    stores.add(element.dataset.ref);
    for (const ref of element.dataset.all.split(' ')) canon.set(ref, element.dataset.ref);
  }
  const motions = old && before ? motion(old, svg) : [];
  box.replaceChildren(svg);
  for (const run of motions) run();
  const focused = places.get(focusRef) || places.values().next().value;
  if (focused) focused.setAttribute('tabindex', '0');
  if (focused && focusRef && box.dataset.keys) focused.focus();
}

/* Moves name what the picture shows: pieces of a store are one there, and what only counts is not shown. */
function prepare() {
  const list = view.position.moves;
  if (list.prepared) return;
  list.prepared = true;
  for (const move of list.list) {
    const spots = [...new Set(move.spots.map(spot => canon.get(spot) || spot))].filter(spot => places.has(spot));
    move.stores = spots.filter(spot => stores.has(spot));
    const board = spots.filter(spot => !stores.has(spot));
    move.spots = board.length ? board : spots;
    move.things = [...new Set(move.things.map(thing => canon.get(thing) || thing))];
  }
}

/* What moves from one picture to the next one. */
function motion(old, svg) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || wishes.turned) return [];
  const steps = (view.game.last && view.game.last.steps) || [];
  const runs = [];
  const at = (picture, ref) => ref && [...picture.querySelectorAll('[data-ref]')].find(e => isPlace(e) && (e.dataset.ref === ref || (e.dataset.all || '').split(' ').includes(ref)));
  const middle = element => { const box = element.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const moved = new Set();
  for (const { from, to } of steps.slice(0, 60)) {
    const begin = at(old, from), end = to && svg.querySelector(`.piece[data-on='${to}']`);
    if (begin && end && !moved.has(end)) {
      moved.add(end);
      const [x, y] = middle(begin);
      runs.push(() => {
        const [u, v] = middle(end);
        end.animate([{ transform: `translate(${x - u}px,${y - v}px)` }, { transform: 'none' }], { duration: 200, easing: 'cubic-bezier(.2,.7,.3,1)' });
      });
    } else if (from && !to) {
      const gone = old.querySelector(`.piece[data-on='${from}']`);
      if (!gone) continue;
      const ghost = document.importNode(gone, true);
      for (const name of ['data-ref', 'data-on', 'data-name', 'class']) ghost.removeAttribute(name);
      runs.push(() => { svg.append(ghost); ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 150 }).onfinish = () => ghost.remove(); });
    }
  }
  let turned = 0;
  for (const piece of svg.querySelectorAll('.piece[data-on]')) {
    const was = old.querySelector(`.piece[data-on='${piece.dataset.on}'][data-ref='${piece.dataset.ref}']`);
    const drawing = element => element && element.querySelector('use') && element.querySelector('use').getAttribute('href');
    if (!was || moved.has(piece) || drawing(was) === drawing(piece)) continue;
    const delay = Math.min(600, 40 * turned++);
    runs.push(() => {
      piece.style.transformBox = 'fill-box';
      piece.style.transformOrigin = 'center';
      piece.animate([{ transform: 'scaleX(.05)' }, { transform: 'none' }], { duration: 180, delay, fill: 'backwards' });
    });
  }
  return runs;
}

const touches = (move, element) => move.things.includes(element.dataset.ref) || move.spots.includes(spotOf(element)) || move.spots.includes(element.dataset.ref) || (move.stores || []).includes(element.dataset.ref);

/* Moves that an element takes part in; of pieces on one place, those of this very piece where moves name pieces. */
function matching(list, element) {
  const found = list.filter(move => touches(move, element));
  const own = found.filter(move => move.things.includes(element.dataset.ref));
  return own.length && element.classList.contains('piece') ? own : found;
}

function clickAny(hits) {
  if (!view || view.position.turn.kind === 'over') return;
  if (view.game.ended) return say(view.game.ended.text);
  if (isLearner()) return learnClick(hits);
  if (!moves().length || view.position.turn.kind !== 'decide') return;
  if (chosen) {
    for (const hit of hits) {
      if (chosen.spots.includes(spotOf(hit))) continue;
      const found = matching(chosen.moves, hit);
      if (!found.length) continue;
      const spots = [...chosen.spots, spotOf(hit)];
      const done = found.filter(move => move.spots.every(spot => spots.includes(spot)));
      if (done.length) return decide(done);
      chosen = { spots, moves: found, refs: [...chosen.refs, hit.dataset.ref] };
      return mark();
    }
    if (hits.some(hit => chosen.spots.includes(spotOf(hit)))) {
      const firsts = chosen.moves.filter(move => move.first);
      if (chosen.moves.length === 1) return decide(chosen.moves);
      if (firsts.length === 1 && chosen.target) return decide(firsts);
      chosen = null;
      return mark();
    }
    const again = hits.find(hit => matching(moves(), hit).length);
    const wanted = [chosen.refs[0], hits[0] && spotOf(hits[0])];
    const source = again && moves().some(move => move.spots[0] === spotOf(again));
    if (!source && hits.length) { explain(wanted); chosen = null; return mark(); }
    chosen = null;
  }
  for (const hit of hits) {
    const found = matching(moves(), hit);
    if (!found.length) continue;
    const spot = spotOf(hit);
    if (!stores.has(spot) && found.every(move => move.spots.length <= 1)) return decide(found);
    const firsts = found.filter(move => move.first);
    const target = found.every(move => move.spots[0] !== spot);
    if (!stores.has(spot) && target && firsts.length === 1 && (found.length > 1 || !view.position.moves.complete)) return decide(firsts);
    chosen = { spots: [spot], moves: found, refs: [hit.dataset.ref], target };
    speak(`${hit.dataset.name} chosen, ${found.length} moves`);
    return mark();
  }
  if (hits.length) explain([hits[0].dataset.ref]);
}

const label = (move, list) => list.filter(other => called(other) === called(move)).length > 1 ? move.text : called(move);

/* Moves that only some detail tells apart: which one is asked. */
function decide(list) {
  const firsts = list.filter(move => move.first);
  const options = firsts.length ? firsts : list;
  if (options.length === 1) return playMove(options[0]);
  $('options').replaceChildren(...options.slice(0, 60).map(move => {
    const button = make('button', { onclick: () => { $('choice').close(); playMove(move); } }, label(move, options));
    button.dataset.code = move.code;
    const letter = /=([QRBN])$/.exec(move.name || '');
    const side = letter && about.sides[(view.position.turn.players[0] || 1) - 1];
    if (side) button.prepend(chip({ Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' }[letter[1]] + '-' + side));
    return button;
  }), make('button', { onclick: () => { $('choice').close(); chosen = null; mark(); } }, 'none of them'));
  $('choice').showModal();
}

async function playMove(move) {
  chosen = null;
  say('');
  await tell('move', { code: move.code, version: view.game.version });
}

async function explain(naming) {
  const answer = await act('explain', { naming: naming.filter(Boolean) });
  if (answer.error?.code === 'no-reasons') return say('That cannot be done here.', 'bad', answer.error.message);
  if (answer.error) return say(answer.error.message, 'bad');
  showReason(answer.done);
}

function showReason(reason) {
  const line = reason.line ? `${reason.origin}\n${reason.line.number} | ${reason.line.text}` : reason.origin;
  say(reason.plain || reason.sentence, 'bad', line);
}

const learned = { unit: null };
async function learnClick(hits) {
  const bucket = hits.find(hit => hit.classList.contains('target'));
  if (bucket && learned.unit !== null) {
    const answer = await act('attempt', { unit: learned.unit, target: Number(bucket.dataset.ref.split('.')[1]) });
    if (answer.error) return say(answer.error.message, 'bad');
    const told = answer.done;
    say(`${told.answer} (code ${told.code})`, told.code === 0 ? 'good' : 'bad');
    learned.unit = null;
    chosen = null;
    return mark();
  }
  const hit = hits.find(element => !element.classList.contains('target'));
  if (!hit) return;
  learned.unit = Number(hit.dataset.ref.split('.')[1]);
  chosen = { spots: [hit.dataset.ref], moves: [], refs: [hit.dataset.ref] };
  mark();
}

/* Marks: shapes of places below the pieces, dots and arrows above them. */
function mark() {
  const svg = $('board').querySelector('svg');
  if (!svg || !view) return;
  svg.querySelectorAll('.mark').forEach(element => element.remove());
  const below = svg.querySelector('.below'), above = svg.querySelector('.above');
  const decides = view.position.turn.kind === 'decide';
  const sources = new Set(), targets = new Set();
  if (decides && !chosen) for (const move of moves()) if (move.spots.length) sources.add(move.spots[0]);
  if (chosen) for (const move of chosen.moves) for (const spot of move.spots) if (!chosen.spots.includes(spot)) targets.add(spot);
  const holds = new Set([...svg.querySelectorAll('.piece[data-on]')].map(piece => piece.dataset.on));
  const last = lastSpots(), open = decides && !chosen ? offered(holds) : new Set();
  for (const [ref, element] of places) {
    if (last.get(ref) === 'flipped') dot(element, 'flipped', .12, above);
    else if (last.has(ref)) outline(element, 'last ' + last.get(ref), below);
    if (view.position.threatened === ref) { outline(element, 'check rim', below).setAttribute('stroke-width', pitch() * .11); outline(element, 'check', below); }
    if (chosen && chosen.spots.includes(ref)) outline(element, 'chosen', below);
    if (hinted && hinted.includes(ref)) outline(element, 'hint', above);
    if (document.activeElement === element && $('board').dataset.keys) outline(element, 'focus', above);
    if (targets.has(ref)) holds.has(ref) ? dot(element, 'take', .44, above) : dot(element, 'dot', .14, above);
    if (open.has(ref)) holds.has(ref) ? dot(element, 'take', .44, above) : dot(element, 'ghost', .16, above);
    const can = targets.has(ref) ? ', can be chosen' : sources.has(ref) ? ', can move' : '';
    element.setAttribute('aria-label', named(element) + contents(element, holds) + (view.position.threatened === ref ? ', in check' : '') + (last.get(ref) === 'flipped' ? ', turned over' : last.has(ref) ? ', last move' : '') + can);
  }
  for (const element of elements()) {
    const spot = spotOf(element);
    element.classList.toggle('can', targets.has(spot));
    element.classList.toggle('source', sources.has(spot));
  }
  if (hinted && hinted.length > 1) arrow(hinted, above);
  if (heat) {
    const most = Math.max(1, ...Object.values(heat.places));
    for (const [ref, element] of places) if (heat.places[ref]) {
      const part = heat.places[ref] / most;
      const circle = dot(element, 'heat', .2 + .25 * part, above, Math.round(heat.places[ref] / heat.games * 100) / 100);
      circle.style.fill = `hsl(${50 - 50 * part} 90% 50%)`;
    }
  }
}

/* Where one click makes a move: places on which something can be put, and what can be taken; nothing where that is every such place. */
function offered(holds) {
  const svg = $('board').querySelector('svg');
  const single = moves().filter(move => move.spots.length === 1 && !stores.has(move.spots[0]));
  if (svg.dataset.nest || isLearner() || single.length < moves().length) return new Set();
  const found = new Set(single.map(move => move.spots[0]));
  const among = [...places.keys()].filter(ref => !stores.has(ref) && [...found].some(other => holds.has(other) === holds.has(ref)));
  return found.size < among.length ? found : new Set();
}

/* Where the last move came from and went to. */
function lastSpots() {
  const found = new Map();
  const last = view.game.last;
  if (!last) return found;
  const svg = $('board').querySelector('svg'), nested = svg.dataset.nest;
  for (const { from, to, turned } of last.steps || []) {
    if (turned && places.has(turned) && !found.has(turned)) found.set(turned, nested ? 'to' : 'flipped');
    const [begin, end] = [from, to].map(ref => canon.get(ref) || ref);
    /* What goes on from a place only passed it. */
    if (from && found.get(begin) === 'to') found.delete(begin);
    else if (from && places.has(begin) && !stores.has(begin) && !found.has(begin)) found.set(begin, 'from');
    if (to && places.has(end) && !stores.has(end)) found.set(end, 'to');
  }
  const gone = [...found.values()].filter(kind => kind !== 'flipped').length;
  if (gone > 12) return new Map();
  if (!found.size) for (const spot of last.spots || []) {
    const place = places.get(spot);
    /* What was taken up leaves an empty place. */
    const left = place && !nested && !place.classList.contains('target') && !svg.querySelector(`.piece[data-on='${spot}'], .piece[data-ref='${spot}']`);
    if (place && !stores.has(spot)) found.set(spot, left ? 'from' : 'to');
  }
  return found;
}

const named = element => {
  const own = element.dataset.name || '';
  const known = !wishes.words && about.coordinates && about.coordinates[element.dataset.ref];
  return known || own;
};
function contents(element, holds) {
  if (stores.has(element.dataset.ref) || !isPlace(element)) return '';
  if (!holds.has(element.dataset.ref)) return ', empty';
  const here = elements().filter(other => other.dataset.on === element.dataset.ref).map(other => (other.dataset.name || '').split(' on ')[0]);
  return ', ' + here.join(', ');
}

const pitch = () => Number($('board').querySelector('svg').dataset.pitch) || 60;
/* The middle of a place and its least width, where it is shown. */
function middle(element) {
  const shape = (element.tagName === 'g' && element.querySelector('rect, circle')) || element;
  const box = shape.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: Math.min(box.width, box.height, 1.1 * pitch()) };
}
function outline(element, kind, where) {
  const shape = element.tagName === 'g' ? element.querySelector('rect, circle, polygon, path') : element;
  if (!shape) return draw('g', {});
  const copy = shape.cloneNode(false);
  for (const name of copy.getAttributeNames()) if (/^(class|data-|tabindex|role|aria|fill|stroke)/.test(name)) copy.removeAttribute(name);
  copy.setAttribute('class', 'mark ' + kind);
  copy.setAttribute('stroke-width', pitch() * .05);
  /* Boxes keep the rims of their owners. */
  if (shape.classList.contains('box')) {
    for (const [name, room] of [['x', -3.5], ['y', -3.5], ['width', 7], ['height', 7], ['rx', 3]]) copy.setAttribute(name, Number(shape.getAttribute(name)) + room);
  }
  const turn = shape.parentNode.getAttribute('transform');
  if (turn) copy.setAttribute('transform', turn);
  where.append(copy);
  return copy;
}
function dot(element, kind, size, where, text) {
  const { x, y, size: width } = middle(element);
  const attributes = { class: 'mark ' + kind, cx: x, cy: y, r: width * size, 'stroke-width': kind === 'take' ? width * .06 : 1.5 };
  const turn = element.parentNode.getAttribute('transform');
  if (turn) attributes.transform = turn;
  const circle = draw('circle', attributes);
  where.append(circle);
  if (text !== undefined) {
    const words = draw('text', { class: 'mark words', x, y: y + width * .07, 'text-anchor': 'middle', 'font-size': width * .2 });
    words.textContent = text;
    where.append(words);
  }
  return circle;
}
function arrow(spots, where) {
  const ends = [spots[0], spots[spots.length - 1]].map(spot => places.get(spot)).filter(Boolean).map(middle);
  if (ends.length < 2) return;
  const [a, b] = ends, length = Math.hypot(b.x - a.x, b.y - a.y), w = pitch() * .07, head = pitch() * .3;
  if (length < head) return;
  const turn = Math.atan2(b.y - a.y, b.x - a.x) * 180 / Math.PI;
  where.append(draw('path', { class: 'mark arrow', d: `M0 ${-w}H${length - head}V${-2.6 * w}L${length} 0L${length - head} ${2.6 * w}V${w}H0Z`, transform: `translate(${a.x} ${a.y}) rotate(${turn})` }));
}

/* Dice, players, moves, record. */
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
function showDice(before) {
  const { game, position } = view;
  const chance = position.turn.kind === 'chance';
  const rolled = game.last && game.last.by === 'chance';
  $('dice').classList.toggle('hidden', !chance && !rolled);
  $('roll').classList.toggle('hidden', !chance);
  $('roll').textContent = rolls() ? 'Roll' : 'Draw';
  if (!rolled) { $('rolled').textContent = ''; $('die').replaceChildren('?'); $('die').setAttribute('aria-label', 'nothing rolled yet'); return; }
  $('rolled').textContent = game.last.text;
  const die = $('die');
  const number = Number((game.last.text.match(/(\d+)\D*$/) || [])[1]);
  die.classList.toggle('hidden', !game.last.text.startsWith('roll'));
  if (PIPS[number]) {
    const face = draw('svg', { viewBox: '0 0 40 40', width: 38, height: 38, 'aria-hidden': 'true' });
    face.append(...PIPS[number].map(at => draw('circle', { cx: 10 + at % 3 * 10, cy: 10 + Math.floor(at / 3) * 10, r: 3.6, fill: '#1f1c19' })));
    die.replaceChildren(face);
  } else die.replaceChildren(Number.isNaN(number) ? '\u2684' : String(number));
  die.setAttribute('aria-label', game.last.text);
  if (rolledPly !== game.ply && before) { die.classList.remove('rolling'); void die.offsetWidth; die.classList.add('rolling'); }
  rolledPly = game.ply;
}

/* Bots think for a time, so that they answer in it on any machine. */
const BOTS = [['', 'person'], ['random', 'random moves'], ['uct:300ms', 'quick'], ['uct:1s', 'one second'], ['uct:3s', 'three seconds'], ['uct:10s', 'ten seconds']];
function showSeats() {
  const { game, position } = view;
  const key = JSON.stringify([game.bots, about.players, position.turn, position.drawing, position.scores, wishes.turned, position.outcome, game.thinking, game.clock && game.clock.time, game.clock && game.clock.increment, game.ended]);
  if ($('board').dataset.seats === key) return;
  $('board').dataset.seats = key;
  const rows = about.players.map((name, number) => seat(name, number));
  const below = rows.length > 1 ? 1 : rows.length;
  if (wishes.turned) rows.reverse();
  $('below').replaceChildren(...rows.slice(0, below));
  $('above').replaceChildren(...rows.slice(below));
  $('above').classList.toggle('many', rows.length > 2);
  $('stage').style.setProperty('--bars', below + Math.ceil((rows.length - below) / (rows.length > 2 ? 2 : 1)));
  $('auto').checked = game.auto;
  $('autobox').classList.toggle('hidden', !about.has_chance);
  $('pace').value = game.pace;
  showClocks();
}
function seat(name, number) {
  const { game, position } = view;
  const row = make('div', { className: 'seat' });
  const turn = position.turn.players.includes(number + 1) || position.drawing === number + 1;
  const parts = [];
  if (about.has_scores && position.scores.length > number && position.scores.some(score => score !== 0)) parts.push(position.scores[number] + ' points');
  if (turn && game.thinking && game.thinking.bot) parts.push(`thinking, ${game.thinking.games} games`);
  const select = make('select', { ariaLabel: 'Who plays ' + name });
  const now = game.bots[number] || '';
  const own = [...BOTS, ...(about.bots || []).map(bot => [bot, bot])];
  const known = own.some(([bot]) => bot === now) ? own : [...own, [now, now]];
  select.append(...known.map(([bot, words]) => make('option', { value: bot, selected: bot === now }, words)));
  select.onchange = () => tell('seats', { bots: { [number + 1]: select.value }, auto: select.value ? true : game.auto });
  row.append(chip(about.chips[number] || 'person-white'), make('b', {}, name));
  if (turn) row.append(make('span', { className: 'turn', title: 'to move' }));
  row.append(make('span', { className: 'info' }, parts.join(' · ')));
  if (game.clock) {
    const clock = make('span', { className: 'clock', ariaLabel: 'Time of ' + name });
    clock.setAttribute('role', 'timer');
    clock.dataset.player = number;
    row.append(clock);
  }
  row.append(select);
  return row;
}

/* Clocks: minutes and seconds, tenths when they are few. The server counts; the page shows what is left since it was told. */
const CLOCKS = [[0, 0, 'none'], [1, 0, '1 minute'], [3, 2, '3 minutes + 2 s'], [5, 0, '5 minutes'], [10, 5, '10 minutes + 5 s'], [30, 0, '30 minutes']];
let told = 0, flagged = -1;
function showClocks() {
  const clock = view && view.game.clock;
  const now = clock ? `${clock.time} ${clock.increment}` : '0 0';
  const known = CLOCKS.map(([minutes, seconds, words]) => [`${minutes * 60000} ${seconds * 1000}`, words]);
  if (!known.some(([value]) => value === now)) known.push([now, `${clock.time / 60000} minutes + ${clock.increment / 1000} s`]);
  if ($('clock').dataset.now !== now) $('clock').replaceChildren(...known.map(([value, words]) => make('option', { value, selected: value === now }, words)));
  $('clock').dataset.now = now;
  if (!clock) return;
  for (const element of document.querySelectorAll('.clock[data-player]')) {
    const player = Number(element.dataset.player), runs = clock.runs === player + 1;
    const left = Math.max(0, clock.left[player] - (runs ? performance.now() - told : 0)), seconds = left / 1000;
    const text = seconds < 20 ? seconds.toFixed(1) : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('low', seconds < 20);
    element.classList.toggle('runs', runs);
    if (runs && left === 0 && flagged !== view.game.version) { flagged = view.game.version; act('flag'); }
  }
}
setInterval(showClocks, 100);


function showMoves() {
  const list = moves();
  $('movebox').classList.toggle('hidden', isLearner());
  const wanted = $('find').value.trim().toLowerCase();
  const firsts = list.filter(move => move.first !== false && (!wanted || (called(move) + ' ' + move.text).toLowerCase().includes(wanted)));
  $('count').textContent = firsts.length ? `(${firsts.length})` : '';
  const total = list.reduce((sum, move) => sum + (move.weight || 0), 0);
  $('moves').replaceChildren(...firsts.slice(0, 200).map(move => {
    const button = make('button', { disabled: !!move.weight, onclick: () => playMove(move) }, label(move, firsts) + (move.weight ? `  ${move.weight}/${total}` : ''));
    button.dataset.code = move.code;
    button.onmouseenter = button.onfocus = () => { hinted = move.spots; mark(); };
    button.onmouseleave = button.onblur = () => { hinted = null; mark(); };
    return make('li', {}, button);
  }), ...view.position.host_moves.map(text => make('li', {}, make('button', { onclick: () => tell('move', { text }) }, text))));
  /* What has no place on the board is asked beside it. */
  const questions = view.position.turn.kind === 'decide' ? firsts.filter(move => !move.spots.length) : [];
  $('asks').classList.toggle('hidden', !questions.length || questions.length > 12);
  $('asks').replaceChildren(...questions.slice(0, 12).map(move => {
    const button = make('button', { className: 'main', onclick: () => playMove(move) }, label(move, questions));
    button.dataset.code = move.code;
    return button;
  }));
  if (questions.length > 12) $('all').open = true;
  $('known').replaceChildren(...firsts.slice(0, 300).map(move => make('option', { value: called(move) })));
}

/* A move in the list: who made it is told by its column, or there is only one. */
function listed(move, player, alone) {
  const text = called(move);
  return alone && player && text.startsWith(player + ' ') ? text.slice(player.length + 1) : text;
}

let graph = null;
function showRecord() {
  const { game } = view;
  const first = Math.max(0, game.moves.length - 400);
  const pairs = about.players.length === 2 && !about.has_chance && game.moves.every((move, at) => move.player === at % 2 + 1);
  $('record').className = pairs ? 'pairs' : about.has_chance ? 'lines' : '';
  const items = [];
  game.moves.slice(first).forEach((move, at) => {
    const number = first + at;
    if (pairs && number % 2 === 0) items.push(make('li', { className: 'n' }, `${number / 2 + 1}`));
    const player = about.players[(move.player || move.drawing) - 1] || '';
    const tells = about.players.length > 1 && !called(move).startsWith(player);
    const who = pairs ? '' : move.by === 'chance' ? `\u2684 ${player ? player + ' ' : ''}` : `${number + 1}. ${tells ? player + ' ' : ''}`;
    const button = make('button', { onclick: () => isLearner() || tell('goto', { ply: number + 1 }) }, who + (isLearner() ? 'removed' : listed(move, player, pairs || about.players.length === 1)));
    if (number + 1 === game.ply) button.setAttribute('aria-current', 'step');
    const worst = graph && graph.worst.includes(number + 1);
    items.push(make('li', { className: (number + 1 === game.ply ? 'now' : '') + (worst ? ' worst' : '') }, button));
  });
  $('record').replaceChildren(...items);
  const now = $('record').querySelector('.now');
  if (now) {
    $('record').scrollTop = now.offsetTop - $('record').offsetTop - 80;
    /* All of it is in view where it fits. */
    const left = now.offsetLeft - $('record').offsetLeft, rest = left + now.offsetWidth + 8 - $('record').clientWidth;
    $('record').scrollLeft = Math.min(left, Math.max(left - 120, rest));
  }
  showGraph();
}

/* The value of all positions for the first player, and the moves that lost most. */
function showGraph() {
  const fits = graph && graph.key === view.game.moves.map(move => move.text).join();
  $('graph').classList.toggle('hidden', !fits);
  if (!fits) { graph = null; return; }
  const values = graph.values, width = 300, height = 72, x = at => values.length > 1 ? at / (values.length - 1) * width : 0, y = value => height - value * height;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Value for ${about.players[0]} after each move` });
  const points = values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  svg.append(draw('rect', { width, height, fill: about.paints[1] || '' }), draw('polygon', { fill: about.paints[0], points: `0,${height} ${points.join(' ')} ${width},${height}` }),
    draw('path', { class: 'zero', d: `M0 ${height / 2}H${width}` }), draw('polyline', { points: points.join(' ') }));
  for (const at of graph.worst) svg.append(draw('path', { class: 'worst', d: `M${x(at) - 4} ${y(values[at]) - 4}l8 8m0 -8l-8 8` }));
  svg.append(draw('path', { class: 'here', d: `M${x(view.game.ply)} 0V${height}` }));
  svg.onclick = event => { const box = svg.getBoundingClientRect(); tell('goto', { ply: Math.round((event.clientX - box.x) / box.width * (values.length - 1)) }); };
  $('graph').replaceChildren(svg, make('figcaption', { className: 'about' }, `Value for ${about.players[0]}; crosses: the moves that lost most`));
}

function showThoughts(given) {
  const { game } = view;
  const thought = given || (game.last && game.last.thought);
  const box = $('thoughts');
  box.classList.toggle('hidden', !thought);
  if (!thought) return;
  const table = make('table');
  const most = Math.max(1, ...thought.moves.map(move => move.visits));
  for (const move of thought.moves.slice(0, 5)) {
    const row = table.insertRow();
    row.insertCell().textContent = called(move);
    Object.assign(row.insertCell(), { className: 'n', textContent: move.visits });
    Object.assign(row.insertCell(), { className: 'n', textContent: move.value.toFixed(2) + (move.proved ? '!' : '') });
    const bar = make('div', { className: 'bar' });
    bar.style.width = 100 * move.visits / most + '%';
    const cell = row.insertCell();
    cell.style.width = '5rem';
    cell.append(bar);
  }
  box.lastElementChild.replaceChildren(table, make('p', { className: 'about' }, `${thought.bot}: ${thought.games} games`));
}

function showLearner() {
  const learner = view.game.learner;
  $('learner').classList.toggle('hidden', !learner);
  if (!learner) return;
  const ends = ['goes on', 'cleared', 'stalemate'];
  $('tally').textContent = `episode ${learner.episode}: ${learner.moves} of ${learner.attempts} accepted, ${ends[learner.finish]}`;
  $('transcript').replaceChildren(...learner.transcript.slice(-200).reverse().map(line =>
    make('li', { className: 'code' + Math.abs(line.code) }, `${line.episode}.${line.attempt} place ${line.place} \u2192 bucket ${line.bucket}: ${line.answer} (${line.code})`)));
}

/* Mouse, finger: click or drag. */
let pressed = null;
function under(event) {
  return document.elementsFromPoint(event.clientX, event.clientY).map(element => element.closest && element.closest('#board [data-ref]')).filter((element, at, all) => element && all.indexOf(element) === at);
}
$('board').addEventListener('pointerdown', event => {
  delete $('board').dataset.keys;
  const hits = under(event);
  pressed = { x: event.clientX, y: event.clientY, hits, piece: hits.find(hit => hit.classList.contains('piece')), dragging: false };
});
addEventListener('pointermove', event => {
  if (!pressed || !pressed.piece || !view) return;
  const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
  if (!pressed.dragging && Math.hypot(dx, dy) > 10 && (isLearner() || matching(moves(), pressed.piece).length)) {
    pressed.dragging = true;
    if (!chosen || !chosen.spots.includes(spotOf(pressed.piece))) { chosen = null; clickAny([pressed.piece]); }
  }
  if (pressed.dragging) {
    const svg = $('board').querySelector('svg');
    const scale = (wishes.turned ? -1 : 1) / Math.abs(svg.getScreenCTM().a);
    pressed.piece.classList.add('dragged');
    pressed.piece.setAttribute('transform', `translate(${dx * scale} ${dy * scale})`);
  }
});
addEventListener('pointerup', event => {
  if (!pressed) return;
  const { dragging, piece, hits } = pressed;
  pressed = null;
  if (!dragging) { if (hits.length && event.target.closest && event.target.closest('#board')) clickAny(under(event)); return; }
  const there = under(event).filter(hit => hit !== piece);
  piece.classList.remove('dragged');
  piece.removeAttribute('transform');
  if (there.length && (isLearner() || (chosen && there.every(hit => !chosen.spots.includes(spotOf(hit)))))) clickAny(there);
});

/* Keys. */
function centre(element) { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }
function step(from, [dx, dy]) {
  const [x, y] = centre(from);
  let best = null, least = Infinity;
  for (const element of places.values()) {
    if (element === from) continue;
    const [u, v] = centre(element);
    const along = (u - x) * dx + (v - y) * dy, aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    const far = along + 3 * aside;
    if (along > 2 && far < least) { least = far; best = element; }
  }
  return best;
}
function focusOn(next) {
  for (const element of places.values()) element.setAttribute('tabindex', element === next ? '0' : '-1');
  focusRef = next.dataset.ref;
  $('board').dataset.keys = '1';
  next.focus();
  mark();
}
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
$('board').addEventListener('keydown', event => {
  const here = document.activeElement.closest('#board [data-ref]');
  if (!here) return;
  if (ARROWS[event.key]) {
    event.preventDefault();
    const next = step(here, ARROWS[event.key]);
    if (next) focusOn(next);
  } else if (event.key === '.' || event.key === ',') {
    const wanted = [...places.values()].filter(element => element.classList.contains(chosen ? 'can' : 'source'));
    if (!wanted.length) return;
    const at = wanted.indexOf(here) + (event.key === '.' ? 1 : -1);
    focusOn(wanted[(at + wanted.length) % wanted.length]);
  } else if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    event.stopPropagation();
    focusRef = here.dataset.ref;
    $('board').dataset.keys = '1';
    const pieces = elements().filter(element => element.dataset.on === here.dataset.ref).reverse();
    clickAny([...pieces, here]);
  }
});
$('board').addEventListener('focusin', mark);
addEventListener('keydown', event => {
  if (event.target.matches('input, select') || event.ctrlKey || event.metaKey || event.altKey || $('choice').open || $('legend').open) return;
  const keys = { u: 'undo', r: 'redo', h: 'hint', '[': 'back', ']': 'next', d: 'roll', f: 'turn', '?': 'legendshow' };
  if (keys[event.key] && !$(keys[event.key]).disabled) $(keys[event.key]).click();
  if (event.key === '/') { event.preventDefault(); $('find').focus(); }
  if (event.key === ' ' && event.target === document.body && view && view.position.turn.kind === 'chance') { event.preventDefault(); $('roll').click(); }
  if (event.key === 'Escape') { chosen = null; $('menu').open = false; mark(); say(''); }
});

/* Buttons. */
$('undo').onclick = () => tell('undo');
$('redo').onclick = () => tell('redo');
$('first').onclick = () => tell('goto', { ply: 0 });
$('back').onclick = () => tell('goto', { ply: view.game.ply - 1 });
$('next').onclick = () => tell('goto', { ply: view.game.ply + 1 });
$('last').onclick = () => tell('goto', { ply: view.game.plies });
$('branch').onclick = () => tell('continue');
$('play').onclick = () => {
  const stop = () => { clearInterval(replaying); replaying = null; $('play').setAttribute('aria-label', 'Replay'); };
  if (replaying) return stop();
  $('play').setAttribute('aria-label', 'Stop');
  replaying = setInterval(() => atEnd() ? stop() : tell('goto', { ply: view.game.ply + 1 }), Math.max(100, view.game.pace));
};
$('roll').onclick = () => tell('roll');
$('auto').onchange = () => tell('seats', { auto: $('auto').checked });
$('pace').onchange = () => tell('seats', { pace: Number($('pace').value) });
$('fresh').onclick = () => open({ pace: 400, clock: view && view.game.clock });
$('resign').onclick = () => tell('resign');
$('clock').onchange = () => { const [time, increment] = $('clock').value.split(' ').map(Number); tell('clock', { time, increment }); };
$('learn').onclick = () => open({ learner: true });
$('newboard').onclick = () => tell('board');
$('menu').addEventListener('click', event => { if (event.target.matches('button')) $('menu').open = false; });
$('turn').onclick = () => { wishes.turned = !wishes.turned; keep(); drawBoard(null); showSeats(); showWorth(); mark(); };
$('words').onclick = () => {
  wishes.words = !wishes.words;
  keep();
  $('words').textContent = wishes.words ? 'Files and ranks' : 'Names of the rules';
  drawBoard(null); showMoves(); showRecord(); mark();
};
const dark = () => document.documentElement.dataset.theme ? document.documentElement.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
function dress(theme) { if (theme) document.documentElement.dataset.theme = theme; wishes.theme = theme; keep(); }
$('theme').onclick = () => dress(dark() ? 'light' : 'dark');
const hear = () => { $('sound').textContent = wishes.sound ? 'Sound off' : 'Sound on'; };
$('sound').onclick = () => { wishes.sound = !wishes.sound; keep(); hear(); tick(); };
hear();
$('legendshow').onclick = () => {
  const known = new Map();
  for (const piece of $('board').querySelectorAll('.piece, .store')) {
    const use = piece.querySelector('use');
    if (!use) continue;
    const name = (piece.dataset.name || '').replace(/ on .*| in .*/, '').replace(/\(.*\)|\d+ of /g, '');
    const drawing = use.getAttribute('href').slice(1);
    const entry = known.get(drawing) || { name, count: 0 };
    entry.count += Number((piece.querySelector('.count')?.textContent || '1').replace(/\D/g, '')) || 1;
    known.set(drawing, entry);
  }
  $('legend').querySelector('ul').replaceChildren(...[...known].map(([drawing, entry]) => make('li', {}, chip(drawing), `${entry.name} ×${entry.count}`)));
  $('legend').showModal();
};
$('legendend').onclick = () => $('legend').close();
$('hint').onclick = async () => {
  say('thinking \u2026');
  const answer = await act('hint');
  if (answer.error) return say(answer.error.message, 'bad');
  const best = answer.done.moves[0];
  if (!best) return say('There is nothing to advise.');
  say(`Hint: ${called(best)} (value ${best.value} after ${answer.done.games} games)`, 'good');
  const move = moves().find(move => move.text === best.text) || moves().find(move => move.name === best.name);
  hinted = move ? move.spots : null;
  showThoughts(answer.done);
  mark();
};
$('heat').onclick = async () => {
  if (heat) { heat = null; return mark(); }
  say('playing random games \u2026');
  const answer = await act('heat', { games: 300 });
  if (answer.error) return say(answer.error.message, 'bad');
  heat = answer.done;
  say(`How often something comes to each place, in ${heat.games} random games from here on.`, 'good');
  mark();
};
$('review').onclick = async () => {
  say('reviewing \u2026');
  const answer = await act('review');
  if (answer.error) return say(answer.error.message, 'bad');
  graph = { ...answer.done, key: view.game.moves.map(move => move.text).join() };
  say('');
  showRecord();
};
function saveAs(text, type, ending) {
  const link = make('a', { href: URL.createObjectURL(new Blob([text], { type })), download: about.name.replace(/[^\w-]+/g, '_') + ending });
  link.click();
}
$('save').onclick = async () => saveAs(JSON.stringify(await ask('/api/games/' + id() + '/record'), null, 1), 'application/json', '.json');
$('sheet').onclick = async () => {
  const sheet = await fetch('/api/games/' + id() + '/sheet', { headers: token ? { Authorization: 'Bearer ' + token } : {} });
  saveAs(await sheet.text(), 'text/plain', '.' + about.sheet);
};
$('share').onclick = async () => {
  const page = await fetch('/api/games/' + id() + '/share', { headers: token ? { Authorization: 'Bearer ' + token } : {} });
  saveAs(await page.text(), 'text/html', '.html');
};
$('load').onclick = () => $('file').click();
$('file').onchange = async () => {
  const file = $('file').files[0];
  $('file').value = '';
  if (!file) return;
  if (/\.p[gd]n$/i.test(file.name)) return open({ sheet: await file.text(), pace: 400 });
  try { open({ record: JSON.parse(await file.text()), pace: 400 }); } catch { say('This file is no record.', 'bad'); }
};
$('find').oninput = () => view && showMoves();
$('find').onkeydown = async event => {
  const text = $('find').value.trim();
  if (event.key !== 'Enter' || !text) return;
  $('find').value = '';
  const known = moves().find(move => move.first !== false && [move.name, move.text].includes(text));
  if (known) return playMove(known);
  const answer = await act('move', { text });
  if (!answer.error) return say('');
  if (about.explains) {
    const reason = await act('explain', { text });
    if (!reason.error && reason.done.kind !== 'not-a-move') return showReason(reason.done);
  }
  say(answer.error.message, 'bad');
};
addEventListener('resize', () => view && showRecord());
addEventListener('hashchange', () => { if (id()) connect(); });
dress(wishes.theme);
