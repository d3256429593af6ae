const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { test } = require("node:test");
const { contributes } = require("../package.json");

/** A snippet as it stands before anybody types: placeholders by their texts, choices by the first one. */
function expanded(body) {
  let text = body.join("\n");
  for (let before = null; before !== text; ) {
    before = text;
    text = text.replace(/\$\{\d+\|((?:\\,|[^,|])*)[^|]*\|\}/, "$1").replace(/\$\{\d+:((?:\\\$|\\\}|[^${}])*)\}/, "$1");
  }
  return text.replace(/\\,/g, ",").replace(/(^|[^\\])\$\d/gm, "$1").replace(/\\\$/g, "$");
}

test("every language has snippets that can be expanded", () => {
  assert.equal(contributes.snippets.length, contributes.languages.length);
  for (const { language, path } of contributes.snippets) {
    const snippets = JSON.parse(readFileSync(join(__dirname, "..", path), "utf8"));
    const prefixes = new Set();
    for (const [name, { prefix, description, body }] of Object.entries(snippets)) {
      assert.ok(prefix && description && Array.isArray(body), `${language}: ${name}`);
      assert.ok(!prefixes.has(prefix), `${language}: two snippets for ${prefix}`);
      prefixes.add(prefix);
      const text = expanded(body);
      assert.ok(text && !text.includes("${"), `${language}: ${name}: ${text}`);
      if (language === "bgc") JSON.parse(text);
    }
  }
});

test("what snippets write is spelt as the rules want it", () => {
  const of = (language, name) => {
    const { path } = contributes.snippets.find((entry) => entry.language === language);
    return expanded(JSON.parse(readFileSync(join(__dirname, "..", path), "utf8"))[name].body);
  };
  assert.equal(of("s3", "For all"), "FORALL($I, 1, 8, true)");
  assert.equal(of("s3", "Location type"), "name=field\nshape=rectangular(46,46)\npoint=0,0\n");
  assert.match(of("s3", "Rule"), /^condition=EMPTY\("b\(\$X,\$Y\)"\)$/m);
  assert.equal(of("gs5", "Row"), "1 (color:red, bucket:0)\n");
  assert.match(of("bgm", "Action"), /^ {4}effect put x goal$/m);
});
