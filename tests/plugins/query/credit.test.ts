// Credit as tools give it: whose, in pages, with the limits beside it, and what its sums are made of.

import { expect, test } from "bun:test";
import credit from "../../../plugins/query/credit.ts";
import * as scope from "../../../plugins/toolkit/entity-scope.ts";
import { wholeModule } from "../../support/modules.ts";
import { replaced } from "../../support/replaced.ts";
import { snapshotOf } from "../support/snapshot-of.ts";

const [getStatus, getExtended, listConfigs] = credit;

interface Limit {
  readonly limitType?: string;
  readonly contractId?: string | null;
  readonly used?: number;
  readonly available?: number;
}
const limit = ({ limitType = "notional", contractId = null, used = 1, available = 2 }: Limit = {}) => (
  {
    limitType,
    contractId,
    scope: contractId === null ? "total" : "per_contract",
    limit: 3,
    used,
    available,
    marginPercent: 100,
  }
);

function pair(counterpartyId: string, limits: object[], more: object = {}) {
  const documentation = { documentation: "docs_in_place", counterpartyDocumentation: "docs_in_place" };
  return wholeModule("CREDIT", { entityId: "A", counterpartyId, ...documentation, tradable: true, limits, ...more });
}

type Answer = Record<string, unknown> & {
  readonly creditLimits: readonly Record<string, unknown>[];
  readonly enhancedLimitConfigs: readonly Record<string, unknown>[];
  readonly configs: readonly Record<string, unknown>[];
};

function asked(tool: (typeof credit)[number] | undefined, input: object, pairs: readonly object[]): Answer {
  replaced(scope, "entityInScope", (named) => named.toUpperCase());
  const snapshot = snapshotOf({
    "/MARKET/m1": {},
    "/MARKET/m2": {},
    "/CONTRACT/c1": { marketId: "m1", status: "listed" },
    "/CONTRACT/c2": { marketId: "m2", status: "listed" },
    "/CREDIT/other": wholeModule("CREDIT", { entityId: "Z", counterpartyId: "A", limits: [limit()] }),
    ...Object.fromEntries(pairs.map((data, at) => [`/CREDIT/${at}`, data as Record<string, unknown>])),
  });
  return tool!.handler({ entityId: "a", ...input } as never, { snapshot } as never) as never;
}

test("the sums are of all counterparties, whatever page is shown; credit without documents of both is not available", () => {
  const pairs = [
    pair("B", [limit({ used: 0.1, available: 10.1 })]),
    pair("C", [limit({ used: 0.2, available: -5 })]),
    pair("D", [limit({ used: 4, available: 100 })], { counterpartyDocumentation: "pending" }),
    pair("E", [limit({ used: 8, available: 100 })], { documentation: "pending" }),
    pair("F", [], { usedNotional: 16 }),
  ];
  const first = asked(getStatus, { limit: 2 }, pairs);
  expect(first).toMatchObject({ entityId: "A", marketId: "m1", count: 2, total: 5, hasMore: true });
  const second = asked(getStatus, { limit: 3, cursor: first["cursor"] }, pairs);
  for (const answer of [first, second]) {
    expect([answer["usedCredit"], answer["availableCredit"]]).toEqual([28.3, 10.1]);
  }
  const names = [first, second].flatMap(({ creditLimits }) => creditLimits.map((row) => row["counterpartyId"]));
  expect(names.toSorted()).toEqual(["B", "C", "D", "E", "F"]);
  expect(second["hasMore"]).toBe(false);
  expect(() => asked(getStatus, { limit: 2, marketId: "m2", cursor: first["cursor"] }, pairs)).toThrow("another list");
  const [row] = asked(getStatus, { limit: 1, fields: ["tradable"] }, pairs).creditLimits;
  expect(Object.keys(row!)).toEqual(["counterpartyId", "tradable"]);
});

test.each([[undefined, ["c1", "gone"]], ["m1", ["c1", "gone"]], ["M2", ["c2", "gone"]]])(
  "beside a page are the limits of its counterparties for the market %p, and those whose contract is gone",
  (marketId, contracts) => {
    const of = (...ids: (string | null)[]) => ids.map((contractId) => limit({ contractId }));
    const pairs = [pair("B", of(null, "c1", "c2", "gone")), pair("C", of(null))];
    const { enhancedLimitConfigs, note } = asked(getStatus, { limit: 1, marketId }, pairs);
    const counterparties = new Set(enhancedLimitConfigs.map(({ counterpartyId }) => counterpartyId));
    expect(counterparties.size).toBe(1);
    if (counterparties.has("B")) {
      expect(enhancedLimitConfigs.map(({ contractId }) => contractId)).toEqual([null, ...contracts]);
    }
    expect(asked(getStatus, { limit: 9, marketId }, pairs).enhancedLimitConfigs).toHaveLength(4);
    expect([note, Object.keys(enhancedLimitConfigs[0]!).includes("value")]).toEqual([undefined, false]);
  },
);

test.each([[1, 40, 0], [1, 41, 1], [40, 60, 20], [50, 60, 10], [100, 60, 0]])(
  "a page of %d has of %d limits all but %d, which its note counts",
  (size, count, left) => {
    const limits = Array.from({ length: count }, (_, at) => limit({ contractId: `x${at}` }));
    const { enhancedLimitConfigs, note } = asked(getStatus, { limit: size }, [pair("B", limits)]);
    expect(enhancedLimitConfigs).toHaveLength(count - left);
    const words = `enhancedLimitConfigs leaves out ${left} limits of these counterparties: `;
    expect(note).toEqual(left === 0 ? undefined : expect.stringContaining(words));
  },
);

test("one counterparty has limits and use of each type, those of all trades first, at most 15 of a type", () => {
  const many = (limitType: string, count: number) =>
    Array.from({ length: count }, (_, at) => limit({ limitType, contractId: `x${at}` }));
  const limits = [...many("notional", 15), limit(), ...many("mw", 15), ...many("mwh", 2)];
  const more = { usedNotional: 1, usedMw: 2, usedMwh: 3, notes: "Noted.", documentation: "pending", tradable: false };
  const answer = asked(getExtended, { counterpartyId: "B" }, [pair("C", []), pair("B", limits, more)]);
  expect(answer).toMatchObject({
    entityId: "A",
    counterpartyId: "B",
    tradable: false,
    reason: "entity_documents",
    usage: { notional: 1, mw: 2, mwh: 3 },
    documentationStatus: { entity: "pending", counterparty: "docs_in_place", inPlace: false },
    notes: "Noted.",
  });
  const shown = answer["limits"] as unknown as Record<string, { contractId: string | null }[]>;
  expect(Object.entries(shown).map(([type, { length }]) => [type, length])).toEqual([
    ["notional", 15],
    ["mw", 15],
    ["mwh", 2],
  ]);
  expect(shown["notional"]!.map(({ contractId }) => contractId)).toEqual([
    null,
    ...Array.from({ length: 14 }, (_, at) => `x${at}`),
  ]);
  expect(answer["note"]).toContain("limits leaves out 1 limits");
  expect(asked(getExtended, { counterpartyId: "C" }, [pair("C", [])])["note"]).toBeUndefined();
});

test("a counterparty without credit is not found, with the one that was probably meant", () => {
  const pairs = [pair("bolt-energy", [])];
  expect(() => asked(getExtended, { counterpartyId: "bolt-enrgy" }, pairs)).toThrow(expect.objectContaining({
    code: "not_found",
    message: "The backend has no limits and no documentation status of A for bolt-enrgy.",
    hint: expect.stringMatching(/bolt-energy.*mkt_list_credit_limit_configs lists/),
  }));
});

test.each([1, 2, 3, 4, 5])(
  "all limits of an entity come in pages of %d, each once, also those that differ in one thing",
  (size) => {
    const limits = [limit(), limit({ limitType: "mw" }), limit({ contractId: "c1" }), limit({ contractId: "c2" })];
    const pairs = [pair("B", limits), pair("C", limits)];
    const seen: string[] = [];
    let cursor: unknown = undefined;
    do {
      const answer: Answer = asked(listConfigs, { limit: size, cursor }, pairs);
      expect(answer).toMatchObject({ entityId: "A", totalConfigs: 8, count: answer.configs.length });
      seen.push(
        ...answer.configs.map((row) => JSON.stringify([row["counterpartyId"], row["limitType"], row["contractId"]])),
      );
      cursor = answer["cursor"];
      expect(answer["hasMore"]).toBe(cursor !== null);
    } while (cursor !== null && seen.length < 20);
    expect([seen.length, new Set(seen).size]).toEqual([8, 8]);
  },
);

test("credit needs a connection, and the permission to see it", () => {
  for (const { requires } of credit) expect(requires).toEqual({ connection: "read", permissions: ["Credit.View"] });
});
