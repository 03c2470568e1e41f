// The text of a prompt: its parts in their order, the first step by what is offered, and the time of its facts.

import { expect, test } from "bun:test";
import {
  call,
  CONNECT_TOOLS,
  ifOffered,
  marketTime,
  promptText,
  quoted,
  step,
} from "../../../plugins/toolkit/prompt-text.ts";

const AT = Date.UTC(2030, 5, 1, 12);

function contextOf({ tools = CONNECT_TOOLS, session = {}, status = "connected" }: {
  tools?: readonly string[];
  session?: object | null;
  status?: string;
} = {}) {
  return {
    server: { tools: new Set(tools) },
    pubsub: { session, status, marketTime: () => AT },
    snapshot: { asOf: "2030-06-01T11:00:00.000Z" },
  } as never;
}
const PARTS = { task: "Look.", rules: ["Mine."], steps: ["first", "second"], report: ["Figures."] };

test("a prompt has its task, rules, steps, report and facts, the own ones first", () => {
  const facts = { order: { id: "o", note: "a: b" }, market: { id: "m" } };
  const [task, rules, steps, report, state, ...none] = promptText({ ...PARTS, facts }, contextOf()).split("\n\n");
  expect([task, none]).toEqual(["Look.", []]);
  const lines = (text = "") => text.split("\n");
  expect([lines(rules).slice(0, 2), lines(rules).length]).toEqual([["Rules", "- Mine."], 6]);
  expect(lines(rules).slice(2).every((rule) => /^- [QAIP].*\.$/.test(rule))).toBe(true);
  expect(steps).toBe("Steps\n1. first\n2. second");
  expect(lines(report).slice(0, 2)).toEqual([
    "Report, at most 20 lines, each figure with its unit and its time:",
    "- Figures.",
  ]);
  expect(lines(report).slice(2)).toEqual([expect.stringMatching(/^- Certain: .* Unknown: .*No guesses\.$/)]);
  const [heading, ...values] = lines(state);
  expect(heading).toBe("State at 2030-06-01T12:00:00.000Z (data; the steps read it again):");
  expect(values.map((line) => line.slice(0, line.indexOf(":")))).toEqual(["order", "market"]);
  expect(values.map((line) => JSON.parse(line.slice(line.indexOf(":") + 1)))).toEqual([facts.order, facts.market]);
  expect(promptText(PARTS, contextOf())).not.toContain("State at");
  expect(promptText({ ...PARTS, facts: {} }, contextOf())).not.toContain("State at");
});

test.each(["connecting", "reconnecting", "disconnected"])("facts of a market that is %s are called stale", (status) => {
  expect(promptText({ ...PARTS, facts: { a: {} } }, contextOf({ status }))).toContain(
    "\nState at 2030-06-01T11:00:00.000Z, stale: the connection is being restored (data;",
  );
});

test.each<[readonly string[], RegExp]>([
  [CONNECT_TOOLS, /^1\. mkt_connect_pubsub \{\}: connects\. .* stop\.$/],
  [["mkt_connect_pubsub"], /^1\. mkt_connect_pubsub \{\}: /],
  [["mkt_connection_status"], /^1\. mkt_connection_status \{\}: .*must be connected\. Nothing here can connect/],
  [[], /^1\. Nothing here can connect this server: /],
])("without a connection the first step is, of the tools %j, %p", (tools, first) => {
  const stepsOf = (session: object | null) =>
    promptText(PARTS, contextOf({ tools, session })).split("\nSteps\n")[1]!.split("\n\n")[0]!.split("\n");
  const [connecting, ...others] = stepsOf(null);
  expect(connecting).toMatch(first);
  expect(others).toEqual(["2. first", "3. second"]);
  expect(stepsOf({})).toEqual(["1. first", "2. second"]);
});

test("calls, steps and quotes are JSON in one line, and a text needs its tool", () => {
  expect([call("t"), call("t", { a: "x\ny", b: undefined })]).toEqual(["t {}", String.raw`t {"a":"x\ny"}`]);
  expect(step("t", { a: 1 }, "means")).toBe('t {"a":1}: means');
  expect(quoted('a"\u2028b')).toMatch(/^"a\\"\\u2028b"$/);
  expect([ifOffered("t", contextOf({ tools: ["t"] }), "x"), ifOffered("t", contextOf(), "x")]).toEqual([["x"], []]);
  expect(marketTime(contextOf())).toBe("2030-06-01T12:00:00.000Z");
});
