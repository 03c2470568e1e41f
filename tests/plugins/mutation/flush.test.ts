// Flushes, halts, resets and connections, request by request: what is counted, asked and sent, and what stops a flush midway.

import { describe, expect, test } from "bun:test";
import type { ToolContext } from "../../../core/tools/context.ts";
import { ToolError } from "../../../core/error.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { noProgress } from "../../../core/tools/progress.ts";
import * as progress from "../../../core/tools/progress.ts";
import * as engines from "../../../core/backend/same-engine.ts";
import type { Tool } from "../../../core/tools/tool.ts";
import reset from "../../../plugins/dev/reset.ts";
import connection from "../../../plugins/mutation/connection.ts";
import flushes from "../../../plugins/mutation/flush.ts";
import halts from "../../../plugins/mutation/market.ts";
import { ownSignal } from "../../support/own-signal.ts";
import { replaced } from "../../support/replaced.ts";
import { snapshotOf } from "../support/still-market.ts";

const [flushBook, flushAll] = flushes as unknown as readonly [Tool, Tool];
const [halt, resume] = halts as unknown as readonly [Tool, Tool];
const [connect, disconnect] = connection as unknown as readonly [Tool, Tool];
const SESSION = { userId: "u", entityId: "A", capabilities: ["Market.Operate"], engineId: "E", epoch: 3 };

interface Given {
  readonly wantsProgress?: boolean;
  /** The outcome of each request in turn; the last one of all others. */
  readonly outcomes?: object[];
  /** Called with the number of each request. */
  readonly onRequest?: (count: number, state: { frozen: object | null; status: string }) => void;
  readonly pubsub?: object;
}

async function called(tool: Tool, input: object, given: Given = {}) {
  const { wantsProgress = false, outcomes = [{ kind: "ok", result: {} }], onRequest = () => {}, pubsub = {} } = given;
  const state = { frozen: null as object | null, status: "connected" };
  const requests: unknown[][] = [];
  const signal = ownSignal();
  const waits = replaced(progress, "reportWait", (work) => work);
  const waitsBefore = waits.length;
  const context = {
    signal,
    advice: NEUTRAL_ADVICE,
    progress: wantsProgress ? () => Promise.resolve() : noProgress,
    frozen: () => state.frozen,
    configuration: { backend: { confirmTimeoutMs: 1, userId: "configured" }, stressTestSecret: "secret" },
    snapshot: snapshotOf({
      "/ENGINE/E1": { contractId: "C1" },
      "/ENGINE/E2": { contractId: "C2" },
      "/CONTRACT/C1": { engineId: "E1", status: "listed" },
      "/CONTRACT/C2": { engineId: "E2", status: "listed" },
      "/MARKET/M": { name: "Market", code: "MK" },
      "/ENTITY/A": { name: "a" },
      "/ENTITY/B": { name: "b" },
    }),
    backend: { users: () => Promise.resolve([{ id: "anna" }]) },
    pubsub: {
      get status() {
        return state.status;
      },
      session: SESSION,
      request: (action: string, payload: object, { operationId }: { operationId?: string }) => {
        requests.push([action, payload, operationId]);
        onRequest(requests.length, state);
        return Promise.resolve(outcomes[requests.length - 1] ?? outcomes.at(-1));
      },
      ...pubsub,
    },
  } as unknown as ToolContext;
  const result = await Promise.resolve(tool.handler({ idempotencyKey: "key", ...input } as never, context))
    .then((value) => value as Record<string, unknown>, (error: unknown) => error as Record<string, unknown>);
  return {
    result,
    requests,
    words: waits.slice(waitsBefore).map(([, , { what }]) => what.replace(", waits for the market's confirmation", "")),
    context,
  };
}

const counted = (ordersAffected: number) => ({
  kind: "ok",
  result: { engineId: "E2", contractId: "C2", ordersAffected },
});

describe.each<[string, Tool, object, string, object, string]>([
  ["one book", flushBook, { contractId: "C2" }, "engine.flush", { engineId: "E2" }, " of contract C2"],
  ["all orders", flushAll, {}, "market.flush", {}, ""],
])("a flush of %s", (_what, tool, input, action, payload, ofContract) => {
  const flush = (given: Given = {}, confirm: object = { confirm: true }) =>
    called(tool, { ...input, ...confirm }, given);
  const count = [action, { ...payload, preview: true }, undefined];
  const flushed = [action, { ...payload, preview: false }, "key"];

  test("counts without the key unless it is confirmed, and then flushes at once", async () => {
    for (const confirm of [{}, { confirm: false }]) {
      const { requests, result } = await flush({ outcomes: [counted(1)] }, confirm);
      expect(requests).toEqual([count]);
      expect(result).toMatchObject({ status: "preview", ordersAffected: 1 });
      expect(result["message"]).toStartWith(`Would cancel 1 open order${ofContract}; nothing was changed.`);
    }
    const { requests, result } = await flush({ outcomes: [counted(2)] });
    expect([requests, result["status"], result["message"]]).toEqual([
      [flushed],
      "success",
      `Cancelled 2 open orders${ofContract}.`,
    ]);
  });

  test("counts first for who wants progress, and says how many it cancels, if the count has not failed", async () => {
    const { requests, words } = await flush({ wantsProgress: true, outcomes: [counted(2), counted(3)] });
    expect([requests, words]).toEqual([[count, flushed], [
      "Counts the open orders",
      `Cancels 2 open orders${ofContract}`,
    ]]);
    const failing = [{ kind: "rejected", code: "x", message: "no" }, counted(3)];
    const failed = await flush({ wantsProgress: true, outcomes: failing });
    expect([failed.words[1], failed.result["ordersAffected"]]).toEqual([`Cancels the open orders${ofContract}`, 3]);
  });

  test.each([
    ["frozen", { frozen: { reason: "a drill", since: "now" } }],
    ["not_connected", { status: "reconnecting" }],
  ])("that is %s after its count is not sent", async (code, change) => {
    const onRequest: Given["onRequest"] = (_, state) => void Object.assign(state, change);
    const { requests, result } = await flush({ wantsProgress: true, outcomes: [counted(2)], onRequest });
    expect([requests, result["code"]]).toEqual([[count], code]);
  });

  test("asks a person only if it is confirmed", async () => {
    const { context } = await flush({ outcomes: [counted(1)] });
    expect(await tool.question!({ ...input } as never, context)).toBeNull();
    expect(await tool.question!({ ...input, confirm: true } as never, context)).toMatch(
      /^Cancel every open order of .* It can't be undone\.$/,
    );
  });
});

test("a flush of no named book is of the first one, and a failed one repeats what was named", async () => {
  expect((await called(flushBook, {}, { outcomes: [counted(0)] })).requests).toEqual([
    ["engine.flush", { engineId: "E1", preview: true }, undefined],
  ]);
  const refused = { kind: "rejected", code: "x", message: "no" };
  const { result } = await called(flushBook, { contractId: "C2", confirm: true }, { outcomes: [refused] });
  expect(result).toMatchObject({ status: "rejected", engineId: null, contractId: "C2", ordersAffected: null });
});

test.each([["halt", halt, "market.halt", "halted"], ["resume", resume, "market.resume", "open"]] as const)(
  "a %s is sent as it is asked for, and tells what the market is now",
  async (_what, tool, action, marketStatus) => {
    const outcome = { kind: "ok", result: { marketId: "M", marketStatus } };
    const { requests, result } = await called(tool, { marketId: "M", reason: "r" }, { outcomes: [outcome] });
    expect(requests).toEqual([[action, { marketId: "M", reason: "r" }, "key"]]);
    expect(result).toMatchObject({
      status: "success",
      message: `Market M is ${marketStatus}.`,
      marketId: "M",
      marketStatus,
    });
    const failed = await called(tool, { marketId: "X" }, {
      outcomes: [{ kind: "rejected", code: "not_found", message: "" }],
    });
    expect(failed.result).toMatchObject({ status: "rejected", marketId: "X", marketStatus: null });
  },
);

test("a reset sends the secret and what is left out, names all entities, and is done in part if some failed", async () => {
  const [tool] = reset as unknown as readonly [Tool];
  const summary = { entities: 2, pairs: 2, creditUpdates: 2, docsUpdates: 1 };
  for (const errors of [[], ["a: no"]]) {
    const outcome = { kind: "ok", result: { summary, errors } };
    const { requests, result, words } = await called(tool, { creditLimit: 5, skipDocs: true }, { outcomes: [outcome] });
    expect(requests).toEqual([["dev.reset", { creditLimit: 5, skipDocs: true, secret: "secret" }, "key"]]);
    expect([result["status"], words]).toEqual([
      errors.length === 0 ? "success" : "partial",
      ["Sets credit and documents between 2 entities"],
    ]);
    expect(result["message"]).toContain("2 credit and 1 documentation updates over 2 pairs of 2 entities");
  }
});

describe("a connect", () => {
  test("is as the named user, or else the configured one, until the caller leaves, and says if it was so already", async () => {
    const asked = replaced(
      engines,
      "connectToOneEngine",
      (_context, userId) => Promise.resolve({ ...SESSION, userId }),
    );
    const named = await called(connect, { userId: "anna" }, { pubsub: { status: "disconnected" } });
    expect(named.result).toMatchObject({
      status: "success",
      userId: "anna",
      entityId: "A",
      capabilities: ["Market.Operate"],
      engineId: "E",
      epoch: 3,
    });
    expect(named.result["message"]).toStartWith("Connected as anna. Next: ");
    expect([asked[0]?.[1], named.words]).toEqual(["anna", ["Connects as anna and loads the market"]]);
    expect(asked[0]?.[2]).toBe(named.context.signal);
    expect((await called(connect, {})).result["message"]).toBe("Already connected as configured.");
  });

  test("as an unknown user names the nearest one, if the users are told", async () => {
    const unknown = new ToolError("not_found", "There is no user.", "Give another.");
    replaced(engines, "connectToOneEngine", () => Promise.reject(unknown));
    expect((await called(connect, { userId: "ana" })).result["hint"]).toBe("Did you mean anna? Give another.");
    replaced(engines, "connectToOneEngine", () => Promise.reject(new ToolError("forbidden", "No.", "Ask.")));
    expect((await called(connect, { userId: "ana" })).result["hint"]).toBe("Ask.");
  });

  test("that is ended says as whom it was", async () => {
    const ended = async (session: object | null) =>
      (await called(disconnect, {}, { pubsub: { session, disconnect: () => Promise.resolve(null) } }))
        .result["message"];
    expect([await ended(SESSION), await ended(null)]).toEqual([
      "Disconnected; the acting user was u.",
      "There was no connection.",
    ]);
  });
});
