// The rows of contracts, and what has changed in them since when.

import { expect, test } from "bun:test";
import { Snapshot } from "../../../core/market/snapshot.ts";
import { ContractRows } from "../../../plugins/dashboard/contract-rows.ts";
import type { ContractRow } from "../../../web/contract/market.ts";

const TIME = "2030-06-01T12:00:00.000Z";

function put(snapshot: Snapshot, type: string, id: string, state: Record<string, unknown> | null): void {
  snapshot.apply({ statePath: `/${type}/${id}`, state: state === null ? null : { id, ...state } }, TIME);
}

function list(snapshot: Snapshot, id: string, deliveryStart = TIME): void {
  put(snapshot, "CONTRACT", id, { status: "listed", engineId: `e-${id}`, productId: "p", deliveryStart });
}

function setBook(snapshot: Snapshot, id: string, bestBid: number, volume = 1): void {
  const levels = [{ price: bestBid, volume, orderCount: 1 }, { price: bestBid - 1, volume: bestBid, orderCount: 1 }];
  put(snapshot, "ENGINE", `e-${id}`, {
    contractId: id,
    bestBid,
    bids: levels,
    asks: [],
    lastUpdate: `${Math.random()}`,
  });
}

function parsed(rows: readonly string[]): ContractRow[] {
  return rows.map((text) => JSON.parse(text) as ContractRow);
}

test("all rows come by start of delivery, with what product and book say", () => {
  const snapshot = new Snapshot();
  const rows = new ContractRows(snapshot);
  list(snapshot, "late", "2031-01-01T00:00:00.000Z");
  list(snapshot, "early");
  setBook(snapshot, "early", 4_200, 7);
  put(snapshot, "PRODUCT", "p", { name: "Hour", type: "hour" });
  rows.refresh();
  const [early, late] = parsed(rows.all().rows);
  expect(early).toMatchObject({
    contractId: "early",
    productName: "Hour",
    bestBid: 4_200,
    bestBidVolume: 7,
    bestAsk: null,
  });
  expect(late).toMatchObject({ contractId: "late", bestBid: null, lastPrice: null, tradedQuantity: 0 });
});

test("a change that no row shows is none", () => {
  const snapshot = new Snapshot();
  const rows = new ContractRows(snapshot);
  list(snapshot, "c");
  setBook(snapshot, "c", 4_200);
  const version = rows.refresh();
  setBook(snapshot, "c", 4_200);
  put(snapshot, "ENGINE", "other", { contractId: "other", bids: [], asks: [] });
  expect(rows.refresh()).toBe(version);
  setBook(snapshot, "c", 4_201);
  expect(rows.refresh()).toBe(version + 1);
  expect(parsed(rows.since(version)!.rows)).toMatchObject([{ contractId: "c", bestBid: 4_201 }]);
  expect(rows.since(version + 1)).toEqual({ rows: [], unlisted: [] });
});

test("a contract that is no longer listed is told, and not if it is listed again", () => {
  const snapshot = new Snapshot();
  const rows = new ContractRows(snapshot);
  for (const id of ["expires", "goes", "returns"]) list(snapshot, id);
  const version = rows.refresh();
  put(snapshot, "CONTRACT", "expires", { status: "expired", engineId: "e", productId: "p", deliveryStart: TIME });
  for (const id of ["goes", "returns"]) put(snapshot, "CONTRACT", id, null);
  rows.refresh();
  expect(rows.since(version)!.unlisted.toSorted()).toEqual(["expires", "goes", "returns"]);
  list(snapshot, "returns");
  rows.refresh();
  const changed = rows.since(version)!;
  expect(changed.unlisted.toSorted()).toEqual(["expires", "goes"]);
  expect(parsed(changed.rows).map(({ contractId }) => contractId)).toEqual(["returns"]);
});

test("after too many contracts it is not known any more what an old reader lacks", () => {
  const snapshot = new Snapshot();
  const rows = new ContractRows(snapshot);
  const version = rows.refresh();
  const versions: number[] = [];
  for (let batch = 0; batch < 12; batch++) {
    for (let number = 0; number < 100; number++) list(snapshot, `c${batch}-${number}`);
    rows.refresh();
    for (let number = 0; number < 100; number++) put(snapshot, "CONTRACT", `c${batch}-${number}`, null);
    versions.push(rows.refresh());
  }
  expect(rows.since(version)).toBeNull();
  expect(rows.since(versions.at(-1)! + 1)).toBeNull();
  expect(rows.since(versions.at(-2)!)?.unlisted.length).toBe(100);
});
