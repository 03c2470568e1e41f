import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Snapshot } from "../../../core/market/snapshot.ts";
import type { ModulePosition, SnapshotQuery } from "../../../core/market/snapshot-reader.ts";
import type { ModuleType } from "../../../protocol/modules/registry.ts";
import type { StateMessage } from "../../../protocol/index.ts";

const AS_OF = "2030-01-01T00:00:00.000Z";

/** Several modules share an instant, so ids decide their order. */
function put(type: ModuleType, number: number, status: string): StateMessage {
  const createdAt = new Date(1_900_000_000_000 + Math.floor(number / 3)).toISOString();
  const state = { id: `m-${number}`, status, createdAt, entityId: "north", code: status, type };
  return { statePath: `/${type}/m-${number}`, state };
}

function remove(type: ModuleType, number: number): StateMessage {
  return { statePath: `/${type}/m-${number}`, state: null };
}

type Change = { kind: "put" | "remove"; number: number } | { kind: "reconnect" };

const number = fc.integer({ min: 0, max: 700 });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("put" as const), number }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("remove" as const), number }) },
  { weight: 1, arbitrary: fc.constant({ kind: "reconnect" as const }) },
);

const queries: Readonly<Record<string, Omit<SnapshotQuery, "limit" | "after">>> = {
  "without a filter": {},
  "by an index": { equals: { entityId: "north" } },
  "by a condition": { where: ({ id }) => Number(id.slice(2)) % 2 === 0 },
};

/** A market whose even numbers are there throughout. */
class ChangingMarket {
  readonly snapshot = new Snapshot();
  readonly #present = new Map<number, StateMessage>();
  #last: string | null = null;

  constructor(readonly type: ModuleType) {
    for (let number = 0; number <= 700; number += 1) this.#put(number, "working");
  }

  apply(change: Change): void {
    if (change.kind === "reconnect") return this.snapshot.replaceAll(this.#present.values(), AS_OF);
    const { kind, number } = change;
    // ORDER continues after a module that is gone; other types don't, which another test covers.
    const mayGo = number % 2 === 1 && (this.type === "ORDER" || `m-${number}` !== this.#last);
    if (kind === "put") this.#put(number, "filled");
    else if (mayGo) {
      this.#present.delete(number);
      this.snapshot.apply(remove(this.type, number), AS_OF);
    }
  }

  page(query: Omit<SnapshotQuery, "limit">, limit: number): { ids: string[]; next: ModulePosition | null } {
    const { modules, next } = this.snapshot.find(this.type, { ...query, limit });
    this.#last = next?.id ?? null;
    return { ids: modules.map(({ id }) => id), next };
  }

  #put(number: number, status: string): void {
    const message = put(this.type, number, status);
    this.#present.set(number, message);
    this.snapshot.apply(message, AS_OF);
  }
}

describe.each(["ORDER", "ENTITY"] as const)("pages of %s", (type) => {
  test.each(Object.keys(queries))("%s give each module that stays exactly once, whatever else changes", (name) => {
    const query = queries[name] ?? {};
    fc.assert(
      fc.property(
        fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 60 }),
        fc.integer({ min: 20, max: 90 }),
        (turns, limit) => {
          const market = new ChangingMarket(type);
          const seen: string[] = [];
          let after: ModulePosition | undefined;
          for (let turn = 0, more = true; more; turn += 1) {
            const { ids, next } = market.page({ ...query, after }, limit);
            seen.push(...ids);
            after = next ?? undefined;
            more = next !== null;
            for (const each of turns[turn] ?? []) market.apply(each);
          }
          const stayed = seen.filter((id) => Number(id.slice(2)) % 2 === 0);
          expect(new Set(stayed).size).toBe(stayed.length);
          expect(stayed.length).toBe(351);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("hold the same modules in the same order as the whole list", () => {
    const market = new ChangingMarket(type);
    const whole = market.page({}, 1000);
    expect(whole).toMatchObject({ next: null });
    const seen: string[] = [];
    let after: ModulePosition | undefined;
    do {
      const { ids, next } = market.page({ after }, 100);
      seen.push(...ids);
      after = next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(whole.ids);
  });
});

test("a list of orders continues after an order that is gone, one of entities does not", () => {
  for (const type of ["ORDER", "ENTITY"] as const) {
    const market = new ChangingMarket(type);
    const { next } = market.page({}, 10);
    const number = Number(next?.id.slice(2));
    const following = market.page({ after: next ?? undefined }, 5).ids;
    market.snapshot.apply(remove(type, number), AS_OF);
    const rest = () => market.page({ after: next ?? undefined }, 5).ids;
    if (type === "ORDER") expect(rest()).toEqual(following);
    else expect(rest).toThrow(/m-9/);
  }
});

test("a page that ends with the last match has no next", () => {
  const market = new ChangingMarket("ORDER");
  expect(market.page({}, 701).next).toBeNull();
  expect(market.page({}, 700).next).not.toBeNull();
  expect(market.page(queries["by a condition"] ?? {}, 351).next).toBeNull();
});
