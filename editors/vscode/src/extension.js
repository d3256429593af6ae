// The extension: a client of the language server, and the board beside the text.

const { spawn } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { LANGUAGES, address, board, server, shellLine } = require("./commands");

let client;
const boards = new Map();

function program() {
  return vscode.workspace.getConfiguration("rulec").get("path", "rulec");
}

async function start() {
  const selector = LANGUAGES.map((language) => ({ language }));
  client = new LanguageClient("rulec", "rulec", server(program()), { documentSelector: selector });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`rulec could not be started (${error.message}); see the setting rulec.path.`);
  }
}

function file() {
  return vscode.window.activeTextEditor?.document.uri.fsPath;
}

/** Starts `rulec serve --watch` for the file in front and opens its page beside it. */
function openBoard() {
  const path = file();
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
