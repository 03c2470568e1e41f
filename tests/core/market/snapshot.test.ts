import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Snapshot } from "../../../core/market/snapshot.ts";
import type { SnapshotQuery } from "../../../core/market/snapshot-reader.ts";
import type { AnyModuleData } from "../../../protocol/modules/registry.ts";
import type { StateMessage } from "../../../protocol/index.ts";

const AS_OF = "2030-01-01T00:00:00.000Z";

function put(type: string, state: AnyModuleData): StateMessage {
  return { statePath: `/${type}/${state.id}`, state };
}

function remove(type: string, id: string): StateMessage {
  return { statePath: `/${type}/${id}`, state: null };
}

function order(number: number, overrides: Record<string, unknown> = {}): AnyModuleData {
  return {
    id: `o-${number}`,
    createdAt: new Date(1_900_000_000_000 + number).toISOString(),
    status: "working",
    entityId: "north",
    engineId: "engine-1",
    contractId: "c-1",
    clientOrderId: `client-${number}`,
    userId: "u-1",
    ...overrides,
  };
}

/** The reference: one array for each type, filtered and sorted for each query. */
class Model {
  readonly #modules = new Map<string, AnyModuleData[]>();

  apply({ statePath, state }: StateMessage): void {
    const [, type = "", id = ""] = statePath.split("/");
    const modules = this.#modules.get(type) ?? [];
    const index = modules.findIndex((module) => module.id === id);
    if (state === null) this.#modules.set(type, modules.filter((module) => module.id !== id));
    else this.#modules.set(type, index < 0 ? [...modules, state] : modules.with(index, state));
  }

  find(type: string, { equals = {}, where, after, limit }: SnapshotQuery) {
    const matches = (this.#modules.get(type) ?? []).filter((module) =>
      Object.entries(equals).every(([name, value]) => value === undefined || module[name] === value) &&
      (where?.(module) ?? true)
    );
    if (type === "ORDER") matches.sort(byCreation).reverse();
    const modules = matches.slice(after === undefined ? 0 : matches.findIndex(({ id }) => id === after.id) + 1);
    const last = modules[limit - 1];
    const next = last === undefined || modules.length === limit
      ? null
      : { rank: type === "ORDER" ? Date.parse(String(last["createdAt"])) : null, id: last.id };
    return { total: matches.length, modules: modules.slice(0, limit), next };
  }
}

function byCreation(a: AnyModuleData, b: AnyModuleData): number {
  return Date.parse(String(a["createdAt"])) - Date.parse(String(b["createdAt"])) ||
    Number(a.id.slice(2)) - Number(b.id.slice(2));
}

const STATUSES = ["working", "partial", "filled", "cancelled", "held"];
const ENTITIES = ["north", "south", "east"];
const orderNumber = fc.integer({ min: 1, max: 40 });
const userNumber = fc.integer({ min: 1, max: 12 });
// Several orders have the same instant, so their ids decide.
const changedOrder = fc.tuple(orderNumber, fc.constantFrom(...STATUSES), fc.constantFrom(...ENTITIES))
  .map(([number, status, entityId]) =>
    put("ORDER", order(number, { status, entityId, createdAt: new Date(number >> 2).toISOString() }))
  );
const changedUser = fc.tuple(userNumber, fc.constantFrom(...ENTITIES, null))
  .map(([number, entityId]) => put("USER", { id: `u-${number}`, entityId, name: "x" }));
const change = fc.oneof(
  { weight: 6, arbitrary: changedOrder },
  { weight: 2, arbitrary: orderNumber.map((number) => remove("ORDER", `o-${number}`)) },
  { weight: 2, arbitrary: changedUser },
  { weight: 1, arbitrary: userNumber.map((number) => remove("USER", `u-${number}`)) },
);
const query = fc.record({
  equals: fc.record({
    status: fc.constantFrom(undefined, ...STATUSES),
    entityId: fc.constantFrom(undefined, ...ENTITIES, null, 5, "nobody"),
    clientOrderId: fc.constantFrom(undefined, undefined, undefined, "client-3"),
    id: fc.constantFrom(undefined, undefined, undefined, "o-5", "u-2"),
  }, { requiredKeys: [] }),
  where: fc.constantFrom(undefined, (module: AnyModuleData) => Number(module.id.slice(2)) % 2 === 0),
  limit: fc.integer({ min: 1, max: 20 }),
});

describe("Snapshot", () => {
  test("answers every query like a filtered and sorted array", () => {
    const changes = fc.array(change, { maxLength: 120 });
    const queries = fc.array(query, { minLength: 1, maxLength: 8 });
    const property = fc.property(changes, queries, (changes, queries) => {
      const snapshot = new Snapshot();
      const model = new Model();
      for (const message of changes) {
        snapshot.apply(message, AS_OF);
        model.apply(message);
      }
      for (const asked of queries) {
        for (const type of ["ORDER", "USER"] as const) {
          expect(snapshot.find(type, asked) as unknown).toEqual(model.find(type, asked));
        }
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("lists orders in the same order whether they arrived live or in a snapshot", () => {
    const messages = Array.from({ length: 1000 }, (_, index) => put("ORDER", order(index, { createdAt: AS_OF })));
    const live = new Snapshot();
    for (const message of messages) live.apply(message, AS_OF);
    const replaced = new Snapshot();
    replaced.replaceAll(messages.toReversed(), AS_OF);
    const ids = (snapshot: Snapshot) => snapshot.find("ORDER", { limit: 1000 }).modules.map(({ id }) => id);
    expect(ids(live)).toEqual(ids(replaced));
    expect(ids(live).slice(0, 3)).toEqual(["o-999", "o-998", "o-997"]);
  });

  test("looks only at the modules an index leaves", () => {
    const snapshot = new Snapshot();
    for (let number = 1; number <= 5000; number += 1) {
      snapshot.apply(put("ORDER", order(number, { entityId: number % 1000 ? "north" : "south" })), AS_OF);
    }
    let looked = 0;
    const { total } = snapshot.find("ORDER", {
      equals: { entityId: "south", contractId: "c-1", side: undefined },
      where: () => (looked += 1) > 0,
      limit: 100,
    });
    expect({ total, looked }).toEqual({ total: 5, looked: 5 });
  });

  test("replaceAll removes what the new snapshot does not hold, and a failing one leaves the old", () => {
    const snapshot = new Snapshot();
    snapshot.apply(put("ORDER", order(1)), AS_OF);
    function* failing(): Generator<StateMessage> {
      yield put("ORDER", order(2));
      throw new Error("cut");
    }
    expect(() => snapshot.replaceAll(failing(), AS_OF)).toThrow("cut");
    expect(snapshot.find("ORDER", { limit: 5 }).modules.map(({ id }) => id)).toEqual(["o-1"]);
    snapshot.replaceAll(
      [put("ORDER", order(2)), put("ORDER", order(3)), remove("ORDER", "o-3")],
      "2031-01-01T00:00:00Z",
    );
    expect(snapshot.find("ORDER", { limit: 5 }).modules.map(({ id }) => id)).toEqual(["o-2"]);
    expect(snapshot.asOf).toBe("2031-01-01T00:00:00Z");
  });

  test("lists products in the order in which they were first seen, however they change", () => {
    const snapshot = new Snapshot();
    for (const id of ["peak", "base", "week"]) snapshot.apply(put("PRODUCT", { id, marketId: "m", code: id }), AS_OF);
    snapshot.apply(put("PRODUCT", { id: "peak", marketId: "m", code: "P2" }), AS_OF);
    const { modules } = snapshot.find("PRODUCT", { equals: { marketId: "m" }, limit: 5 });
    expect(modules.map(({ id }) => id)).toEqual(["peak", "base", "week"]);
    expect(snapshot.first("PRODUCT")?.code).toBe("P2");
    expect(snapshot.find("PRODUCT", { equals: { code: "peak" }, limit: 5 }).total).toBe(0);
  });

  test("a product that only the new snapshot holds comes after those that the old one held", () => {
    const snapshot = new Snapshot();
    const products = (...ids: string[]) => ids.map((id) => put("PRODUCT", { id }));
    const listed = () => snapshot.find("PRODUCT", { limit: 9 }).modules.map(({ id }) => id);
    snapshot.replaceAll(products("b", "c"), AS_OF);
    snapshot.replaceAll(products("a", "c", "b"), AS_OF);
    expect(listed()).toEqual(["b", "c", "a"]);
    snapshot.apply(put("PRODUCT", { id: "aa" }), AS_OF);
    expect(listed()).toEqual(["b", "c", "a", "aa"]);
  });

  test.each([["ORDER", "createdAt"], ["FILL", "time"], ["TRADE", "time"]] as const)(
    "lists each %s newest first, those of the same %s by id, and one without a time last",
    (type, time) => {
      const snapshot = new Snapshot();
      const at = (id: string, second: number) => put(type, { id, [time]: new Date(second * 1000).toISOString() });
      snapshot.replaceAll([at("b", 2), at("a", 2), put(type, { id: "none" }), at("old", 1), at("new", 3)], AS_OF);
      expect(snapshot.find(type, { limit: 9 }).modules.map(({ id }) => id)).toEqual(["new", "b", "a", "old", "none"]);
    },
  );

  test("passes over paths that are no module's, and is empty after clear", () => {
    const snapshot = new Snapshot();
    for (const statePath of ["/ORDER", "ORDER/1", "/ORDER/", "/__proto__/1", "/NEWS/1", ""]) {
      snapshot.apply({ statePath, state: { id: "1" } }, AS_OF);
    }
    expect(snapshot.count("ORDER")).toBe(0);
    snapshot.apply(put("ORDER", order(1)), AS_OF);
    snapshot.clear();
    expect(snapshot.get("ORDER", "o-1")).toBeUndefined();
    expect(snapshot.asOf).toBeNull();
  });

  test("ids may hold slashes and the names of object properties", () => {
    const snapshot = new Snapshot();
    for (const id of ["a/b", "constructor", "__proto__"]) snapshot.apply(put("ENTITY", { id, code: id }), AS_OF);
    expect(snapshot.get("ENTITY", "a/b")?.code).toBe("a/b");
    expect(snapshot.find("ENTITY", { equals: { code: "__proto__" }, limit: 1 }).total).toBe(1);
  });
});

describe("revisions", () => {
  const changes = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("put" as const), id: fc.nat(4), user: fc.nat(2) }),
      fc.record({ kind: fc.constant("remove" as const), id: fc.nat(4) }),
      fc.record({ kind: fc.constant("replace" as const), ids: fc.array(fc.nat(4)) }),
      fc.record({ kind: fc.constant("clear" as const) }),
      fc.record({ kind: fc.constant("other" as const) }),
    ),
    { maxLength: 40 },
  );
  const USERS = ["u-0", "u-1", "u-2"];
  const orderOf = (id: number, user: number) => put("ORDER", order(id, { userId: USERS[user] }));
  /** What a version stands for: these orders, by identity. */
  const ordersIn = (snapshot: Snapshot, equals: Record<string, unknown>) =>
    snapshot.find("ORDER", { equals, limit: 100 }).modules;
  const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length === other.length && one.every((module) => other.includes(module));

  test("a revision is another one after each change of its modules, and never comes again", () => {
    fc.assert(fc.property(changes, (drawn) => {
      const snapshot = new Snapshot();
      const seen = new Map<string, { revision: number; used: Set<number>; orders: readonly unknown[] }>();
      const look = (key: string, revision: number, orders: readonly unknown[]) => {
        const before = seen.get(key);
        const used = before?.used ?? new Set();
        if (before !== undefined && !isSame(before.orders, orders)) expect(revision).not.toBe(before.revision);
        if (revision !== before?.revision) expect(used).not.toContain(revision);
        seen.set(key, { revision, used: used.add(revision), orders });
      };
      for (const change of drawn) {
        if (change.kind === "put") snapshot.apply(orderOf(change.id, change.user), AS_OF);
        if (change.kind === "remove") snapshot.apply(remove("ORDER", `o-${change.id}`), AS_OF);
        if (change.kind === "replace") snapshot.replaceAll(change.ids.map((id) => orderOf(id, id % 3)), AS_OF);
        if (change.kind === "clear") snapshot.clear();
        if (change.kind === "other") snapshot.apply(put("ENTITY", { id: "e" }), AS_OF);
        look("all", snapshot.revision("ORDER"), ordersIn(snapshot, {}));
        for (const userId of USERS) {
          look(userId, snapshot.revisionOf("ORDER", "userId", userId), ordersIn(snapshot, { userId }));
        }
      }
    }));
  });

  test("changes of other types and of other values leave a revision as it is", () => {
    const snapshot = new Snapshot();
    snapshot.apply(orderOf(1, 1), AS_OF);
    const of = (userId: string) => snapshot.revisionOf("ORDER", "userId", userId);
    const before = [snapshot.revision("ORDER"), of("u-1"), of("u-2")];
    snapshot.apply(put("ENTITY", { id: "e" }), AS_OF);
    expect([snapshot.revision("ORDER"), of("u-1"), of("u-2")]).toEqual(before);
    snapshot.apply(orderOf(2, 2), AS_OF);
    expect(of("u-1")).toBe(before[1]!);
    expect(of("u-2")).toBeGreaterThan(before[2]!);
  });
});
