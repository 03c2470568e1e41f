// Orders in the built-in market.

import { builtInMarket } from "../../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../../engine/definition/listed-contracts.ts";

export const BUYER = "riverbend-trader-1";

const contractId = contractsAt(builtInMarket(), Date.now()).at(-1)?.id;

/** A buy order that nothing in an empty book can fill. */
export function restingBuy(price = 1000) {
  return { contractId, side: 0, price, quantity: 1, timeInForce: "gtc" };
}
