import { describe, expect, test } from "bun:test";
import { contractTitle } from "../../../plugins/toolkit/contract-title.ts";
import { snapshotOf } from "../support/still-market.ts";

function titleOf(deliveryStart: string, deliveryEnd: string, timezone = "Europe/Oslo"): string {
  const snapshot = snapshotOf({
    "/MARKET/M": { timezone },
    "/CONTRACT/C": { marketId: "M", productCode: "P", name: "The contract", deliveryStart, deliveryEnd },
  });
  return contractTitle(snapshot.get("CONTRACT", "C")!, snapshot);
}

describe("the title of a contract", () => {
  test("has the hours at the market; the end of the day is 24:00", () => {
    expect(titleOf("2030-06-01T06:00:00Z", "2030-06-01T07:00:00Z")).toBe("P, 2030-06-01 08:00 to 09:00");
    expect(titleOf("2030-06-01T21:00:00Z", "2030-06-01T22:00:00Z")).toBe("P, 2030-06-01 23:00 to 24:00");
    expect(titleOf("2030-06-01T21:00:00Z", "2030-06-02T05:00:00Z")).toBe(
      "P, 2030-06-01 23:00 to 2030-06-02 07:00",
    );
  });

  test("has only days if whole days are delivered, also if the clocks change meanwhile", () => {
    expect(titleOf("2030-05-31T22:00:00Z", "2030-06-01T22:00:00Z")).toBe("P, 2030-06-01");
    expect(titleOf("2030-02-28T23:00:00Z", "2030-03-31T22:00:00Z")).toBe("P, 2030-03-01 to 2030-03-31");
  });

  test("has the name if the zone or a time can't be read", () => {
    expect(titleOf("2030-06-01T06:00:00Z", "2030-06-01T07:00:00Z", "Europe/Atlantis")).toBe("P, The contract");
    expect(titleOf("soon", "2030-06-01T07:00:00Z")).toBe("P, The contract");
  });
});
