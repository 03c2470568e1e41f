// Which pairs the matrix of credit has, and for whom.

import { describe, expect, test } from "bun:test";
import { credit } from "../../../plugins/dashboard/credit.ts";
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

function matrixOf(pairs: readonly (readonly [entityId: string, counterpartyId: string])[], user: User | null) {
  const modules = Object.fromEntries(pairs.map(([entityId, counterpartyId]) => [
    `/CREDIT/${entityId}-${counterpartyId}`,
    wholeModule("CREDIT", { entityId, counterpartyId, tradable: true, limits: [] }),
  ]));
  const snapshot = snapshotOf({
    "/ENTITY/C": wholeModule("ENTITY", { name: "Cedar", code: "CED" }),
    "/ENTITY/A": wholeModule("ENTITY", { name: "Aspen", code: "ASP" }),
    "/ENTITY/Z": wholeModule("ENTITY", { name: "Zinnia", code: "ZIN" }),
    ...modules,
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
