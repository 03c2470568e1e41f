// Which contracts a load run trades, and at what price its orders begin.

import { describe, expect, test } from "bun:test";
import { EngineTarget } from "../../load/engine-target.ts";
import { LoadRun } from "../../load/load-run.ts";
import { McpTarget } from "../../load/mcp-target.ts";
import type { Operation, Outcome, Target, TradedContract } from "../../load/operation.ts";
import * as clients from "../../protocol/client/engine-client.ts";
import type { EngineClientOptions } from "../../protocol/client/engine-client-options.ts";
import { atEnd } from "../support/at-end.ts";
import { replaced } from "../support/replaced.ts";

const RANGE = { lot: 0.5, tick: 5, minimumPrice: -100, maximumPrice: 9_000 };
const UNTIL = Date.parse("2026-03-02T12:00:00Z");
const MINUTE_MS = 60_000;

/** [bid, ask, last price] and the price at which orders begin. */
const REFERENCES: [(number | null)[], number | null][] = [
  [[40, 50, 99], 45],
  [[0, 10, 99], 5],
  [[40, null, 99], 99],
  [[null, 50, 0], 0],
  [[null, null, null], null],
];

/** The parts of a contract and its book that a snapshot has. */
function snapshotOf(id: string, startsAt: number, [bestBid, bestAsk, lastPrice]: (number | null)[], status = "listed") {
  const at = (ms: number) => new Date(ms).toISOString();
  const place = { productCode: "P", marketId: "M" };
  const names = { id, name: id, code: id, node: "NORTH", productId: "P", engineId: `ENG-${id}` };
  const delivery = { deliveryStart: at(startsAt), deliveryEnd: at(startsAt + 60 * MINUTE_MS), hours: 1 };
  const numbers = { bestBid, bestAsk, lastPrice, totalWorkingOrders: 0, heldOrders: 0, tradedQuantity: 0 };
  const book = { id: `ENG-${id}`, contractId: id, ...place, bids: [], asks: [], ...numbers, lastUpdate: at(UNTIL) };
  return [
    [`/CONTRACT/${id}`, { ...names, ...place, ...delivery, ...RANGE, status }],
    [`/ENGINE/ENG-${id}`, book],
  ] as const;
}

describe("an engine's contracts", () => {
  test("are those listed whose delivery begins later, the first ones first, with the middle of the book", async () => {
    const all = REFERENCES.map(([prices], at) => snapshotOf(`C-${at}`, UNTIL + (9 - at) * MINUTE_MS, prices));
    const others = [
      snapshotOf("now", UNTIL, [1, 2, 3]),
      snapshotOf("past", UNTIL - MINUTE_MS, [1, 2, 3]),
      snapshotOf("closed", UNTIL + MINUTE_MS, [1, 2, 3], "expired"),
    ];
    replaced(
      clients,
      "EngineClient" as never,
      function ({ listener }: EngineClientOptions) {
        const open = () => {
          for (const [path, state] of [...all, ...others].flat()) listener.state?.({ statePath: path, state } as never);
          listener.state?.({ statePath: "/ORDER/o", state: null } as never);
          listener.synchronized(null as never);
        };
        return { open };
      } as never,
    );
    const options = { url: "ws://e", connections: 1, users: ["anna"], tokenOf: () => null, runId: "run" };
    const target = new EngineTarget(options);
    await target.open();
    const expected = REFERENCES.map(([, referencePrice], at) => ({ id: `C-${at}`, ...RANGE, referencePrice }));
    expect(await target.contracts(UNTIL)).toEqual(expected.toReversed());
  });
});

describe("the contracts of an MCP server", () => {
  function serverWith(result: unknown) {
    const asked: unknown[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const { id, params } = await request.json() as { readonly id: number; readonly params: unknown };
        asked.push(params);
        return Response.json({ jsonrpc: "2.0", id, result });
      },
    });
    atEnd(() => server.stop(true));
    return { asked, target: new McpTarget({ url: server.url.href, connections: 1, token: null }) };
  }

  test("are those listed whose delivery begins later, the first ones first, with the middle of the book", async () => {
    const modules = REFERENCES.map(([[bestBid, bestAsk, lastPrice]], at) => ({
      id: `C-${at}`,
      ...RANGE,
      bestBid,
      bestAsk,
      ...(lastPrice !== null && { lastPrice }),
    }));
    const { asked, target } = serverWith({ content: [], structuredContent: { modules } });
    expect(await target.contracts(UNTIL)).toEqual(
      REFERENCES.map(([, referencePrice], at) => ({ id: `C-${at}`, ...RANGE, referencePrice })),
    );
    expect(asked).toEqual([{
      name: "mkt_find_modules",
      arguments: {
        moduleType: "CONTRACT",
        filters: { status: "listed", deliveryStart: { value: "2026-03-02T12:00:00.000Z", operator: "gt" } },
        sort: "deliveryStart",
        limit: 50,
        fields: ["lot", "tick", "minimumPrice", "maximumPrice", "bestBid", "bestAsk", "lastPrice"],
      },
    }]);
  });

  test("that can't be read end the run with one line", async () => {
    const { target } = serverWith({ content: [], structuredContent: { modules: [{ id: "C" }] } });
    await expect(target.contracts(UNTIL)).rejects.toThrow(/^mkt_find_modules at http.*: the answer can't be read$/);
  });
});

describe("a load run", () => {
  const MIX = { submit: 1, cancel: 0, modify: 0 };
  const PLAN = { connections: 3, ratePerSecond: 300, seconds: 0.1, mix: MIX, seed: 1, contractIds: [] as string[] };
  const NEVER = { stopped: new Promise(() => {}), onProgress: () => {} };

  /** Confirms every order, and notes by connection what is sent. */
  function targetWith(listed: readonly string[]) {
    const sent: (readonly [connection: number, Operation])[] = [];
    const asked: number[] = [];
    const send = (connection: number, operation: Operation, settle: (outcome: Outcome) => void) => {
      const number = sent.push([connection, operation]);
      const isOpen = operation.kind !== "cancel";
      settle({ kind: "confirmed", order: { id: `O-${number}-${connection}`, isOpen, averagePrice: null } });
    };
    const contracts = (until: number): Promise<readonly TradedContract[]> => {
      asked.push(until);
      return Promise.resolve(listed.map((id) => ({ id, ...RANGE, referencePrice: 50 })));
    };
    const nothing = () => Promise.resolve();
    const target: Target = { open: nothing, close: nothing, contracts, send, reconnects: 2 };
    return { target, sent, asked };
  }

  const tradedIn = (sent: readonly (readonly [number, Operation])[]) =>
    [...new Set(sent.flatMap(([, operation]) => operation.kind === "submit" ? operation.contractId : []))].toSorted();

  test("trades the first four contracts that are open until ten minutes after it, or those that are named", async () => {
    const listed = ["A", "B", "C", "D", "E", "F"];
    const first = targetWith(listed);
    const before = Date.now();
    const report = await LoadRun.run(first.target, PLAN, NEVER);
    expect(first.asked[0]! - before - 100 - 600_000).toBeWithin(0, Date.now() - before + 1);
    expect([tradedIn(first.sent), report.contractIds, report.reconnects])
      .toEqual([["A", "B", "C", "D"], ["A", "B", "C", "D"], 2]);
    const named = targetWith(listed);
    const again = await LoadRun.run(named.target, { ...PLAN, contractIds: ["F", "B"] }, NEVER);
    expect([tradedIn(named.sent), again.contractIds]).toEqual([["B", "F"], ["F", "B"]]);
  });

  test("sends on its connections in turn, and each cancels its own orders at the end, however many there are", async () => {
    const { target, sent } = targetWith(["A"]);
    const connections = 150;
    const { cleanUp, requests } = await LoadRun.run(target, { ...PLAN, connections, ratePerSecond: 3_000 }, NEVER);
    const submits = sent.filter(([, { kind }]) => kind === "submit");
    expect(submits.map(([connection]) => connection)).toEqual(submits.map((_, at) => at % connections));
    expect(submits).toHaveLength(requests.confirmed);
    const cancels = sent.filter(([, { kind }]) => kind === "cancel");
    expect([cancels.length, cleanUp]).toEqual([
      submits.length,
      { cancelled: submits.length, closedAlready: 0, left: 0 },
    ]);
    for (const [connection, operation] of cancels) {
      expect(operation.kind === "cancel" && operation.orderId.split("-").at(-1)).toBe(`${connection}`);
    }
  });
});
