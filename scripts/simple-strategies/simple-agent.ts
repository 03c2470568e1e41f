// A simple strategy as an agent in this process: a channel that answers each message at once. At each wake-up it cancels what
// still rests and sends the orders of its strategy, so orders rest until the next wake-up at most.

import type { Action, ContractTerms, MktMessage, Observe } from "../../sim/outside/agents/agent-messages.ts";
import type { AgentChannel } from "../../sim/outside/agents/agent-session.ts";
import { availableMw, headroomMw, type MarketView, type Quote, type SimpleStrategy, type Wish } from "./market-view.ts";

/** Levels of each side that it is shown: it has at most one order on a side, and the other level is that of others. */
export const DEPTH = 2;

type Level = Observe["books"][number]["bids"][number];

export class SimpleAgent implements AgentChannel {
  readonly #contracts = new Map<string, Omit<Quote, "bid" | "bidMw" | "ask" | "askMw" | "forecast" | "position">>();
  #messages: unknown[] = [];

  constructor(readonly strategy: SimpleStrategy) {}

  send(message: MktMessage): void {
    if (message.type === "welcome") this.#know(message.contracts);
    if (message.type !== "observe") return;
    this.#know(message.listed);
    const actions = this.#actions(message);
    if (actions.length > 0) this.#messages.push({ type: "act", actions });
    this.#messages.push({ type: "next", inMs: this.strategy.wakeMs });
  }

  receive(): Promise<unknown> {
    return Promise.resolve(this.#messages.shift());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #know(contracts: readonly ContractTerms[]): void {
    for (const contract of contracts) {
      const { contractId, deliveryStart, deliveryEnd } = contract;
      this.#contracts.set(contractId, { contract, start: Date.parse(deliveryStart), end: Date.parse(deliveryEnd) });
    }
  }

  #actions(observe: Observe): Action[] {
    return [
      ...observe.orders.map(({ orderId }) => ({ kind: "cancel", orderId }) as const),
      ...this.strategy.decide(this.#viewOf(observe)).flatMap(submissionOf),
    ];
  }

  #viewOf({ time, positions, orders, books, spot, events, fills }: Observe): MarketView {
    const held = new Map(positions.map(({ contractId, position }) => [contractId, position]));
    const quotes = books.flatMap(({ contractId, isOpen, forecast, bids, asks }): Quote[] => {
      const own = orders.filter((order) => order.contractId === contractId);
      const [bid, ask] = [bestOfOthers(bids, own), bestOfOthers(asks, own)];
      if (!isOpen || bid === undefined || ask === undefined) return [];
      return [{
        ...this.#contracts.get(contractId)!,
        bid: bid.price,
        bidMw: bid.quantity,
        ask: ask.price,
        askMw: ask.quantity,
        forecast,
        position: held.get(contractId) ?? 0,
      }];
    });
    const prices = new Map(spot.map(({ node, price }) => [node, price]));
    return { time: Date.parse(time), quotes, spot: prices, events, fills };
  }
}

function bestOfOthers(levels: readonly Level[], own: Observe["orders"]): Pick<Level, "price" | "quantity"> | undefined {
  return levels
    .map(({ price, quantity }) => ({ price, quantity: quantity - ownAt(price, own) }))
    .find(({ quantity }) => quantity > 0);
}

function ownAt(price: number, own: Observe["orders"]): number {
  return own.reduce((sum, order) => order.price === price ? sum + order.remainingQuantity : sum, 0);
}

/** None if nothing is left of the wish within the limit on positions and, if it takes a quote, the quote's quantity. */
function submissionOf({ quote, side, quantity, price }: Wish): Action[] {
  const { contract: { contractId }, bid, ask } = quote;
  const most = Math.min(quantity, price === undefined ? availableMw(quote, side) : headroomMw(quote, side));
  if (most <= 0) return [];
  return [{ kind: "submit", contractId, side, price: price ?? (side === "BUY" ? ask : bid), quantity: most }];
}
