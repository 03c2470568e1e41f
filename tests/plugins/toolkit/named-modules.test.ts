// A filter that names a module which doesn't exist is an error with the nearest name, and never an empty list.

import { expect, test } from "bun:test";
import { checkNamedModules } from "../../../plugins/toolkit/named-modules.ts";
import { snapshotOf } from "../support/still-market.ts";

const contract = { productCode: "NORTH-DA", code: "N-1", name: "North 1", status: "listed" };
const snapshot = snapshotOf({ "/CONTRACT/NORTH-1": contract, "/CONTRACT/NORTH-2": { ...contract, code: "N-2" } });

/** The unknown name that the error has; null without one. */
function unknownIn(contractId: unknown): string | null {
  try {
    checkNamedModules(snapshot, { contractId });
    return null;
  } catch (error) {
    expect(error).toMatchObject({ code: "not_found", hint: expect.stringContaining("NORTH-") });
    return /NORTH-X\d/.exec((error as Error).message)?.[0] ?? null;
  }
}

test.each<[unknown, string | null]>([
  ["NORTH-1", null],
  ["NORTH-X1", "NORTH-X1"],
  [{ value: "NORTH-X1" }, "NORTH-X1"],
  [{ value: ["NORTH-1", "NORTH-2"], operator: "in" }, null],
  [{ value: ["NORTH-1", "NORTH-X2"], operator: "in" }, "NORTH-X2"],
  [{ value: ["NORTH-X1", "NORTH-1"], operator: "in" }, "NORTH-X1"],
  [{ value: "NORTH-X1", operator: "contains" }, null],
  [{ value: [], operator: "in" }, null],
  [null, null],
])("the filter %j has the unknown name %p", (filter, unknown) => {
  expect(unknownIn(filter)).toBe(unknown);
});
