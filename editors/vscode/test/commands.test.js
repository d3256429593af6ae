const assert = require("node:assert/strict");
const { test } = require("node:test");
const { address, board, margin, mark, server, shellLine } = require("../src/commands");

test("the server is a command of rulec", () => {
  assert.deepEqual(server("/bin/rulec"), { command: "/bin/rulec", args: ["lsp"] });
});

test("names of files are quoted", () => {
  assert.equal(shellLine("rulec", ["check", "a b.s3"]), "rulec check 'a b.s3'");
  assert.equal(shellLine("rulec", ["check", "it's.s3"]), "rulec check 'it'\\''s.s3'");
  assert.equal(shellLine("rulec", ["check", "a b.s3"], true), 'rulec check "a b.s3"');
});

test("the address of the board is found in what is told", () => {
  assert.equal(address("Board at http://127.0.0.1:8080/ (Ctrl-C ends)"), "http://127.0.0.1:8080/");
  assert.equal(address("error: no such file"), null);
  assert.deepEqual(board("a.s3"), ["serve", "--watch", "a.s3"]);
});

test("the margin tells lines that games reached from those that they never did", () => {
  const lines = [
    { line: 3, count: 12, text: "reached 12 times" },
    { line: 7, count: 0, text: "never reached" },
  ];
  assert.deepEqual(margin({ lines }), {
    reached: [{ line: 3, text: "reached 12 times" }],
    never: [{ line: 7, text: "never reached" }],
  });
  assert.notEqual(mark("reached"), mark("never"));
});
