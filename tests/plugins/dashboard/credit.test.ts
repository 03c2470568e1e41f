// Which pairs the matrix of credit has, and for whom.

import { describe, expect, test } from "bun:test";
import { credit } from "../../../plugins/dashboard/credit.ts";
import type { CreditLimit } from "../../../protocol/modules/registry.ts";
import type { CreditMatrix } from "../../../web/contract/credit.ts";
import { pubsubThatIs, servicesWith } from "../../core/support/services.ts";
import { wholeModule } from "../../support/modules.ts";
import { NOW, snapshotOf } from "../support/still-market.ts";

interface User {
  readonly entityId: string | null;
  readonly capabilities: readonly string[];
}

const OWN: User = { entityId: "A", capabilities: [] };
const ALL: User = { entityId: "A", capabilities: ["Scope.Global"] };

interface More {
  /** Of each pair. */
  readonly limits?: readonly CreditLimit[];
  readonly modules?: Readonly<Record<string, Record<string, unknown>>>;
}

function matrixOf(
  pairs: readonly (readonly [entityId: string, counterpartyId: string])[],
  user: User | null,
  { limits = [], modules: others = {} }: More = {},
) {
  const modules = Object.fromEntries(pairs.map(([entityId, counterpartyId]) => [
    `/CREDIT/${entityId}-${counterpartyId}`,
    wholeModule("CREDIT", { entityId, counterpartyId, tradable: true, limits }),
  ]));
  const snapshot = snapshotOf({
    "/ENTITY/C": wholeModule("ENTITY", { name: "Cedar", code: "CED" }),
    "/ENTITY/A": wholeModule("ENTITY", { name: "Aspen", code: "ASP" }),
    "/ENTITY/Z": wholeModule("ENTITY", { name: "Zinnia", code: "ZIN" }),
    ...modules,
    ...others,
  });
  const pubsub = pubsubThatIs("connected");
  const session = user === null ? null : { ...pubsub.session!, ...user };
  return credit(servicesWith({ snapshot, pubsub: { ...pubsub, session } }) as never).json() as Promise<CreditMatrix>;
}

const PAIRS = [["A", "B"], ["B", "A"], ["C", "A"], ["B", "C"], ["A", "C"]] as const;
const named = ({ pairs }: CreditMatrix) => pairs.map(({ entityId, counterpartyId }) => `${entityId}${counterpartyId}`);

describe("the matrix of credit", () => {
  test.each<[name: string, user: User | null, pairs: string[]]>([
    ["what their own entity grants", OWN, ["AB", "AC"]],
    ["what another one grants", { ...OWN, entityId: "C" }, ["CA"]],
    ["everything with Scope.Global", ALL, ["AB", "BA", "CA", "BC", "AC"]],
    ["everything with Scope.Global, also without an entity", { ...ALL, entityId: null }, [
      "AB",
      "BA",
      "CA",
      "BC",
      "AC",
    ]],
    ["nothing without an entity", { ...OWN, entityId: null }, []],
    ["nothing before anybody is connected", null, []],
  ])("shows a user %s", async (_name, user, pairs) => {
    const matrix = await matrixOf(PAIRS, user);
    expect(named(matrix).toSorted()).toEqual(pairs.toSorted());
    expect(matrix).toMatchObject({ total: pairs.length, truncated: false, asOf: NOW });
  });

  test("names both sides of its pairs and no others: those known in the market's order, then the rest by their ids", async () => {
    const { entities } = await matrixOf([["A", "B"], ["A", "C"]], OWN);
    expect(entities).toEqual([
      { id: "C", name: "Cedar", code: "CED" },
      { id: "A", name: "Aspen", code: "ASP" },
      { id: "B", name: "B", code: "B" },
    ]);
  });

  test.each([[2_500, false], [2_501, true]])(
    "of %d pairs says whether some are left out: %p",
    async (count, truncated) => {
      const pairs = Array.from({ length: count }, (_, at) => ["A", `N${at}`] as const);
      const matrix = await matrixOf(pairs, OWN);
      expect([matrix.pairs.length, matrix.total, matrix.truncated]).toEqual([2_500, count, truncated]);
      expect(matrix.entities).toHaveLength(2_501);
    },
  );

  test("has another revision once credit has changed", async () => {
    const revisions = [await matrixOf(PAIRS.slice(0, 1), ALL), await matrixOf(PAIRS, ALL)].map(({ revision }) =>
      revision
    );
    expect(revisions[1]).toBeGreaterThan(revisions[0]!);
  });
});

describe("the limits of a pair", () => {
  const limit = (limitType: CreditLimit["limitType"], used: number, more: Partial<CreditLimit> = {}): CreditLimit => ({
    ...{ limitType, scope: "total", contractId: null, limit: 100, marginPercent: 100, used, available: 100 - used },
    ...more,
  });
  const order = (id: string, data: Record<string, unknown>) => [
    `/ORDER/${id}`,
    wholeModule("ORDER", { entityId: "A", side: 0, status: "working", ...data }),
  ];
  const contract = (id: string, hours: number) => [`/CONTRACT/${id}`, wholeModule("CONTRACT", { hours })];
  const modules = Object.fromEntries([
    ...[contract("day", 24), contract("hour", 1)],
    order("o1", { contractId: "day", price: 4_000, quantity: 10, remainingQuantity: 6, status: "partial" }),
    order("o2", { contractId: "day", price: -500, remainingQuantity: 2, status: "held", side: 1 }),
    order("o3", { contractId: "hour", price: 10_000, remainingQuantity: 5 }),
    order("o4", { contractId: "hour", price: 10_000, remainingQuantity: 0, status: "filled" }),
    order("o5", { contractId: "hour", price: 10_000, remainingQuantity: 7, status: "cancelled" }),
    order("o6", { contractId: "day", price: 4_000, remainingQuantity: 90, entityId: "B" }),
    order("o7", { contractId: "gone", price: 4_000, remainingQuantity: 90 }),
  ]);

  test.each<[limit: CreditLimit, ownOrders: number]>([
    // 6 MW for 24 hours at 40.00, 2 MW at -5.00, and 5 MW for an hour at 100.00.
    [limit("notional", 1), 6_500],
    [limit("notional", 1, { marginPercent: 50 }), 3_250],
    [limit("notional", 1, { marginPercent: 0 }), 0],
    [limit("notional", 1, { contractId: "hour", scope: "per_contract", marginPercent: 10 }), 50],
    [limit("mw", 1), 13],
    [limit("mw", 1, { marginPercent: 50 }), 13],
    [limit("mw", 1, { contractId: "day", scope: "per_contract" }), 8],
    [limit("mwh", 1), 197],
    [limit("mwh", 1, { contractId: "hour", scope: "per_contract" }), 5],
    [limit("mwh", 1, { contractId: "other", scope: "per_contract" }), 0],
  ])("%j: own open orders would use %d of it", async (one, ownOrders) => {
    const { pairs } = await matrixOf([["A", "B"]], OWN, { limits: [one], modules });
    expect(pairs[0]!.limits.map(({ ownOrders }) => ownOrders)).toEqual([ownOrders]);
  });

  test("count own orders on both sides of the own entity, and of nobody else", async () => {
    const usesOf = async (user: User) => {
      const { pairs } = await matrixOf([["A", "B"], ["B", "A"], ["B", "C"]], user, {
        limits: [limit("mw", 1)],
        modules,
      });
      return pairs.map(({ limits: [use] }) => use!.ownOrders);
    };
    expect([await usesOf(ALL), await usesOf({ ...ALL, entityId: null })]).toEqual([[13, 13, null], [null, null, null]]);
    expect(await usesOf({ ...OWN, entityId: "B" })).toEqual([90, 90]);
  });

  test("are the five of which most is used, in this order, and the rest is counted", async () => {
    const limits = [
      ...[limit("mw", 10), limit("mwh", 300, { limit: 1_000 }), limit("notional", 0, { limit: 0 })],
      ...[limit("mw", 90), limit("mw", 5), limit("mw", 120), limit("mw", 1)],
    ];
    const { pairs: [pair] } = await matrixOf([["A", "B"]], OWN, { limits });
    expect(pair!.limits.map(({ limitType, used }) => `${limitType} ${used}`))
      .toEqual(["notional 0", "mw 120", "mw 90", "mwh 300", "mw 10"]);
    expect(pair!.limitsLeftOut).toBe(2);
    expect(pair!.limits[1]).toEqual({
      ...{ limitType: "mw", contractId: null, limit: 100, used: 120, available: -20, ownOrders: 0 },
    });
  });
});
