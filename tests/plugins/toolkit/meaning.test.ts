// What a caller probably meant, in a market small enough to see every candidate.

import { describe, expect, test } from "bun:test";
import { nearestModule, onlyMeaning, suggestedIds } from "../../../plugins/toolkit/meaning.ts";
import { snapshotOf } from "../support/still-market.ts";

const contract = (productCode: string, period: string, status = "listed") => ({
  productCode,
  productId: productCode.toLowerCase(),
  code: `${productCode}-${period}`,
  name: `${productCode} base ${period}`,
  engineId: `ENG-${productCode}-${period}`,
  deliveryStart: `${period}-01T06:00:00.000Z`,
  hours: 1,
  status,
});

const snapshot = snapshotOf({
  "/CONTRACT/NORTH-MO-2027-01": contract("NORTH-MO", "2027-01", "expired"),
  "/CONTRACT/NORTH-MO-2027-02": contract("NORTH-MO", "2027-02"),
  "/CONTRACT/NORTH-MO-2027-03": contract("NORTH-MO", "2027-03"),
  "/CONTRACT/WEST-MO-2027-03": contract("WEST-MO", "2027-03"),
  "/ENGINE/ENG-WEST-MO-2027-03": { contractId: "WEST-MO-2027-03" },
  "/ENTITY/CEDAR": { code: "CDR", name: "Cedar Ridge Nuclear" },
  "/ENTITY/SUMMIT": { code: "SMT", name: "Summit Commodities" },
  "/ORDER/ORD-7": { clientOrderId: "mine", status: "working", contractId: "WEST-MO-2027-03", entityId: "CEDAR" },
  "/FILL/FIL-1": { orderId: "ORD-7", entityId: "CEDAR", counterpartyId: "SUMMIT" },
});

describe("an id that does not exist probably means", () => {
  test.each(
    [
      ["CONTRACT", "NORTH-MO", ["NORTH-MO-2027-02", "NORTH-MO-2027-03"]],
      ["CONTRACT", "west-mo-2027-03", ["WEST-MO-2027-03"]],
      ["CONTRACT", "ENG-WEST-MO-2027-03", ["WEST-MO-2027-03"]],
      ["CONTRACT", "ORD-7", ["WEST-MO-2027-03"]],
      ["CONTRACT", "North March 2027", ["NORTH-MO-2027-03"]],
      ["CONTRACT", "2027-02-01", ["NORTH-MO-2027-02"]],
      ["CONTRACT", "NORTH-MO-2027-2", ["NORTH-MO-2027-02"]],
      ["CONTRACT", "mo-2027", ["NORTH-MO-2027-02", "NORTH-MO-2027-03", "WEST-MO-2027-03"]],
      ["CONTRACT", "weather derivative", []],
      ["CONTRACT", "", []],
      ["ENTITY", "cdr", ["CEDAR"]],
      ["ENTITY", "Cedar Ridge", ["CEDAR"]],
      ["ENTITY", "SUMIT", ["SUMMIT"]],
      ["ENTITY", "FIL-1", ["CEDAR", "SUMMIT"]],
      ["ORDER", "mine", ["ORD-7"]],
      ["ORDER", "ord-7", ["ORD-7"]],
      ["ORDER", "FIL-1", ["ORD-7"]],
      ["ORDER", "7", ["ORD-7"]],
      ["ORDER", "order 7", ["ORD-7"]],
      ["ORDER", "ORD-8", []],
      ["ORDER", "working", []],
    ] as const,
  )("%s %p", (type, given, expected) => expect(suggestedIds(snapshot, type, given)).toEqual([...expected]));

  test("one of many: the first five", () => {
    const many = snapshotOf(Object.fromEntries(
      Array.from({ length: 12 }, (_, day) => [`/CONTRACT/DA-${day + 10}`, contract("DA", `2027-${day + 10}`)]),
    ));
    expect(suggestedIds(many, "CONTRACT", "da")).toHaveLength(5);
  });

  test("nothing that makes a search long: hostile text", () => {
    for (const given of ["a ".repeat(50_000), "(".repeat(10_000), "\\d{4}-[", "mar$(", "\u0000"]) {
      expect(suggestedIds(snapshot, "CONTRACT", given)).toBeArray();
    }
  });
});

test("only a certain meaning is used, and only if there is one", () => {
  expect(onlyMeaning(snapshot, "CONTRACT", "west-mo-2027-03")).toBe("WEST-MO-2027-03");
  expect(onlyMeaning(snapshot, "ORDER", "ord-7")).toBe("ORD-7");
  for (const [type, text] of [["CONTRACT", "NORTH-MO-2027-2"], ["ENTITY", "FIL-1"], ["ORDER", "7"]] as const) {
    expect(onlyMeaning(snapshot, type, text)).toBeNull();
  }
});

test("the nearest of items without a snapshot", () => {
  const items = [{ id: "u1", name: "Ann Lee" }, { id: "u2", name: "Bob" }];
  expect(nearestModule("Ann Le", items)).toEqual(["u1"]);
  expect(nearestModule("zzzzzz", items)).toEqual([]);
});
