// Finds the trader whose orders met those of others, within a minute, at the prices that are furthest from one another.

import { z } from "zod";
import { greatest, type Inquiry } from "./inquiry.ts";

const trade = z.object({
  contractId: z.string(),
  buyOrderId: z.string(),
  sellOrderId: z.string(),
  aggressorSide: z.enum(["BUY", "SELL"]),
  price: z.number(),
  time: z.string(),
});
type Trade = z.output<typeof trade>;

const contract = z.object({ productId: z.string() });
const order = z.object({ userId: z.string() });

const MOVE_MS = 60_000;
const LEAST_ORDERS = 3;

export async function priceMover(inquiry: Inquiry): Promise<void> {
  const node = inquiry.told("node");
  const contracts = await inquiry.modules("CONTRACT", contract, { node });
  const products = [`${node}-DA-BASE`, `${node}-DA-PEAK`];
  const watched = new Set(contracts.filter(({ productId }) => products.includes(productId)).map(({ id }) => id));
  const trades = (await inquiry.modules("TRADE", trade)).filter(({ contractId }) => watched.has(contractId))
    .toSorted((one, other) => one.time < other.time ? -1 : one.time > other.time ? 1 : 0);
  const users = new Map((await inquiry.modules("ORDER", order)).map(({ id, userId }) => [id, userId]));
  const userOf = (each: Trade) => users.get(aggressorOf(each)) ?? "";
  const byTrader = Map.groupBy(trades, (each) => `${each.contractId} ${each.aggressorSide} ${userOf(each)}`);
  const moves = [...byTrader.values()].flatMap((own) => own.map((first) => moveFrom(first, own)));
  // Of several with the same share, the one that begins first.
  const { first, orders } = greatest(moves, ({ share }) => share);
  await inquiry.submit({ contract: first.contractId, user: userOf(first), orders });
}

/** The orders of a trader that traded within a minute from a trade on, and how far the price went, if they were several. */
function moveFrom(first: Trade, own: readonly Trade[]) {
  const after = ({ time }: Trade) => Date.parse(time) - Date.parse(first.time);
  const moved = own.filter((each) => after(each) >= 0 && after(each) <= MOVE_MS);
  const orders = [...new Set(moved.map(aggressorOf))];
  const prices = moved.map(({ price }) => price);
  const went = (Math.max(...prices) - Math.min(...prices)) / Math.max(...prices.map(Math.abs));
  return { first, orders, share: orders.length < LEAST_ORDERS ? 0 : went };
}

function aggressorOf({ aggressorSide, buyOrderId, sellOrderId }: Trade): string {
  return aggressorSide === "BUY" ? buyOrderId : sellOrderId;
}
