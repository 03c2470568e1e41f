import { expect, test } from "bun:test";
import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import {
  BUILT_IN_MARKET,
  builtInMarketNamed,
  isBuiltInMarket,
  TIGHT_CREDIT_MARKET,
} from "../../../engine/definition/built-in-markets.ts";
import { checkDefinition } from "../../../engine/definition/check-definition.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import { withTightCredit } from "../../../engine/definition/tight-credit.ts";

const market = builtInMarket();
const tight = withTightCredit(market);
const ids = market.entities.map(({ id }) => id);
const granted = new Map(tight.credit.map((credit) => [`${credit.entityId}:${credit.counterpartyId}`, credit]));

test("tight credit changes nothing but the credit, and says of each ordered pair of companies what one grants the other", () => {
  const { credit, creditDefaults } = market;
  const before: MarketDefinition = { ...tight, credit, creditDefaults };
  expect(before).toEqual(market);
  expect(tight.creditDefaults).toBeUndefined();
  const pairs = ids.flatMap((one) => ids.filter((other) => other !== one).map((other) => `${one}:${other}`));
  expect([...granted.keys()]).toEqual(pairs);
  expect(tight.credit).toHaveLength(pairs.length);
  expect(withTightCredit(market)).toEqual(tight);
  expect(checkDefinition(JSON.parse(JSON.stringify(tight)))).toMatchObject({ ok: true });
});

test("each company grants a limit in dollars of its own, of which a fifth of a trade's value counts", () => {
  const dollars = ids.map((one) =>
    ids.filter((other) => other !== one).map((other) => {
      const { limits } = granted.get(`${one}:${other}`)!;
      expect(limits[0]).toMatchObject({ limitType: "notional", scope: "total", marginPercent: 20 });
      return limits[0]!.limit;
    })
  );
  expect(dollars[0]!.slice(0, 7)).toEqual([4_000_000, 2_500_000, 250_000, 400_000, 600_000, 800_000, 1_000_000]);
  expect(dollars[1]!.slice(0, 3)).toEqual([1_000_000, 4_000_000, 2_500_000]);
});

test("a pair in six also has a limit of few MW, in both directions", () => {
  const few = [...granted].filter(([, { limits }]) => limits.length > 1).map(([pair]) => pair);
  for (const pair of few) {
    const [entityId = "", counterpartyId = ""] = pair.split(":");
    expect(few).toContain(`${counterpartyId}:${entityId}`);
    expect(granted.get(pair)?.limits.slice(1)).toEqual([
      { limitType: "mw", scope: "total", limit: 20, marginPercent: 100 },
    ]);
  }
  expect(few.slice(0, 3)).toEqual([`${ids[0]}:${ids[6]}`, `${ids[0]}:${ids[12]}`, `${ids[1]}:${ids[5]}`]);
  expect(Math.round(granted.size / few.length)).toBe(6);
});

test("in one of thirteen cases a company has yet to sign the contract, which the other has signed", () => {
  const pending = [...granted].filter(([, { documentation }]) => documentation !== "docs_in_place");
  expect(new Set(pending.map(([, { documentation }]) => documentation))).toEqual(new Set(["pending"]));
  expect(pending.slice(0, 3).map(([pair]) => pair))
    .toEqual([`${ids[0]}:${ids[13]}`, `${ids[1]}:${ids[10]}`, `${ids[2]}:${ids[7]}`]);
  expect(granted.get(`${ids[10]}:${ids[1]}`)?.documentation).toBe("docs_in_place");
});

test("a built-in market has a name, and no other name is one", () => {
  expect([BUILT_IN_MARKET, TIGHT_CREDIT_MARKET]).toEqual(["builtin", "builtin-credit"]);
  expect(builtInMarketNamed("builtin")).toEqual(market);
  expect(builtInMarketNamed("builtin-credit")).toEqual(tight);
  expect(["builtin", "builtin-credit", "builtin-", "Builtin", "market.json"].map(isBuiltInMarket))
    .toEqual([true, true, false, false, false]);
  expect(builtInMarketNamed("market.json")).toBeNull();
});
