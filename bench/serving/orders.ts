// Fills the market of the bench: a book with many levels on both sides, and trades. Every connected server gets the events.

import { builtInMarket } from "../../engine/definition/built-in-market.ts";
import { contractsAt } from "../../engine/definition/listed-contracts.ts";
import { BUY, SELL } from "../../protocol/sides.ts";
import { LoadClient, orderIdOf } from "../../tests/support/load-client.ts";

/** A Wednesday, 10:05 in the market's time zone. */
export const MARKET_BEGINS = Date.UTC(2026, 2, 4, 16, 5);

const [SELLER, BUYER] = ["riverbend-trader-1", "lakeshore-trader-1"];
const RESTING_ORDERS = 400;
const TRADES = 100;
/** Cents/MWh. */
const BEST_BID = 4_900;
const BEST_ASK = 5_100;
const PRICE_STEP = 5;
/** Orders of one level. */
const DEPTH = 8;

/** One of each order, and for each trade a change of both of its orders. */
export const ORDER_EVENTS = 1 + RESTING_ORDERS + TRADES * 3;

export interface FilledMarket {
  readonly contractId: string;
  /** An open order that doesn't cross the book, partly filled. */
  readonly orderId: string;
  /** Ends the connections of the traders. Until then they are kept, because their end would be an event, too. */
  readonly close: () => void;
}

export async function fillMarket(url: string): Promise<FilledMarket> {
  const contractId = contractsAt(builtInMarket(), MARKET_BEGINS).at(-1)?.id ?? "";
  const socketUrl = `${url.replace("http:", "ws:")}/ws`;
  const clients = {
    [SELL]: await new LoadClient(socketUrl, SELLER).welcomed(),
    [BUY]: await new LoadClient(socketUrl, BUYER).welcomed(),
  };
  let count = 0;
  const submit = async (side: typeof BUY | typeof SELL, price: number, quantity: number) => {
    const operationId = `bench-${++count}`;
    const payload = { contractId, side, price, quantity, timeInForce: "gtc" };
    const response = await clients[side].request("order.submit", payload, operationId);
    if (response?.status !== "ok") throw new Error(`${operationId}: ${response?.code ?? "not answered"}`);
    return orderIdOf(response);
  };
  const orderId = await submit(SELL, BEST_ASK, TRADES * 5 + 50);
  for (let at = 0; at < RESTING_ORDERS / 2; at += 1) {
    const distance = Math.floor(at / DEPTH) * PRICE_STEP;
    await submit(BUY, BEST_BID - distance, 5 + at % 7);
    await submit(SELL, BEST_ASK + distance, 5 + at % 11);
  }
  for (let at = 0; at < TRADES; at += 1) await submit(BUY, BEST_ASK, 5);
  const close = () => Object.values(clients).forEach((client) => client.close());
  return { contractId, orderId, close };
}
