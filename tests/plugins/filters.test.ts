// Filters of mkt_find_modules, by a client. tests/core/market/filter.test.ts has every pair of operator and property type.

import { beforeAll, expect, test } from "bun:test";
import { succeed } from "../support/official-client.ts";
import { NORTH, startPowerMarket, submit, WEST } from "../support/power-market.ts";
import { until } from "../support/until.ts";

interface Order {
  readonly id: string;
  readonly createdAt: string;
}

const operator = await (await startPowerMarket()).trader("operator");
const orders: Order[] = [];

beforeAll(async () => {
  for (const [contractId, price, quantity] of [[NORTH, 100, 1], [NORTH, 200, 2], [WEST, -300, 5]] as const) {
    const { orderId } = await submit(operator, "BUY", price, quantity, contractId);
    const order = await succeed(operator, "mkt_get_order", { orderId }) as unknown as Order;
    orders.push(order);
    // No two orders may have the same createdAt.
    await until(() => Date.now() > Date.parse(order.createdAt));
  }
});

async function found(moduleType: string, filters: Record<string, unknown>): Promise<string[]> {
  const { ids } = await succeed(operator, "mkt_find_modules", { moduleType, filters });
  return (ids as string[]).toSorted();
}

async function refusal(moduleType: string, filters: Record<string, unknown>): Promise<string> {
  const answer = await operator.call("mkt_find_modules", { moduleType, filters });
  expect(answer).toMatchObject({ isError: true, value: { error: { code: "invalid_filter" } } });
  return answer.text;
}

test("treats a plain value as equality, and applies all filters together", async () => {
  expect(await found("ORDER", { side: 0, contractId: NORTH, price: { value: 150, operator: "gt" } })).toEqual([
    orders[1]!.id,
  ]);
  expect(await found("ORDER", { side: 1 })).toEqual([]);
});

test("refuses an unknown operator, a value of another type, and `in` without an array", async () => {
  expect(await refusal("ORDER", { price: { value: 1, operator: "near" } })).toContain("near");
  expect(await refusal("ORDER", { price: "100" })).toContain("price");
  expect(await refusal("ORDER", { price: { value: 100, operator: "in" } })).toContain("in");
  expect(await refusal("ORDER", { createdAt: { value: "last week", operator: "gt" } })).toContain("createdAt");
  expect(await refusal("ORDER", { status: "done" })).toContain("working");
});
