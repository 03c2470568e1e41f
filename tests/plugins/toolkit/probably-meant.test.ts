import { describe, expect, test } from "bun:test";
import { didYouMean } from "../../../plugins/toolkit/probably-meant.ts";
import { snapshotOf } from "../support/still-market.ts";

const contract = (productCode: string, period: string, status = "listed") => ({
  productCode,
  productId: productCode.toLowerCase(),
  code: `${productCode}-${period}`,
  name: `${productCode} base ${period}`,
  node: productCode.split("-")[0],
  deliveryStart: `${period}-01T06:00:00.000Z`,
  status,
});

const snapshot = snapshotOf({
  "/CONTRACT/NORTH-MO-2027-01": contract("NORTH-MO", "2027-01", "expired"),
  "/CONTRACT/NORTH-MO-2027-02": contract("NORTH-MO", "2027-02"),
  "/CONTRACT/NORTH-MO-2027-03": contract("NORTH-MO", "2027-03"),
  "/CONTRACT/WEST-MO-2027-03": contract("WEST-MO", "2027-03"),
  "/ENTITY/CEDAR": { code: "CDR", name: "Cedar Ridge Nuclear" },
  "/ENTITY/SUMMIT": { code: "SMT", name: "Summit Commodities" },
  "/ORDER/ORD-7": { clientOrderId: "a", status: "working" },
});

describe("an id that does not exist probably means", () => {
  test.each(
    [
      ["CONTRACT", "NORTH-MO", ' Did you mean one of "NORTH-MO-2027-02", "NORTH-MO-2027-03"?'],
      ["CONTRACT", "west-mo-2027-03", ' Did you mean "WEST-MO-2027-03"?'],
      ["CONTRACT", "North March 2027", ' Did you mean "NORTH-MO-2027-03"?'],
      ["CONTRACT", "2027-02-01", ' Did you mean "NORTH-MO-2027-02"?'],
      ["CONTRACT", "NORTH-MO-2027-2", ' Did you mean "NORTH-MO-2027-02"?'],
      ["CONTRACT", "mo-2027", ' Did you mean one of "NORTH-MO-2027-02", "NORTH-MO-2027-03", "WEST-MO-2027-03"?'],
      ["CONTRACT", "weather derivative", ""],
      ["CONTRACT", "", ""],
      ["ENTITY", "cdr", ' Did you mean "CEDAR"?'],
      ["ENTITY", "Cedar Ridge", ' Did you mean "CEDAR"?'],
      ["ENTITY", "SUMIT", ' Did you mean "SUMMIT"?'],
      ["ORDER", "7", ' Did you mean "ORD-7"?'],
      ["ORDER", "order 7", ' Did you mean "ORD-7"?'],
      ["ORDER", "ORD-8", ""],
      ["ORDER", "working", ""],
    ] as const,
  )("%s %p", (type, given, expected) => {
    expect(didYouMean(snapshot, type, given)).toBe(expected);
  });

  test("one of many: the first ones, and how many there are", () => {
    const many = snapshotOf(Object.fromEntries(
      Array.from({ length: 12 }, (_, day) => [`/CONTRACT/DA-${day + 10}`, { productCode: "DA", status: "listed" }]),
    ));
    expect(didYouMean(many, "CONTRACT", "da")).toBe(
      ' Did you mean one of "DA-10", "DA-11", "DA-12", "DA-13" (12 match)?',
    );
  });

  test("nothing that makes a search long: hostile text", () => {
    for (const given of ["a ".repeat(50_000), "(".repeat(10_000), "\\d{4}-[", "mar$(", "\u0000"]) {
      expect(typeof didYouMean(snapshot, "CONTRACT", given)).toBe("string");
    }
  });
});
