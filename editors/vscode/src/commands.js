// What the commands of the extension run, apart from the editor, so that it can be tested without one.

/** The languages that the server knows. */
const LANGUAGES = ["s3", "bgm", "bbgel", "gs5", "bgc"];

/** How the language server is started. */
function server(path) {
  return { command: path, args: ["lsp"] };
}

/** A command line for a terminal, in which names of files may have blanks and quotes. */
function shellLine(path, args, windows = false) {
  const quote = windows
    ? (word) => `"${word.replaceAll('"', '""')}"`
    : (word) => `'${word.replaceAll("'", "'\\''")}'`;
  const plain = (word) => (/^[\w./:=-]+$/.test(word) ? word : quote(word));
  return [path, ...args].map(plain).join(" ");
}

/** The program that shows the board of a file and reads the rules again when they are saved. */
function board(file) {
  return ["serve", "--watch", file];
}

/** The address that `rulec serve` tells when it is ready. */
function address(output) {
  const found = /https?:\/\/\S+/.exec(output);
  return found ? found[0] : null;
}

/** What this editor can do beyond the protocol: see `rulec/coverage` and `rulec.board`. */
const EXPERIMENTAL = { rulecCoverage: true, commands: { commands: ["rulec.board"] } };

/** The lines of a coverage, by the mark that they get in the margin: those that games reached, and the others. */
function margin(coverage) {
  const marks = { reached: [], never: [] };
  for (const { line, count, text } of coverage.lines) {
    marks[count > 0 ? "reached" : "never"].push({ line, text });
  }
  return marks;
}

/** A mark of the margin as a picture: filled where games came by, hollow where they never did. */
function mark(kind) {
  const shape =
    kind === "reached"
      ? '<rect x="6" y="1" width="4" height="14" rx="2" fill="#3aa876"/>'
      : '<rect x="6.7" y="1.7" width="2.6" height="12.6" rx="1.3" fill="none" stroke="#c43d22" stroke-width="1.4"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${shape}</svg>`;
}

module.exports = { EXPERIMENTAL, LANGUAGES, address, board, margin, mark, server, shellLine };
