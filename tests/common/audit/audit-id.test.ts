import { describe, expect, test } from "bun:test";
import { auditId, epochOf, isAuditId, numberOf } from "../../../common/audit/audit-id.ts";

const ID = "0001764547200000-000000000042";

test("an id has its epoch and its number", () => {
  expect(auditId(1_764_547_200_000, 42)).toBe(ID);
  expect([epochOf(ID), numberOf(ID), isAuditId(ID)]).toEqual([1_764_547_200_000, 42, true]);
});

test("ids sort by age as text, also across epochs", () => {
  const ages = [[1, 1], [1, 9], [1, 10], [1, 999_999_999_999], [2, 1], [10, 2], [9_007_199_254_740_991, 1]] as const;
  const ids = ages.map(([epoch, number]) => auditId(epoch, number));
  expect(ids.toReversed().toSorted()).toEqual(ids);
  expect(ids.map((id) => [epochOf(id), numberOf(id)])).toEqual(ages.map((age) => [...age]));
});

describe("what is no id is refused", () => {
  test.each([
    ["a longer one", `${ID}1`],
    ["one with something after it", `${ID} `],
    ["one with a line break after it", `${ID}\n`],
    ["one with something before it", `1${ID}`],
    ["a shorter number", ID.slice(0, -1)],
    ["a shorter epoch", ID.slice(1)],
    ["another separator", ID.replace("-", ":")],
    ["a letter", ID.replace("42", "4x")],
    ["a sign", ID.replace("0000042", "-000042")],
    ["two of them", `${ID}${ID}`],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(isAuditId(text)).toBe(false);
    const message = `${JSON.stringify(text)} is not the id of an audit event`;
    expect(() => numberOf(text)).toThrow(message);
    expect(() => epochOf(text)).toThrow(message);
  });
});
