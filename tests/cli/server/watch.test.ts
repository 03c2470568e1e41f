// What each option of `mkt watch` changes, what it asks the tool for, and what it says of the connection.

import { expect, test } from "bun:test";
import * as configured from "../../../cli/configured.ts";
import { addWatchCommand } from "../../../cli/server/watch-command.ts";
import * as watching from "../../../cli/server/watch.ts";
import { watch } from "../../../cli/server/watch.ts";
import * as connecting from "../../../core/backend/auto-connect.ts";
import * as engines from "../../../core/backend/same-engine.ts";
import { ToolError } from "../../../core/error.ts";
import { WATCH_TOPICS } from "../../../plugins/monitor/watch-topics.ts";
import { runCommandHere } from "../../support/command-line-here.ts";
import { replaced } from "../../support/replaced.ts";

const ENV = { MKT_HOST: "localhost:1", MKT_USER_ID: "anna" };

/** What `mkt watch` would follow. */
async function followed(args: readonly string[]) {
  const closed: unknown[] = [];
  const runtimes = replaced(configured, "configuredRuntime", () => ({ close: () => void closed.push(1) }));
  const calls = replaced(watching, "watch", () => Promise.resolve());
  calls.length = 0;
  const { exitCode, stderr } = await runCommandHere(
    (program) => addWatchCommand(program, { packs: [] } as never, WATCH_TOPICS),
    ["watch", ...args],
    ENV,
  );
  const { signal: _, ...request } = calls.pop()?.[1] ?? { signal: null };
  return { exitCode, stderr, request, closed, role: runtimes.pop()?.slice(2) };
}

test("each topic of mkt watch has its tool, and each option its parameter", async () => {
  const asked = async (...args: string[]) => (await followed(args)).request;
  const usual = { tool: "mkt_get_recent_events", filters: {}, json: false };
  expect(await followed([])).toMatchObject({ request: usual, closed: [1], role: [{ LOG_LEVEL: "error" }, "visitor"] });
  for (const [topic, { tool }] of Object.entries(WATCH_TOPICS)) {
    if (topic !== "all") expect(await asked(topic)).toEqual({ ...usual, tool });
  }
  expect(await asked("--contract", "c")).toEqual({ ...usual, filters: { contractId: "c" } });
  expect(await asked("--entity", "e")).toEqual({ ...usual, filters: { entityId: "e" } });
  expect(await asked("--order", "o")).toEqual({ ...usual, filters: { orderId: "o" } });
  expect(await asked("--json")).toEqual({ ...usual, json: true });
  expect(await asked("orders", "--contract", "c", "--entity", "e", "--order", "o"))
    .toEqual({ ...usual, tool: "mkt_watch_orders", filters: { contractId: "c", entityId: "e", orderId: "o" } });
});

test("a filter that a topic does not have, and an empty one, are refused", async () => {
  const none = { request: {}, exitCode: 2 };
  for (const topic of ["book", "market"]) {
    for (const filter of ["entity", "order"]) {
      const stderr = `mkt: --${filter}: is not a filter of this topic, which takes --contract\n`;
      expect(await followed([topic, `--${filter}`, "x"])).toMatchObject({ ...none, stderr });
    }
    expect((await followed([topic, "--contract", "x"])).exitCode).toBe(0);
  }
  const stderr = "mkt: --entity: is empty; give an id\n";
  expect(await followed(["--entity", ""])).toMatchObject({ ...none, stderr });
});

const event = (sequence: number) => ({
  sequence,
  type: "new.order",
  time: "2026-05-05T08:15:02.120Z",
  data: { id: `o-${sequence}`, note: 'a "b', bids: [[3450, 12], "x"] },
});
const page = (fields: object = {}) => ({
  events: [],
  latestSequence: 5,
  missed: 0,
  hasMore: false,
  waited: true,
  ...fields,
});

/** Watches until the tool has given these answers. */
async function watched(answers: readonly object[], json = false, failures: unknown[] = []) {
  const ended = new AbortController();
  const [asked, connections, pauses]: [object[], unknown[], number[]] = [[], [], []];
  replaced(engines, "connectToOneEngine", (_services, userId) => {
    connections.push(userId);
    const failure = failures.shift();
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  });
  replaced(connecting, "keepConnecting", ({ connect, signal }) => connect(signal).catch(() => {}));
  replaced(connecting, "paused", (ms) => Promise.resolve(void pauses.push(ms)));
  const left = [...answers];
  const call = (tool: string, input: object, { caller }: { readonly caller: string }) => {
    asked.push({ tool, input, caller });
    const value = left.shift();
    if (value === undefined) ended.abort();
    return Promise.resolve({ kind: "json", value: value ?? {}, isError: value !== undefined && "error" in value });
  };
  const runtime = {
    services: {},
    configuration: { backend: { userId: "anna" } },
    dispatcher: { call, catalogue: { names: [] } },
  } as never;
  const request = { tool: "mkt_watch_orders", filters: { orderId: "o" }, json, signal: ended.signal };
  const outcome = await runCommandHere(
    (program) => program.command("watch").action(() => watch(runtime, request)),
    ["watch"],
  );
  return { ...outcome, asked, connections, pauses };
}

const USUAL = { orderId: "o", limit: 1000, waitSeconds: 30 };

test.each([[false, {}], [true, { detail: "full" }]])(
  "with --json %p each call continues after the last one",
  async (json, extra) => {
    const { asked, connections } = await watched([page(), page({ latestSequence: 9 })], json);
    const call = (since?: number) => ({
      tool: "mkt_watch_orders",
      input: { ...USUAL, since, ...extra },
      caller: "shell",
    });
    expect([asked, connections]).toEqual([[call(undefined), call(5), call(9)], ["anna"]]);
  },
);

test("events are lines to read, or JSON with all that the tool tells", async () => {
  const events = [event(6), { ...event(7), extra: 1 }];
  const text = await watched([page({ events })]);
  const line = (id: number) => `08:15:02.120  new.order     id=o-${id} note="a \\"b" bids=12@3450,"x"`;
  expect(text.stdout.split("\n")).toEqual([line(6), line(7), ""]);
  const json = await watched([page({ events })], true);
  expect(json.stdout.trimEnd().split("\n").map((each) => JSON.parse(each))).toEqual(events);
});

test("only a call that could not wait is followed by a pause", async () => {
  const quiet = { waited: false };
  const first = await watched([page(quiet)]);
  expect(first.pauses).toEqual([]);
  expect((await watched([page(), page()])).pauses).toEqual([]);
  expect((await watched([page(), page(quiet)])).pauses).toEqual([250]);
  expect((await watched([page(), page({ ...quiet, hasMore: true })])).pauses).toEqual([]);
  expect((await watched([page(), page({ ...quiet, events: [event(6)] })])).pauses).toEqual([]);
});

test("stderr tells once of a lost connection, of its end, and of events that were missed", async () => {
  const lost = { error: { code: "not_connected", message: "no" } };
  const [gone, back] = [
    "mkt: the connection to the engine was lost; connecting again\n",
    "mkt: connected again; the events since then follow\n",
  ];
  const outcome = await watched([page(), lost, lost, page(), page()]);
  expect([outcome.stderr, outcome.connections.length, outcome.pauses]).toEqual([gone + back, 3, [250, 250]]);
  expect((await watched([page(), page({ stale: true }), page()])).stderr).toBe(gone + back);
  expect((await watched([page({ missed: 1 }), page({ missed: 2 }), page({ missed: null })])).stderr).toBe(
    "mkt: 1 event was missed before the next line\nmkt: 2 events were missed before the next line\n" +
      "mkt: events may have been missed before the next line\n",
  );
});

test("a refusal ends the watch, at first, again, and by the tool", async () => {
  const refusal = () => new ToolError("forbidden", "You may not", "Ask.");
  const said = { exitCode: 1, stdout: "" };
  const line = "mkt: You may not. Ask.\n";
  expect(await watched([page()], false, [refusal()])).toMatchObject({ ...said, asked: [], stderr: line });
  const lost = { error: { code: "not_connected", message: "no", hint: "" } };
  const again = await watched([page(), lost, page()], false, [undefined, refusal()]);
  expect(again).toMatchObject({ ...said, stderr: expect.stringContaining(`connecting again\n${line}`) });
  const refused = { error: { code: "not_found", message: "There is none.", hint: "Look." } };
  expect(await watched([refused, page()])).toMatchObject({ ...said, stderr: "mkt: There is none. Look.\n" });
});
