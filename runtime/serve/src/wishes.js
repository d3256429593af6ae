
/* Boards and pieces to choose from; what is chosen is kept. */
const BOARDS = [['', 'Wood'], ['green', 'Green'], ['blue', 'Blue'], ['grey', 'Grey']];
const PIECES = [['', 'Outlined'], ['bold', 'Bold outlines'], ['raised', 'Raised'], ['wood', 'Of wood']];
function choices(select, key, kinds) {
  const dress = () => {
    if (!kinds.some(([value]) => value === wishes[key])) wishes[key] = '';
    if (wishes[key]) document.documentElement.dataset[key] = wishes[key];
    else delete document.documentElement.dataset[key];
  };
  dress();
  $(select).replaceChildren(...kinds.map(([value, words]) => make('option', { value, selected: wishes[key] === value }, words)));
  $(select).onchange = () => { wishes[key] = $(select).value; keep(); dress(); };
}
choices('boardkind', 'board', BOARDS);
choices('piecekind', 'pieces', PIECES);

/* The value of the position in a bar beside the board. Two people who play see none unless they ask for it. */
const worth = { key: '', value: null, asking: false };
const canWeigh = () => about.players.length === 2 && !about.episodes && !isLearner();
const weighs = () => canWeigh() && (wishes.bar ?? view.game.bots.some(Boolean));
function showWorth() {
  $('bar').classList.toggle('hidden', !canWeigh());
  $('bar').textContent = weighs() ? 'Hide the value' : 'Show the value';
  $('value').classList.toggle('hidden', !weighs());
  if (!weighs()) return;
  const { game, position } = view;
  const key = game.moves.slice(0, game.ply).map(move => move.text).join();
  const thought = game.last && game.last.thought && game.last.thought.moves[0];
  if (worth.key !== key && thought) {
    Object.assign(worth, { key, value: game.last.player === 1 ? thought.value : 1 - thought.value });
  } else if (worth.key !== key && !worth.asking && !position.turn.players.some(player => game.bots[player - 1])) {
    weigh(key);
  }
  if (worth.value === null) worth.value = .5;
  const percent = Math.round(100 * worth.value);
  $('value').style.setProperty('--part', worth.value);
  $('value').style.setProperty('--first', about.paints[0]);
  $('value').style.setProperty('--second', about.paints[1]);
  $('value').classList.toggle('turned', wishes.turned);
  $('value').setAttribute('aria-label', `Value for ${about.players[0]}: ${percent} of 100`);
  $('value').title = `${about.players[0]} ${percent} %`;
}
async function weigh(key) {
  worth.asking = true;
  const answer = await act('value');
  worth.asking = false;
  /* Where the connection was lost it is asked for again. */
  if (answer.error) { if (answer.error.code) worth.key = key; return; }
  const value = answer.done.value;
  Object.assign(worth, { key, value: value === null ? worth.value : value });
  showWorth();
}
$('bar').onclick = () => { wishes.bar = !weighs(); keep(); worth.key = '?'; showWorth(); };

/* Draws by agreement. */
function showOffer() {
  const { game, position } = view, offer = game.offer;
  $('offer').classList.toggle('hidden', !about.draws || isLearner());
  $('offer').disabled = position.turn.kind === 'over' || !!game.ended || !atEnd() || !!offer;
  const before = $('offered').classList.contains('hidden');
  $('offered').classList.toggle('hidden', !offer);
  if (!offer) return;
  const words = `${about.players[offer - 1]} offers a draw.`;
  $('offered').replaceChildren(make('span', {}, words), make('button', { className: 'main', onclick: () => tell('answer', { agree: true }) }, 'Agree'),
    make('button', { onclick: () => tell('answer', { agree: false }) }, 'No'));
  if (before) speak(words);
}
$('offer').onclick = () => {
  /* Whoever sits at the screen offers, not a bot. */
  const mover = view.position.turn.players[0] || 1;
  tell('offer', { player: view.game.bots[mover - 1] ? 3 - mover : mover });
};
start();
