// How a route calls tools: with the checks, the question and the log of a call over MCP.

import { describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { pubsubThatIs } from "../../support/services.ts";
import { DESK, sessionServer, signedIn } from "../sessions/session-server.ts";

type Conditions = Parameters<typeof sessionServer>[0];

/** A browser with control. */
async function controlling(conditions: Conditions = {}) {
  const server = await signedIn("control", conditions);
  const call = (tool: string, input: object = {}, agreed?: string) => server.person.call(tool, { input, agreed });
  return { ...server, call };
}

const HALT = "Halt WEST? Asked for by desk, acting as nobody.";
const DONE = { kind: "result", isError: false };
const question = (words: string) => ({ kind: "question", question: words });
const refused = (code: string) => ({ kind: "result", isError: true, result: { error: { code } } });

test("a tool's result comes as it is, and its line in the log has the caller", async () => {
  const { call, lines } = await controlling();
  const result = { id: "zone-7" };
  expect(await call("acme_change", result)).toEqual({ kind: "result", isError: false, result });
  const line = lines().find(({ tool }) => tool !== undefined);
  expect(line).toMatchObject({ tool: "acme_change", caller: "desk", outcome: "ok" });
});

test("a tool that is not offered is 404, and is recorded without its name, which must not become a label", async () => {
  const { person, lines } = await controlling();
  for (const name of ["acme_nothing", "__proto__", "constructor", "a%00b"]) {
    const response = await person.send("POST", `/tools/${name}`, { body: {} });
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: "not_found" } }]);
  }
  const outcomes = lines().filter(({ tool }) => tool === "(not offered)").map(({ outcome }) => outcome);
  expect(outcomes).toEqual(Array.from({ length: 4 }, () => "unknown_tool"));
});

test("arguments that don't fit are the tool's error", async () => {
  const { call } = await controlling();
  expect(await call("acme_change", { id: 7 })).toMatchObject(refused("invalid_input"));
});

describe.each<[string, Record<string, string>]>([
  ["without MKT_CONFIRM", {}],
  ["with MKT_CONFIRM=elicit", { MKT_CONFIRM: "elicit" }],
])("a tool with a question, %s,", (_, environment) => {
  test("does nothing before a person has agreed to its very words", async () => {
    const { call, world } = await controlling({ environment });
    expect(await call("acme_halt")).toEqual(question(HALT));
    for (const words of ["", "yes", "Halt WEST?", HALT.toLowerCase(), `${HALT} `]) {
      expect(await call("acme_halt", {}, words)).toEqual(question(HALT));
    }
    expect(world.done).toEqual([]);
    expect(await call("acme_halt", {}, HALT)).toMatchObject(DONE);
    expect(world.done).toEqual(["halt"]);
  });

  test("asks again if its words have changed since", async () => {
    const { call, world } = await controlling({ environment });
    expect(await call("acme_halt")).toEqual(question(HALT));
    world.subject = "WEST and EAST";
    const changed = HALT.replace("WEST", "WEST and EAST");
    expect(await call("acme_halt", {}, HALT)).toEqual(question(changed));
    expect(world.done).toEqual([]);
  });

  test("asks nothing for a call that changes nothing", async () => {
    const { call, world } = await controlling({ environment });
    expect(await call("acme_halt", { id: "preview" })).toMatchObject(DONE);
    expect(world.done).toEqual(["halt"]);
  });

  test("has a question that shows invisible characters escaped, as they must be agreed to", async () => {
    const { call, world } = await controlling({ environment });
    world.subject = "W\u202eEST";
    const escaped = HALT.replace("WEST", "W\\u202eEST");
    expect(await call("acme_halt")).toEqual(question(escaped));
    expect(await call("acme_halt", {}, escaped)).toMatchObject(DONE);
  });
});

test("a question is recorded as asked, and the agreement as the call", async () => {
  const { call, lines } = await controlling();
  await call("acme_halt");
  await call("acme_halt", {}, HALT);
  expect(lines().filter(({ tool }) => tool !== undefined).map(({ outcome }) => outcome)).toEqual(["asked", "ok"]);
});

test.each<[string, Conditions, string]>([
  ["while frozen", { frozen: { reason: "test", since: null } }, "frozen"],
  ["in read-only mode", { environment: { MKT_READ_ONLY: "1" } }, "read_only"],
])("%s a change is refused before anybody is asked", async (_, conditions, code) => {
  const { send, world } = sessionServer(conditions);
  for (const tool of ["acme_change", "acme_halt"]) {
    const headers = { Authorization: `Bearer ${DESK}` };
    const response = await send("POST", `/tools/${tool}`, { headers, body: "{}" });
    expect([response.status, await response.json()]).toMatchObject([200, refused(code)]);
  }
  expect(world.done).toEqual([]);
});

test("a call is aborted when its browser has gone", async () => {
  const { person, world, lines, dispatcher } = await controlling();
  const leave = new AbortController();
  const answer = person.send("POST", "/tools/acme_wait", { body: {}, signal: leave.signal });
  await until(() => world.done.includes("wait"));
  leave.abort();
  await answer;
  expect(world.done).toEqual(["wait", "aborted"]);
  expect(lines().find(({ tool }) => tool === "acme_wait")).toMatchObject({ caller: "desk", outcome: "given_up" });
  expect(dispatcher.running.count).toBe(0);
});

test("a call that waits for an event gives back the place of its request, as over MCP", async () => {
  const environment = { MCP_MAX_REQUESTS: "1" };
  const { call, person, dispatcher } = await controlling({ environment, pubsub: pubsubThatIs("connected") });
  const waiting = call("acme_follow");
  await until(() => dispatcher.waiting === 1);
  expect(await person.statusOf("GET", "/state")).toBe(200);
  expect(await call("acme_read")).toMatchObject(DONE);
  dispatcher.refuseChanges();
  expect(await waiting).toMatchObject({ result: { hasWaited: true } });
});

test("a call takes no more of MCP_MAX_REQUESTS than its request does", async () => {
  const { call } = await controlling({ environment: { MCP_MAX_REQUESTS: "1" } });
  expect(await call("acme_change")).toMatchObject(DONE);
});
