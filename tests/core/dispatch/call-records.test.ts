// The steps of a call around its handler: the limit of running calls, what replicas share, and what is recorded of it.

import { expect, test } from "bun:test";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import type { CallScope } from "../../../core/dispatch/call-context.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { isFailure } from "../../../core/dispatch/result.ts";
import { ToolError } from "../../../core/error.ts";
import type { CallRecord } from "../../../core/guardrails/call-log.ts";
import type { PubSub } from "../../../core/backend/pubsub.ts";
import type { Replicas } from "../../../core/tools/replicas.ts";
import type { Services } from "../../../core/tools/context.ts";
import { RawResult, READ_ONLY, type Tool } from "../../../core/tools/tool.ts";
import { isSettled } from "../../support/still-clock.ts";
import { configurationFor, pubsubThatIs, servicesWith } from "../support/services.ts";
import { toolNamed } from "../support/tools.ts";

const CHANGING = { ...READ_ONLY, readOnlyHint: false };
const turns = () => isSettled(new Promise(() => {}));

function dispatching(parts: Partial<Tool>, services: Partial<Services> = {}) {
  const records: CallRecord[] = [];
  const tool = toolNamed("mkt_do_it", parts);
  const catalogue = new ToolCatalogue([tool]);
  const dispatcher = new Dispatcher(catalogue, servicesWith(services), (record) => void records.push(record));
  const call = (scope: Partial<CallScope> = {}) =>
    dispatcher.call("mkt_do_it", {}, { signal: new AbortController().signal, ...scope });
  return { dispatcher, records, call, outcomes: () => records.map(({ outcome }) => outcome) };
}

test("only whole calls count as running, and only they are refused beyond the limit", async () => {
  const ends: (() => void)[] = [];
  const handler = () => new Promise<Record<string, never>>((resolve) => ends.push(() => resolve({})));
  const configuration = configurationFor({ MCP_HTTP_PORT: "1", MCP_MAX_REQUESTS: "1" });
  const { dispatcher, call, outcomes } = dispatching({ handler }, { configuration });
  const part = call({ isPart: true });
  const whole = call();
  expect([ends.length, dispatcher.running.count]).toEqual([2, 1]);
  expect(isFailure((await call())!)).toBe(true);
  const secondPart = call({ isPart: true });
  expect([ends.length, outcomes()]).toEqual([3, ["rate_limited"]]);
  ends[1]!();
  await whole;
  expect(dispatcher.running.count).toBe(0);
  const after = call();
  expect(ends.length).toBe(4);
  for (const end of ends) end();
  await Promise.all([part, secondPart, after]);
});

test.each<[string, Partial<Tool>, string[]]>([
  ["that reads", {}, ["begin", "handler"]],
  ["that changes something", { annotations: CHANGING }, ["begin", "handler", "changed"]],
  ["that fails to change something", {
    annotations: CHANGING,
    handler: () => {
      throw new Error("no");
    },
  }, ["begin", "changed"]],
  ["that asks a person first", { annotations: CHANGING, question: () => "Sure?" }, [
    ...["begin", "asked", "begin", "handler", "changed"],
  ]],
])("among replicas, a call %s takes these steps", async (_what, parts, expected) => {
  const steps: string[] = [];
  const note = (step: string) => () => Promise.resolve(void steps.push(step));
  const replicas = { begin: note("begin"), changed: note("changed") } as Partial<Replicas> as Replicas;
  const handler = () => {
    steps.push("handler");
    return {};
  };
  const configuration = configurationFor({ MKT_CONFIRM: "elicit" });
  const { call } = dispatching({ handler, ...parts }, { replicas, configuration });
  await call({ elicitor: { elicit: () => note("asked")().then(() => "agreed") } });
  expect(steps).toEqual(expected);
});

test("among replicas, a call that may not begin does nothing, and one that is asked about may not begin either", async () => {
  for (const refusedAt of [1, 2]) {
    let begun = 0;
    const begin = () => {
      begun += 1;
      return begun === refusedAt ? Promise.reject(new ToolError("frozen", "no", "no")) : Promise.resolve();
    };
    const replicas = { begin, changed: () => Promise.resolve() } as Partial<Replicas> as Replicas;
    const tool = { annotations: CHANGING, question: () => "Sure?", handler: () => expect.unreachable() };
    const configuration = configurationFor({ MKT_CONFIRM: "elicit" });
    const { call, outcomes } = dispatching(tool, { replicas, configuration });
    await call({ elicitor: { elicit: () => Promise.resolve("agreed") } });
    expect([begun, outcomes()]).toEqual([refusedAt, ["frozen"]]);
  }
});

test.each<[string, string | null, string | null, string | null]>([
  ["the user when it came", "user-1", "user-2", "user-1"],
  ["the user when it came, also if it has disconnected", "user-1", null, "user-1"],
  ["the user whom it has connected", null, "user-2", "user-2"],
  ["no user if there is none", null, null, null],
])("a record has %s", async (_what, before, after, expected) => {
  const session = (userId: string | null) =>
    userId === null ? null : { userId, entityId: null, capabilities: [], engineId: "e", epoch: 1 };
  const pubsub: { session: PubSub["session"] } = { ...pubsubThatIs("disconnected"), session: session(before) };
  const handler = () => {
    pubsub.session = session(after);
    return {};
  };
  const { call, records } = dispatching({ handler }, { pubsub: pubsub as PubSub });
  await call();
  expect(records.map(({ userId }) => userId)).toEqual([expected]);
});

test("progress ends with the call, before it is recorded, also if it fails", async () => {
  for (const error of [null, new Error("no")]) {
    const end = Promise.withResolvers<Record<string, never>>();
    const { call, records } = dispatching({ handler: () => end.promise });
    const recordedAtEnd: number[] = [];
    const answer = call({ endProgress: () => void recordedAtEnd.push(records.length) });
    await turns();
    expect(recordedAtEnd).toEqual([]);
    if (error === null) end.resolve({});
    else end.reject(error);
    await answer;
    expect([recordedAtEnd, records.length]).toEqual([[0], 1]);
  }
});

const throwing = (error: Error) => () => {
  throw error;
};
const raw = (isError: boolean) => () => new RawResult({ content: [{ type: "text", text: "t" }], isError });

test.each<[string, Partial<Tool>, boolean, string]>([
  ["an error", { handler: throwing(new ToolError("not_found", "m", "h")) }, false, "not_found"],
  [
    "an error, though its client has gone",
    {
      handler: throwing(new ToolError("not_found", "m", "h")),
    },
    true,
    "not_found",
  ],
  ["its client's end", { handler: throwing(new Error("aborted")) }, true, "given_up"],
  ["a fault", { handler: throwing(new Error("odd")) }, false, "internal"],
  ["a result of its own that is an error", { handler: raw(true) }, false, "error"],
  ["a result of its own", { handler: raw(false) }, false, "ok"],
])("a call that ends with %s is recorded so", async (_what, parts, isGone, outcome) => {
  const client = new AbortController();
  if (isGone) client.abort();
  const { call, outcomes } = dispatching(parts);
  await call({ signal: client.signal });
  expect(outcomes()).toEqual([outcome]);
});

test.each<["session" | "read" | "write" | undefined, PubSub["status"], boolean, string[]]>([
  ["read", "connected", false, []],
  ["read", "connected", true, ["incomplete"]],
  ["read", "reconnecting", false, ["stale", "asOf"]],
  ["read", "reconnecting", true, ["stale", "asOf", "incomplete"]],
  ["session", "reconnecting", true, []],
  ["write", "connected", true, []],
  [undefined, "reconnecting", true, []],
])(
  "the result for a %s connection that is %s (incomplete: %p) is marked: %p",
  async (connection, status, incomplete, marks) => {
    const pubsub = { ...pubsubThatIs(status), incomplete };
    const requires = connection === undefined ? {} : { requires: { connection } };
    const { call } = dispatching({ ...requires, handler: () => ({ own: 1 }) }, { pubsub });
    const answer = await call();
    expect(answer).toMatchObject({ value: { own: 1 } });
    expect(Object.keys((answer as unknown as { value: object }).value)).toEqual(["own", ...marks]);
  },
);
