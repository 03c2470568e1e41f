// Which module a name means, by default too, and the error if there is none.

import { describe, expect, test } from "bun:test";
import {
  checkEntity,
  engineOf,
  hasAllParties,
  itemMeant,
  listHint,
  marketOf,
  moduleMeant,
  moduleOf,
  withMeantId,
} from "../../../plugins/toolkit/lookup.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const BOOKS = {
  "/CONTRACT/C-1": { engineId: "B-1", status: "expired" },
  "/CONTRACT/C-2": { engineId: "B-2", status: "listed" },
  "/ENGINE/B-1": { contractId: "C-1" },
  "/ENGINE/B-2": { contractId: "C-2" },
};
const snapshot = snapshotOf({ "/MARKET/M-1": {}, "/MARKET/M-2": {}, "/ENTITY/E-1": {}, ...BOOKS });
const notFound = (message: string, hint: unknown = expect.any(String)) =>
  expect.objectContaining({ code: "not_found", message, hint });

test("a write needs the exact id, and a read takes another form that has one meaning", () => {
  expect([moduleOf(snapshot, "MARKET", "M-1").id, moduleMeant(snapshot, "MARKET", "m-1").id]).toEqual(["M-1", "M-1"]);
  const hint = "Did you mean M-1? mkt_find_modules with moduleType MARKET gives the ids.";
  expect(() => moduleOf(snapshot, "MARKET", "m-1")).toThrow(notFound('There is no MARKET "m-1".', hint));
  expect(() => moduleMeant(snapshot, "MARKET", "x")).toThrow(notFound('There is no MARKET "x".'));
});

test("an item is the one with exactly this id, or else the only one that is meant", () => {
  const items = [{ id: "a" }, { id: "A" }, { id: "B" }] as never[];
  const idMeant = (id: string) => (itemMeant("USER", items, id) as { id: string }).id;
  expect([idMeant("a"), idMeant("A"), idMeant("b")]).toEqual(["a", "A", "B"]);
  expect(() => itemMeant("USER", [{ id: "Ab" }, { id: "aB" }] as never[], "ab")).toThrow(
    notFound('There is no USER "ab".'),
  );
  expect(() => itemMeant("USER", [], "ab")).toThrow(notFound('There is no USER "ab".', listHint("USER")));
});

test.each([[0, false], [1, false], [2, true]])("with %d entities the snapshot has all parties: %p", (count, hasAll) => {
  const some = snapshotOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`/ENTITY/${at}`, {}])));
  expect(hasAllParties(some)).toBe(hasAll);
  const check = () => checkEntity(some, "gone");
  if (hasAll) expect(check).toThrow(notFound('There is no ENTITY "gone".'));
  else check();
  checkEntity(some, "0");
});

test("the market is the named one, or else the first", () => {
  expect([undefined, "M-2"].map((id) => marketOf(snapshot, id).id)).toEqual(["M-1", "M-2"]);
  expect(() => marketOf(snapshot, "m-2")).toThrow(notFound('There is no MARKET "m-2".'));
  expect(marketOf(snapshot, "m-2", moduleMeant).id).toBe("M-2");
  expect(() => marketOf(snapshotOf({}), undefined)).toThrow(notFound("The backend has sent no MARKET."));
});

describe("a book", () => {
  test.each<[object, string]>([
    [{}, "B-2"],
    [{ engineId: "B-1" }, "B-1"],
    [{ contractId: "C-1" }, "B-1"],
    [{ engineId: "B-2", contractId: "C-2" }, "B-2"],
    [{ engineId: "b-2", contractId: "c-2" }, "B-2"],
  ])("asked for with %j is %s", (given, id) => {
    expect(engineOf(snapshot, given, moduleMeant).id).toBe(id);
  });

  test.each<[object, string, string]>([
    [
      { engineId: "B-1", contractId: "C-2" },
      "invalid_input",
      "engineId and contractId don't belong together: engine B-1 matches contract C-1.",
    ],
    [{ engineId: "B-1", contractId: "C-9" }, "not_found", 'There is no CONTRACT "C-9".'],
    [{ engineId: "B-9" }, "not_found", 'There is no ENGINE "B-9".'],
    [{ contractId: "C-9" }, "not_found", 'There is no CONTRACT "C-9".'],
    [{ contractId: "c-1" }, "not_found", 'There is no CONTRACT "c-1".'],
  ])("asked for with %j is refused as %s", (given, code, message) => {
    expect(() => engineOf(snapshot, given)).toThrow(expect.objectContaining({ code, message }));
  });

  test("is by default the first, unless its contract has expired and another is listed", () => {
    const first = (changes: Record<string, Record<string, unknown>>) =>
      engineOf(snapshotOf({ ...BOOKS, ...changes }), {}).id;
    expect(first({ "/CONTRACT/C-1": { engineId: "B-1", status: "listed" } })).toBe("B-1");
    expect(first({ "/CONTRACT/C-2": { engineId: "B-2", status: "expired" } })).toBe("B-1");
    expect(first({ "/CONTRACT/C-2": { engineId: "gone", status: "listed" } })).toBe("B-1");
    const { "/CONTRACT/C-1": _, ...withoutContract } = BOOKS;
    expect(engineOf(snapshotOf(withoutContract), {}).id).toBe("B-1");
    expect(() => engineOf(snapshotOf({}), {})).toThrow(notFound("The backend has sent no ENGINE."));
  });
});

test("only a refusal for an unknown module names the one that was meant", () => {
  const told = (outcome: object) => withMeantId(outcome as { kind: string }, snapshot, "MARKET", "m-1");
  const refused = { kind: "rejected", code: "not_found", message: "No.", operationId: "k" };
  expect<object>(told(refused)).toEqual({
    ...refused,
    message: 'There is no MARKET "m-1".',
    hint: "Did you mean M-1? mkt_find_modules with moduleType MARKET gives the ids.",
  });
  for (const other of [{ ...refused, code: "forbidden" }, { ...refused, kind: "timeout" }, { kind: "ok" }]) {
    expect<object>(told(other)).toBe(other);
  }
});

test("each type has the tool that lists it", () => {
  const tools = ["ORDER", "FILL", "ENTITY", "USER", "PRODUCT", "TRADE"] as const;
  expect(tools.map((type) => /mkt_\w+/.exec(listHint(type))![0])).toEqual([
    "mkt_list_orders",
    "mkt_list_fills",
    "mkt_list_entities",
    "mkt_list_users",
    "mkt_list_products",
    "mkt_find_modules",
  ]);
});
