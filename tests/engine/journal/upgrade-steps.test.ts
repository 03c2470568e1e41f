// The steps of upgrades, with what the fixtures don't have.

import { describe, expect, test } from "bun:test";
import { OperationLog } from "../../../engine/operations/operation-log.ts";
import type { JournalContent, JsonObject, PastFill } from "../../../engine/journal/upgrades/journal-content.ts";
import { upgradeJournal } from "../../../engine/journal/upgrades/journal-upgrades.ts";

const HEADER = { definition: { entities: [{ id: "aurora" }, { id: "borealis" }] } };
const NOW = Date.parse("2026-05-05T05:05:05Z");
const SOME_CONTENT = { high: 1, low: 2 };

function partsOf(format: number, parts: readonly JsonObject[]): JsonObject[] {
  return [...upgradeJournal(format, { header: HEADER, parts, records: [] }).parts ?? []];
}

function recordsOf(format: number, records: readonly JsonObject[]): JsonObject[] {
  return [...upgradeJournal(format, { header: HEADER, parts: null, records }).records];
}

/** The items of a section in all parts; undefined if there is no such section. */
function itemsOf(parts: readonly JsonObject[], wanted: string): unknown {
  const sections = parts.flatMap(({ sections }) => (sections ?? []) as [string, unknown[]][]);
  const items = sections.filter(([name]) => name === wanted).map(([, items]) => items);
  return items.length === 0 ? undefined : items.flat();
}

const state = (...sections: [string, unknown[]][]) => ({ kind: "state", sections });
const contract = (tradedQuantity: number) => ({ key: 3, definition: { id: "north", hours: 2 }, tradedQuantity });
const trade = (number: number, quantity: number, price: number) => ({
  id: `TRD-${number}`,
  contractId: "north",
  buyOrderId: `ORD-${10 + number}`,
  sellOrderId: `ORD-${20 + number}`,
  buyEntityId: "aurora",
  sellEntityId: "borealis",
  aggressorSide: 1,
  price,
  quantity,
  time: "2026-05-05T05:05:05.000Z",
});

describe("The upgrade from format 6", () => {
  const answer = (operationId: string) => ({ operationId, status: "ok", result: { text: `of ${operationId}` } });
  const entry = (id: string, time: number) => [id, { fingerprint: "1:2:3", answer: answer(id), time }];

  test("keeps the answers of operations, also those that were compressed, in pages that the engine reads", () => {
    const ids = Array.from({ length: 3000 }, (_, at) => at % 2 === 0 ? `plain-${at}` : `wide-${at}-€\ud83d`);
    const entries = ids.map((id, at) => entry(id, NOW - 10_000 + at));
    const packed = Bun.zstdCompressSync(JSON.stringify(entries.slice(0, 1500))).toString("base64");
    const operationIds = ids.slice(0, 1500);
    const parts = partsOf(6, [
      { kind: "packedOperations", userId: "anna", operationIds, newestTime: NOW, packed },
      { kind: "operations", userId: "anna", operations: entries.slice(1500) },
      { kind: "rejectedOperations", userId: "bert", operations: [entry("no", NOW)] },
    ]);
    const log = new OperationLog([1, 2]);
    for (const part of parts) log.restore(part as never);
    for (const id of ids) {
      expect(log.find("anna", id, SOME_CONTENT, NOW)).toEqual({ kind: "repeat", answer: answer(id) } as never);
    }
    expect(log.find("bert", "no", SOME_CONTENT, NOW)).toEqual({ kind: "repeat", answer: answer("no") } as never);
    expect(log.find("bert", "plain-0", SOME_CONTENT, NOW)).toEqual({ kind: "new" });
    // Answers are forgotten 24 hours after they were given.
    expect(log.find("anna", "plain-0", SOME_CONTENT, NOW - 10_000 + 86_400_000)).toEqual({ kind: "new" });
  });

  test("gives rejected requests a fingerprint that fits any content", () => {
    const rejected = { kind: "rejected", fingerprint: "1:2:3", code: "forbidden", message: "no", now: NOW };
    expect(recordsOf(6, [rejected, { kind: "advance", now: NOW }])).toEqual([
      { ...rejected, fingerprint: "0000000000000000" },
      { kind: "advance", now: NOW },
    ]);
  });
});

describe("The upgrade from format 8", () => {
  const fill = (number: number, of: number, side: 0 | 1, liquidity: "resting" | "aggressor") => ({
    id: `FIL-${number}`,
    orderId: `ORD-${(side === 0 ? 10 : 20) + of}`,
    tradeId: `TRD-${of}`,
    contractId: "north",
    entityId: side === 0 ? "aurora" : "borealis",
    counterpartyId: side === 0 ? "borealis" : "aurora",
    side,
    price: 50,
    quantity: 1.5,
    liquidity,
    time: "2026-05-05T05:05:05.000Z",
  });

  test("has each trade once, with the places where it was kept", () => {
    const parts = partsOf(8, [
      state(["contracts", [contract(0)]], ["trades", [trade(7, 1.5, 50)]]),
      // A part may end anywhere.
      state(["trades", [trade(8, 1.5, 50)]], ["fills", [fill(3, 2, 1, "aggressor"), fill(12, 6, 0, "resting")]]),
      state(["fills", [fill(13, 7, 0, "resting"), fill(14, 7, 1, "aggressor")]], ["usage", []]),
    ]);
    const time = Date.parse("2026-05-05T05:05:05.000Z");
    expect(itemsOf(parts, "trades")).toEqual([
      // Of the first two only one fill was kept: the number of the other order is unknown.
      [4, 2, 3, 50, 1500, time, 1, 0, 22, 0, 1, 2],
      [2, 6, 3, 50, 1500, time, 1, 16, 0, 0, 1, 12],
      [7, 7, 3, 50, 1500, time, 1, 17, 27, 0, 1, 13],
      [1, 8, 3, 50, 1500, time, 1, 18, 28, 0, 1, 15],
    ]);
    expect(itemsOf(parts, "fills")).toBeUndefined();
  });
});

describe("The upgrade from format 5", () => {
  const upgraded = (traded: number, fills: readonly PastFill[] | null = null) => {
    const parts = [
      state(["contracts", [contract(traded)]], ["trades", [trade(1, 2, 50), trade(2, 1, 80)]]),
      state(["positions", [[3, "anna", 3000]]]),
      { kind: "operations", userId: "anna", operations: [] },
    ];
    return [...upgradeJournal(5, { header: HEADER, parts, records: [] }, () => fills).parts ?? []];
  };

  test("computes positions and their money from the trades", () => {
    const parts = upgraded(3000);
    // kW x minutes x cents/MWh.
    const value = 2000 * 120 * 50 + 1000 * 120 * 80;
    expect(itemsOf(parts, "entityPositions")).toEqual([
      [3, 0, 3000, 3000, 0, String(-value), String(value)],
      [3, 1, -3000, 0, 3000, String(value), String(-value)],
    ]);
    expect(itemsOf(parts, "userPositions")).toEqual([[3, "anna", 3000]]);
    expect(itemsOf(parts, "positions")).toBeUndefined();
  });

  const fill = (side: 0 | 1, price: number, quantity: number, contractId = "north") => {
    return { contractId, entityId: side === 0 ? "aurora" : "borealis", side, price, quantity };
  };

  test("computes them from the fills of the audit trail if the checkpoint lacks trades", () => {
    const others = [fill(0, 7, 7, "gone"), fill(1, 7, 7, "gone")];
    const fills = [
      fill(0, 30, 1),
      fill(1, 30, 1),
      ...others,
      fill(0, 50, 2),
      fill(1, 50, 2),
      fill(0, 80, 1),
      fill(1, 80, 1),
    ];
    const value = 1000 * 120 * 30 + 2000 * 120 * 50 + 1000 * 120 * 80;
    expect(itemsOf(upgraded(4000, fills), "entityPositions")).toEqual([
      [3, 0, 4000, 4000, 0, String(-value), String(value)],
      [3, 1, -4000, 0, 4000, String(value), String(-value)],
    ]);
  });

  test.each([[null], [[fill(0, 50, 3), fill(1, 50, 3)]]])("is refused if trades are missing everywhere", (fills) => {
    expect(() => upgraded(4000, fills)).toThrow(
      "of contract north it has trades of 3 MW, but 4 MW were traded, so positions and profits can't be computed",
    );
  });
});

test("the present format is passed on as it is", () => {
  const content: JournalContent = { header: HEADER, parts: [state(["numbers", [{}]])], records: [{ kind: "advance" }] };
  expect(upgradeJournal(11, content)).toBe(content);
});

test("a checkpoint that was written between two formats is refused", () => {
  expect(() => partsOf(4, [{ kind: "state", sequence: 1, now: NOW, nextDelivery: 0 }])).toThrow(
    "its checkpoint was written by a program between two formats",
  );
  expect(() => partsOf(4, [{ kind: "orders", orders: [[1, "own", 0, 0, "anna", 0, "gtc", NOW, 5, 1, 0, "0"]] }]))
    .toThrow("its orders were written by a program between two formats");
});
