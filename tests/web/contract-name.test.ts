import { expect, test } from "bun:test";
import { contractName } from "../../web/components/contract-name.ts";

const ZONE = "America/Chicago";

interface Named {
  readonly node?: string;
  readonly productName?: string;
  /** All between start and end if absent. */
  readonly hours?: number;
}

function nameOf(productType: string, deliveryStart: string, deliveryEnd: string, named: Named = {}) {
  const { node = "NORTH", productName = "Some product", hours } = named;
  return contractName({
    contractId: "C",
    productName,
    productType,
    node,
    deliveryStart: `${deliveryStart}:00Z`,
    deliveryEnd: `${deliveryEnd}:00Z`,
    hours: hours ?? (Date.parse(`${deliveryEnd}:00Z`) - Date.parse(`${deliveryStart}:00Z`)) / 3_600_000,
  }, ZONE);
}

test("an hour has its number in the day and its time at the market", () => {
  expect(nameOf("hour", "2026-11-23T02:00", "2026-11-23T03:00")).toMatchObject({
    short: "Hour 21",
    full: "NORTH, hour 21 of Nov 22",
    delivery: "20–21 h",
    group: { title: "Hours of Sun, Nov 22", kind: "hours" },
  });
});

test("the hours of a day on which clocks change are counted from midnight", () => {
  // On 1 November 2026 the hour from 01:00 to 02:00 comes twice.
  const hours = ["05", "06", "07", "08"].map((hour, index) =>
    nameOf("hour", `2026-11-01T${hour}:00`, `2026-11-01T0${6 + index}:00`)
  );
  expect(hours.map(({ short, delivery }) => `${short} ${delivery}`).join(", "))
    .toBe("Hour 1 00–01 h, Hour 2 01–01 h, Hour 3 01–02 h, Hour 4 02–03 h");
  // On 8 March the hour from 02:00 to 03:00 is left out.
  expect(nameOf("hour", "2026-03-08T08:00", "2026-03-08T09:00").short).toBe("Hour 3");
  expect(new Set(hours.map(({ group }) => group.key)).size).toBe(1);
});

test("a quarter of an hour is called by its time", () => {
  expect(nameOf("hour", "2026-11-23T02:00", "2026-11-23T02:15")).toMatchObject({
    short: "20:00–20:15",
    full: "NORTH, 20:00–20:15 of Nov 22",
  });
});

test.each([
  ["base", "2026-11-23T06:00", "2026-11-24T06:00", "Base, Mon, Nov 23"],
  ["peak", "2026-11-23T12:00", "2026-11-24T04:00", "Peak, Mon, Nov 23"],
  ["weekend", "2026-11-28T06:00", "2026-11-30T06:00", "Weekend, Nov 28–29"],
  ["week", "2026-11-23T06:00", "2026-11-30T06:00", "Week 48, Nov 23–29"],
  ["week", "2026-11-30T06:00", "2026-12-07T06:00", "Week 49, Nov 30 – Dec 6"],
  ["month", "2026-12-01T06:00", "2027-01-01T06:00", "Dec 2026"],
  ["quarter", "2027-04-01T05:00", "2027-07-01T05:00", "Q2 2027"],
  ["year", "2027-01-01T06:00", "2028-01-01T06:00", "Year 2027"],
])("a %s from %s to %s is called %s", (productType, start, end, name) => {
  expect(nameOf(productType, start, end).full).toBe(`NORTH, ${name}`);
});

test("weeks are those of ISO 8601 at the turn of a year", () => {
  expect(nameOf("week", "2026-12-28T06:00", "2027-01-04T06:00").full).toContain("Week 53,");
  expect(nameOf("week", "2027-01-04T06:00", "2027-01-11T06:00").full).toContain("Week 1,");
});

test("another kind of delivery is called by its product", () => {
  expect(nameOf("balancing", "2026-11-23T02:00", "2026-11-23T03:00", { node: "" }).full).toBe("Some product, Nov 22");
});

test("a delivery in certain hours is called peak only if its product is", () => {
  const monthOf = (productName: string, hours?: number) =>
    nameOf("month", "2026-12-01T12:00", "2027-01-01T04:00", { productName, ...(hours !== undefined && { hours }) })
      .short;
  expect(monthOf("Month peak", 352)).toBe("Dec 2026 peak");
  expect(monthOf("Month off-peak", 392)).toBe("Dec 2026 (Month off-peak)");
  expect(monthOf("Solar hours", 300)).toBe("Dec 2026 (Solar hours)");
  expect(monthOf("Gas month")).toBe("Dec 2026");
});
