// What `mkt packs` and `mkt tools` print.

import { expect, test } from "bun:test";
import { packsAsJson, packsAsText, settingOf } from "../../../cli/server/list-packs.ts";
import { toolsAsJson, toolsAsText } from "../../../cli/server/list-tools.ts";

const variable = (name: string, secret: boolean, isSet: boolean, shown: string | null) => ({
  name,
  description: `the ${name}`,
  secret,
  isSet,
  shown,
});

test.each([
  [variable("A_KEY", true, true, null), "A_KEY=[secret]"],
  [variable("A_KEY", true, false, null), "A_KEY (not set)"],
  [variable("A_SIZE", false, true, "5"), "A_SIZE=5"],
  [variable("A_SIZE", false, true, ""), "A_SIZE="],
  [variable("A_SIZE", false, false, "3"), "A_SIZE=3 (default)"],
  [variable("A_SIZE", false, false, null), "A_SIZE (not set)"],
])("the variable %j is shown as %s", (given, shown) => {
  expect(settingOf(given)).toBe(shown);
});

const OWN = {
  name: "own",
  description: "mine",
  tools: [{ name: "own_do", title: "Do it", handler: "x" }],
  resources: [{ name: "state", uri: "own://state", title: "State" }],
  prompts: [{ name: "own_ask", title: "Ask" }],
  routes: [{ method: "GET", path: "/own", description: "a page" }],
  origin: { file: "/packs/own.ts", variables: [variable("OWN_KEY", true, false, null)] },
};
const BUILT_IN = { name: "query", description: "reads", tools: [], resources: [], prompts: [], routes: [] };
const LOADED = {
  packs: [OWN, BUILT_IN],
  leftOut: [{ what: "pack dev", reason: "not asked for" }],
  warnings: ["a\nwarning"],
  failures: [{ source: "bad.ts", reason: "broken" }],
} as never;

test("mkt packs shows what each pack brings, each in its kind, and the packs that are not there", () => {
  expect(packsAsText(LOADED)).toBe([
    "own: mine (/packs/own.ts)",
    "  tool      own_do             Do it",
    "  resource  own://state        State",
    "  prompt    own_ask            Ask",
    "  route     GET /own           a page",
    "  variable  OWN_KEY (not set)  the OWN_KEY",
    "",
    "query: reads (built in)",
    "",
    "2 packs",
    "not offered: pack dev: not asked for",
    "warning: a\\nwarning",
    "not loaded: bad.ts: broken",
  ].join("\n"));
});

test("mkt packs --json has the same", () => {
  expect(JSON.parse(packsAsJson(LOADED))).toEqual({
    packs: [
      {
        name: "own",
        description: "mine",
        file: "/packs/own.ts",
        tools: [{ name: "own_do", title: "Do it" }],
        resources: [{ name: "state", uri: "own://state", title: "State" }],
        prompts: [{ name: "own_ask", title: "Ask" }],
        routes: [{ method: "GET", path: "/own", description: "a page" }],
        variables: [variable("OWN_KEY", true, false, null)],
      },
      { ...BUILT_IN, file: null, variables: [] },
    ],
    notOffered: [{ what: "pack dev", reason: "not asked for" }],
    warnings: ["a\nwarning"],
    notLoaded: [{ source: "bad.ts", reason: "broken" }],
  });
});

test("mkt tools shows each tool by its pack, as text and with its schema as JSON", () => {
  expect(toolsAsText(LOADED).split("\n")).toEqual([
    "own: mine (1)",
    "  own_do  Do it",
    "",
    "query: reads (0)",
    "",
    "1 tools",
    "not loaded: bad.ts: broken",
  ]);
  const listed = { name: "own_do", inputSchema: { type: "object" } };
  const dispatcher = { catalogue: { listed: [listed, { name: "of no pack" }] } };
  expect(JSON.parse(toolsAsJson({ packs: [OWN, BUILT_IN], dispatcher } as never))).toEqual({
    toolCount: 1,
    packs: [
      { name: "own", description: "mine", tools: [listed] },
      { name: "query", description: "reads", tools: [] },
    ],
  });
});
