// Strategies that trade on what has just become known: events, forecasts and spot prices.

import { HOUR_MS, MINUTE_MS } from "../../protocol/time-units.ts";
import {
  type MarketView,
  type Quote,
  type SimpleStrategy,
  spreadOf,
  taking,
  TimedPositions,
  type Wish,
} from "./market-view.ts";

const EVENT_HOURS = 6;
const SPOT_HOURS = 3;
const MOST_SNIPED = 10;
/** Events after which prices fall. */
const SURPLUS: readonly string[] = ["renewable_surplus", "demand_drop"];

/** Trades tomorrow's base and the next hours at the node of a new event; holds for three hours. */
export class OnEvent implements SimpleStrategy {
  readonly name = "event";
  readonly wakeMs = MINUTE_MS;
  readonly #positions = new TimedPositions(3 * HOUR_MS);
  /** Null before the first wake-up: what acts then is not new. */
  #known: ReadonlySet<string> | null = null;

  decide(view: MarketView): Wish[] {
    const { time, quotes, events, spot } = view;
    const known = this.#known;
    const keys = events.map(({ type, node, since }) => `${type} ${node} ${since}`);
    this.#known = new Set(keys);
    const begun = known === null ? [] : events.filter((_, index) => !known.has(keys[index]!));
    return [
      ...this.#positions.closing(view),
      ...begun.flatMap(({ type, node }) => {
        // Congestion without a node is behind the line.
        const where = node ?? (type === "line_congestion" ? [...spot.keys()].at(-1) : null);
        return quotes
          .filter((quote) => quote.position === 0 && (where === null || quote.contract.node === where))
          .filter((quote) => quote.contract.type === "base" || isNear(quote, time, EVENT_HOURS))
          .map((quote) => taking(quote, SURPLUS.includes(type) ? -1 : 1));
      }),
    ];
  }
}

/**
 * Trades in the direction of a revision of its forecast or of a published spot price, if that exceeds half of the spread and
 * the best quotes have not moved since the last wake-up; holds for an hour.
 */
export class Sniper implements SimpleStrategy {
  readonly name = "sniper";
  readonly wakeMs = MINUTE_MS;
  readonly #positions = new TimedPositions(HOUR_MS);
  #last: Pick<MarketView, "spot"> & { readonly quotes: ReadonlyMap<string, Quote> } | null = null;

  decide(view: MarketView): Wish[] {
    const { time, quotes, spot } = view;
    const last = this.#last;
    this.#last = { spot, quotes: new Map(quotes.map((quote) => [quote.contract.contractId, quote])) };
    const moves = quotes.flatMap((quote) => {
      const { contract: { contractId, node }, bid, ask, forecast, position } = quote;
      const before = last?.quotes.get(contractId);
      if (before === undefined || position !== 0 || before.bid !== bid || before.ask !== ask) return [];
      const revision = forecast - before.forecast;
      const spotMove = isNear(quote, time, SPOT_HOURS) ? spot.get(node)! - last!.spot.get(node)! : 0;
      const move = revision === 0 ? spotMove : revision;
      return Math.abs(move) > spreadOf(quote) / 2 ? [{ quote, move }] : [];
    });
    const largest = moves.sort((one, other) => Math.abs(other.move) - Math.abs(one.move)).slice(0, MOST_SNIPED);
    return [...this.#positions.closing(view), ...largest.map(({ quote, move }) => taking(quote, move))];
  }
}

/** In the last hour before delivery, trades single hours towards the spot price of now; holds into delivery. */
export class LastHour implements SimpleStrategy {
  readonly name = "last-hour";
  readonly wakeMs = 5 * MINUTE_MS;

  decide({ time, quotes, spot }: MarketView): Wish[] {
    return quotes.filter((quote) => isNear(quote, time, 1)).flatMap((quote) => {
      const now = spot.get(quote.contract.node)!;
      if (now > quote.ask + spreadOf(quote)) return [taking(quote, 1)];
      return now < quote.bid - spreadOf(quote) ? [taking(quote, -1)] : [];
    });
  }
}

function isNear({ contract: { type }, start }: Quote, time: number, hours: number): boolean {
  return type === "hour" && start - time <= hours * HOUR_MS;
}
