// Two users of different entities, each with an mkt of their own, trade with each other.

import { expect, test } from "bun:test";
import { succeed } from "../support/official-client.ts";
import { NORTH, startPowerMarket, submit } from "../support/power-market.ts";
import { until } from "../support/until.ts";

const market = await startPowerMarket();
const [anna, bert] = await Promise.all([market.trader("anna"), market.trader("bert")]);

test("a sell that crosses a resting buy fills both at the resting price", async () => {
  const buy = await submit(anna, "BUY", 4500, 30);
  const sell = await submit(bert, "SELL", 4400, 20);
  expect(sell["orderDetails"]).toMatchObject({ status: "filled", filledQuantity: 20, averagePrice: 4500 });

  const buyId = buy["orderId"] as string;
  const filled = await until(
    () => succeed(anna, "mkt_get_order", { orderId: buyId }),
    ({ filledQuantity }) => filledQuantity === 20,
  );
  expect(filled).toMatchObject({ status: "partial", remainingQuantity: 10 });
});

test("the fill appears in mkt_list_fills of both, once for each side", async () => {
  const ofAnna = await succeed(anna, "mkt_list_fills", { entityId: "aurora" });
  const traded = { price: 4500, quantity: 20 };
  expect(ofAnna["fills"]).toMatchObject([{ ...traded, counterpartyId: "borealis", side: "BUY" }]);
  const ofBert = await succeed(bert, "mkt_list_fills", { entityId: "borealis" });
  expect(ofBert["fills"]).toMatchObject([{ ...traded, counterpartyId: "aurora", side: "SELL" }]);
  const [fill] = ofAnna["fills"] as { id: string }[];
  expect(await succeed(bert, "mkt_get_fill", { fillId: fill?.id }))
    .toMatchObject({ ...fill, liquidity: "resting" });
});

test("the fill appears in mkt_watch_fills, with one new.trade", async () => {
  const watched = await succeed(anna, "mkt_watch_fills", {});
  const types = (watched["events"] as { type: string }[]).map(({ type }) => type).sort();
  expect(types).toEqual(["new.fill", "new.fill", "new.trade"]);
  const fillsOnly = await succeed(anna, "mkt_watch_fills", { fillTypes: ["new.fill"] });
  expect(fillsOnly["count"]).toBe(2);
});

test("the book shows what is left, and no empty level", async () => {
  expect(await succeed(bert, "mkt_get_order_book", { contractId: NORTH })).toMatchObject({
    bids: [{ price: 4500, volume: 10, orderCount: 1 }],
    asks: [],
    spread: null,
    totalWorkingOrders: 1,
  });
});

test("the trade uses credit on both sides: 20 MW x 24 h x $45 = $21,600", async () => {
  const aurora = await succeed(anna, "mkt_get_extended_credit", { entityId: "aurora", counterpartyId: "borealis" });
  const borealis = await succeed(bert, "mkt_get_extended_credit", { entityId: "borealis", counterpartyId: "aurora" });
  for (const credit of [aurora, borealis]) {
    expect(credit["usage"]).toMatchObject({ notional: 21_600, mw: 20, mwh: 480 });
  }
  const limits = await succeed(bert, "mkt_list_credit_limit_configs", { entityId: "borealis" });
  expect(limits["totalConfigs"]).toBe(2);
  expect(limits["configs"]).toMatchObject([
    { limitType: "notional", scope: "total", value: 2_000_000, used: 21_600, available: 1_978_400 },
    { limitType: "mw", scope: "per_contract", contractId: NORTH, value: 50, used: 20, available: 30 },
  ]);
});

test("an order above the available credit fills in part, and the rest stays in the book", async () => {
  await submit(anna, "BUY", 4500, 90);
  const sell = await submit(bert, "SELL", 4500, 60);
  expect(sell["orderDetails"]).toMatchObject({ status: "partial", filledQuantity: 30, remainingQuantity: 30 });
  // Updates may reach anna some milliseconds after bert's answer.
  const book = await until(
    () => succeed(anna, "mkt_get_order_book", { contractId: NORTH }),
    ({ asks }) => (asks as unknown[]).length > 0,
  );
  expect(book).toMatchObject({
    bids: [{ price: 4500, volume: 70, orderCount: 1 }],
    asks: [{ price: 4500, volume: 30, orderCount: 1 }],
    spread: 0,
  });
});
