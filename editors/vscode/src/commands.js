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

module.exports = { LANGUAGES, address, board, server, shellLine };
