// The extension: a client of the language server, and the board beside the text.

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { EXPERIMENTAL, LANGUAGES, address, board, margin, mark, server, shellLine } = require("./commands");

let client;
const boards = new Map();
const coverages = new Map();
const styles = {};

function program() {
  return vscode.workspace.getConfiguration("rulec").get("path", "rulec");
}

async function start() {
  const selector = LANGUAGES.map((language) => ({ language }));
  client = new LanguageClient("rulec", "rulec", server(program()), { documentSelector: selector });
  client.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...capabilities.experimental, ...EXPERIMENTAL };
    },
    initialize: () => {},
    getState: () => ({ kind: "static" }),
    clear: () => {},
  });
  client.onNotification("rulec/coverage", (coverage) => {
    coverages.set(coverage.uri, coverage);
    vscode.window.visibleTextEditors.forEach(drawMargin);
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`rulec could not be started (${error.message}); see the setting rulec.path.`);
  }
}

/** What random games reached, in the margin of an editor. */
function drawMargin(editor) {
  const { document } = editor;
  const coverage = coverages.get(client.code2ProtocolConverter.asUri(document.uri));
  const shown = vscode.workspace.getConfiguration("rulec").get("coverage", true);
  // Marks of another text would stand beside other lines.
  const current = shown && coverage && coverage.version === document.version;
  const marks = current ? margin(coverage) : { reached: [], never: [] };
  for (const [kind, lines] of Object.entries(marks)) {
    const range = ({ line, text }) => ({ range: document.lineAt(line).range, hoverMessage: text });
    editor.setDecorations(styles[kind], lines.map(range));
  }
}

function margins() {
  for (const kind of ["reached", "never"]) {
    const picture = `data:image/svg+xml;base64,${Buffer.from(mark(kind)).toString("base64")}`;
    styles[kind] = vscode.window.createTextEditorDecorationType({
      gutterIconPath: vscode.Uri.parse(picture),
      gutterIconSize: "contain",
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      overviewRulerColor: kind === "never" ? "#c43d22" : undefined,
    });
  }
  return [
    ...Object.values(styles),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(drawMargin)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      vscode.window.visibleTextEditors.filter((editor) => editor.document === document).forEach(drawMargin);
    }),
    vscode.workspace.onDidChangeConfiguration(() => vscode.window.visibleTextEditors.forEach(drawMargin)),
  ];
}

/** The file that a lens speaks of, or the one in front. */
function file(uri) {
  if (typeof uri === "string") return vscode.Uri.parse(uri).fsPath;
  return vscode.window.activeTextEditor?.document.uri.fsPath;
}

/** Starts `rulec serve --watch` for the file in front and opens its page beside it. */
function openBoard(uri) {
  const path = file(uri);
  if (!path) return;
  boards.get(path)?.kill();
  const child = spawn(program(), board(path), { stdio: ["ignore", "pipe", "pipe"] });
  boards.set(path, child);
  let told = "";
  let shown = false;
  const listen = (part) => {
    told += part;
    const url = address(told);
    if (!url || shown) return;
    shown = true;
    vscode.commands.executeCommand("simpleBrowser.show", url, { viewColumn: vscode.ViewColumn.Beside });
  };
  child.stdout.on("data", listen);
  child.stderr.on("data", listen);
  child.on("error", (error) => vscode.window.showErrorMessage(`rulec could not be started: ${error.message}`));
  child.on("exit", () => {
    if (!shown) vscode.window.showErrorMessage(told.trim() || "rulec serve ended at once.");
    if (boards.get(path) === child) boards.delete(path);
  });
}

function check() {
  const path = file();
  if (!path) return;
  const terminal = vscode.window.createTerminal("rulec check");
  terminal.show();
  terminal.sendText(shellLine(program(), ["check", path], process.platform === "win32"));
}

async function activate(context) {
  context.subscriptions.push(
    ...margins(),
    vscode.commands.registerCommand("rulec.board", openBoard),
    vscode.commands.registerCommand("rulec.check", check),
    vscode.commands.registerCommand("rulec.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

async function deactivate() {
  for (const child of boards.values()) child.kill();
  await client?.stop();
}

module.exports = { activate, deactivate };
