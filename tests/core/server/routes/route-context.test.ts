// How a route calls tools: with the checks, the question and the log of a call over MCP.

import { describe, expect, test } from "bun:test";
import { until } from "../../../support/until.ts";
import { pubsubThatIs } from "../../support/services.ts";
import { BOTH, DESK, ROBOT, sessionServer, signedIn } from "../sessions/session-server.ts";

type Conditions = Parameters<typeof sessionServer>[0];

/** A browser with control. */
async function controlling(conditions: Conditions = {}) {
  const server = await signedIn("control", conditions);
  const call = (tool: string, input: object = {}, agreed?: string) => server.person.call(tool, { input, agreed });
  const asked = async (tool: string, input: object = {}) => (await call(tool, input))["state"] as string;
  return { ...server, call, asked };
}

const HALT = "Halt WEST? Asked for by desk, acting as nobody.";
const DONE = { kind: "result", isError: false };
const question = (words: string) => ({ kind: "question", question: words, state: expect.any(String) });
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
  test("does nothing before a person has agreed to its very question", async () => {
    const { call, asked, world } = await controlling({ environment });
    expect(await call("acme_halt")).toEqual(question(HALT));
    for (
      const made of ["", "yes", "\0", HALT, `${await asked("acme_halt")}A`, await asked("acme_halt", { id: "other" })]
    ) {
      expect(await call("acme_halt", {}, made)).toEqual(question(HALT));
    }
    expect(world.done).toEqual([]);
    expect(await call("acme_halt", {}, await asked("acme_halt"))).toMatchObject(DONE);
    expect(world.done).toEqual(["halt"]);
  });

  test("takes each agreement once, and asks again", async () => {
    const { call, asked, world } = await controlling({ environment });
    const state = await asked("acme_halt");
    expect(await call("acme_halt", {}, state)).toMatchObject(DONE);
    expect(await call("acme_halt", {}, state)).toEqual(question(HALT));
    expect(world.done).toEqual(["halt"]);
  });

  test("takes an agreement within five minutes", async () => {
    const { call, asked, clock, world } = await controlling({ environment });
    const [late, inTime] = [await asked("acme_halt"), await asked("acme_halt")];
    clock.now += 300_000;
    expect(await call("acme_halt", {}, inTime)).toMatchObject(DONE);
    clock.now += 1;
    expect(await call("acme_halt", {}, late)).toEqual(question(HALT));
    expect(world.done).toEqual(["halt"]);
  });

  test("takes no agreement of another token, nor one from another server", async () => {
    const conditions = { environment, tokens: [...BOTH, "boss token-of-the-boss-at-acme person"] };
    const { asked, call, browser, world } = await controlling(conditions);
    const boss = browser();
    await boss.signIn("control", "token-of-the-boss-at-acme");
    const elsewhere = await controlling(conditions);
    const agreed = await asked("acme_halt");
    expect(await boss.call("acme_halt", { input: {}, agreed })).toMatchObject({ kind: "question" });
    expect(await call("acme_halt", {}, await elsewhere.asked("acme_halt"))).toEqual(question(HALT));
    expect(world.done).toEqual([]);
  });

  test("asks again if its words have changed since", async () => {
    const { call, asked, world } = await controlling({ environment });
    const agreed = await asked("acme_halt");
    world.subject = "WEST and EAST";
    const changed = HALT.replace("WEST", "WEST and EAST");
    expect(await call("acme_halt", {}, agreed)).toEqual(question(changed));
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
    expect(await call("acme_halt")).toEqual(question(HALT.replace("WEST", "W\\u202eEST")));
  });
});

describe("an agent's token", () => {
  const robot = { headers: { Authorization: `Bearer ${ROBOT}` } };

  test("is asked nothing by the routes of pages, and changes nothing there", async () => {
    const { send, world, asked } = await controlling();
    for (const agreed of [undefined, HALT, await asked("acme_halt")]) {
      const body = JSON.stringify({ input: {}, agreed });
      expect(await (await send("POST", "/tools/acme_halt", { ...robot, body })).json()).toMatchObject(
        refused("forbidden"),
      );
    }
    expect((await send("POST", "/change", robot)).status).toBe(403);
    expect(world.done).toEqual([]);
  });

  test("may not agree by the routes of other packs either, where a person's token may", async () => {
    const { send, world } = sessionServer();
    const halt = async (token: string, agreed?: string) => {
      const headers = { Authorization: `Bearer ${token}` };
      return await (await send("POST", "/programs/acme_halt", { headers, body: JSON.stringify({ input: {}, agreed }) }))
        .json();
    };
    const asked = await halt(DESK);
    expect(asked).toEqual(question(HALT));
    for (const agreed of [undefined, asked.state]) {
      const error = { code: "forbidden", message: expect.stringContaining("this token is an agent's") };
      expect(await halt(ROBOT, agreed)).toMatchObject({ kind: "result", isError: true, result: { error } });
    }
    expect(world.done).toEqual([]);
    expect(await halt(DESK, asked.state)).toMatchObject(DONE);
  });
});

test("a question is recorded as asked, and the agreement as the call", async () => {
  const { call, asked, lines } = await controlling();
  await call("acme_halt", {}, await asked("acme_halt"));
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
