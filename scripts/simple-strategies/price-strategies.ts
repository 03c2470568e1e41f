// Strategies on prices and their own forecasts: value, momentum and its reverse, chance, and two that compare contracts.

import { HOUR_MS, MINUTE_MS } from "../../protocol/time-units.ts";
import type { SeededRandom } from "../../sim/random/seeded-random.ts";
import {
  availableMw,
  type MarketView,
  midOf,
  type Quote,
  RecentValues,
  type Side,
  type SimpleStrategy,
  spreadOf,
  taking,
  TimedPositions,
  type Wish,
} from "./market-view.ts";

const WAKE_MS = 5 * MINUTE_MS;
const MOST_MOVERS = 5;
/** Of each leg, MW. */
const MOST_PACKAGE_MW = 5;

/** Buys below its forecast, and sells above it, by more than the spread. */
export class Value implements SimpleStrategy {
  readonly name = "value";
  readonly wakeMs = WAKE_MS;

  decide({ quotes }: MarketView): Wish[] {
    return quotes.flatMap((quote) => {
      const { bid, ask, forecast } = quote;
      if (ask < forecast - spreadOf(quote)) return [taking(quote, 1)];
      return bid > forecast + spreadOf(quote) ? [taking(quote, -1)] : [];
    });
  }
}

/** Follows the largest moves of the last half-hour that exceed the spread, or trades against them; holds for an hour. */
export class Movers implements SimpleStrategy {
  readonly wakeMs = WAKE_MS;
  readonly #mids = new RecentValues(30 * MINUTE_MS);
  readonly #positions = new TimedPositions(HOUR_MS);

  /** `direction`: 1 follows a move, -1 trades against it. */
  constructor(readonly name: string, private readonly direction: 1 | -1) {}

  decide(view: MarketView): Wish[] {
    this.#mids.add(view.time, new Map(view.quotes.map((quote) => [quote.contract.contractId, midOf(quote)])));
    const moves = view.quotes.flatMap((quote) => {
      const before = this.#mids.oldest(quote.contract.contractId);
      const move = midOf(quote) - (before ?? NaN);
      return quote.position === 0 && Math.abs(move) > spreadOf(quote) ? [{ quote, move }] : [];
    });
    const largest = moves.sort((one, other) => Math.abs(other.move) - Math.abs(one.move)).slice(0, MOST_MOVERS);
    return [
      ...this.#positions.closing(view),
      ...largest.map(({ quote, move }) => taking(quote, this.direction * move)),
    ];
  }
}

/** Sells the base of a day and buys its hours, or the reverse, if the quotes give a profit. */
export class BaseHours implements SimpleStrategy {
  readonly name = "base-hours";
  readonly wakeMs = WAKE_MS;

  decide({ quotes }: MarketView): Wish[] {
    return quotes.filter(({ contract: { type } }) => type === "base").flatMap((base) => {
      const hours = quotes.filter(({ contract: { type, node }, start, end }) =>
        type === "hour" && node === base.contract.node && start >= base.start && end <= base.end
      );
      const { length } = hours;
      if (length !== base.contract.hours) return [];
      if (base.bid * length > sum(hours, ({ ask }) => ask)) return packageOf(base, "SELL", hours, "BUY");
      return base.ask * length < sum(hours, ({ bid }) => bid) ? packageOf(base, "BUY", hours, "SELL") : [];
    });
  }
}

function packageOf(base: Quote, baseSide: Side, hours: readonly Quote[], hourSide: Side): Wish[] {
  const available = [availableMw(base, baseSide), ...hours.map((hour) => availableMw(hour, hourSide))];
  const quantity = Math.min(MOST_PACKAGE_MW, ...available);
  return [{ quote: base, side: baseSide, quantity }, ...hours.map((quote) => ({ quote, side: hourSide, quantity }))];
}

/** Expects the price difference between the nodes to return to its mean of the last two hours. */
export class NodeSpread implements SimpleStrategy {
  readonly name = "node-spread";
  readonly wakeMs = WAKE_MS;
  readonly #differences = new RecentValues(2 * HOUR_MS);

  decide({ time, quotes, spot }: MarketView): Wish[] {
    const [firstNode, secondNode] = [...spot.keys()];
    const others = new Map(quotes.filter(({ contract }) => contract.node === secondNode).map((q) => [keyOf(q), q]));
    const pairs = quotes.flatMap((first) => {
      const second = first.contract.node === firstNode ? others.get(keyOf(first)) : undefined;
      return second === undefined ? [] : [{ first, second, difference: midOf(first) - midOf(second) }];
    });
    this.#differences.add(time, new Map(pairs.map(({ first, difference }) => [keyOf(first), difference])));
    return pairs.flatMap(({ first, second, difference }) => {
      const excess = difference - (this.#differences.mean(keyOf(first)) ?? difference);
      const isHeld = first.position !== 0 || second.position !== 0;
      if (isHeld) {
        return excess * (first.position - second.position) >= 0 ? [...closing(first), ...closing(second)] : [];
      }
      if (Math.abs(excess) <= spreadOf(first) + spreadOf(second)) return [];
      return [taking(first, -excess), taking(second, excess)];
    });
  }
}

function keyOf({ contract: { type, shape }, start, end }: Quote): string {
  return `${type} ${shape} ${start} ${end}`;
}

function closing(quote: Quote): Wish[] {
  const { position } = quote;
  return position === 0 ? [] : [{ quote, side: position > 0 ? "SELL" : "BUY", quantity: Math.abs(position) }];
}

/** Takes a random side of a random contract. */
export class Chance implements SimpleStrategy {
  readonly name = "random";
  readonly wakeMs = WAKE_MS;

  constructor(private readonly random: SeededRandom) {}

  decide({ quotes }: MarketView): Wish[] {
    const quote = quotes[this.random.integer(0, Math.max(0, quotes.length - 1))];
    return quote === undefined ? [] : [taking(quote, this.random.next() - 0.5)];
  }
}

function sum(quotes: readonly Quote[], valueOf: (quote: Quote) => number): number {
  return quotes.reduce((total, quote) => total + valueOf(quote), 0);
}
