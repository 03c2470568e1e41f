// A market maker with a limit on its position, and what its spread can pay at most: half of the mean spread on each MWh.

import { MINUTE_MS } from "../../protocol/time-units.ts";
import { type MarketView, type SimpleStrategy, sizeOf, spreadOf, type Wish } from "./market-view.ts";

/** Orders that it holds in one contract, long or short, before it quotes one side only. */
const INVENTORY_ORDERS = 3;

interface Quoted {
  readonly hours: number;
  /** Of the spreads of others when it quoted, cents/MWh. */
  spreadSum: number;
  count: number;
  tradedMw: number;
}

/** Quotes both sides of base, peak and week, a tick inside the best quotes of others if their spread is wide enough. */
export class Maker implements SimpleStrategy {
  readonly name = "maker";
  readonly wakeMs = MINUTE_MS;
  readonly types = ["base", "peak", "week"];
  readonly #quoted = new Map<string, Quoted>();

  decide({ quotes, fills }: MarketView): Wish[] {
    for (const { contractId, quantity } of fills) this.#quoted.get(contractId)!.tradedMw += quantity;
    return quotes.flatMap((quote) => {
      const { bid, ask, position, contract: { tick } } = quote;
      this.#note(quote.contract.contractId, quote.contract.hours, spreadOf(quote));
      const better = spreadOf(quote) > 2 * tick ? tick : 0;
      const quantity = sizeOf(quote);
      const most = INVENTORY_ORDERS * quantity;
      return [
        ...(position < most ? [{ quote, side: "BUY", quantity, price: bid + better } as const] : []),
        ...(position > -most ? [{ quote, side: "SELL", quantity, price: ask - better } as const] : []),
      ];
    });
  }

  spreadPay(): number {
    return [...this.#quoted.values()].reduce(
      (sum, { hours, spreadSum, count, tradedMw }) => sum + tradedMw * hours * spreadSum / count / 2 / 100,
      0,
    );
  }

  #note(contractId: string, hours: number, spread: number): void {
    let quoted = this.#quoted.get(contractId);
    if (quoted === undefined) this.#quoted.set(contractId, quoted = { hours, spreadSum: 0, count: 0, tradedMw: 0 });
    quoted.spreadSum += spread;
    quoted.count += 1;
  }
}
