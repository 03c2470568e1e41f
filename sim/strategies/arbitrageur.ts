// Arbitrageur. It trades three differences:
//
// - the base of a day against its hours at the same node, or against its peak and the other hours, which deliver the same
//   power: it buys the base if the others together can be sold for more, and sells it if they can be bought for less; the peak
//   against its hours likewise. In the others it then takes the opposite position, at once, so that every leg is closed: in the
//   peak if that is no worse than in its hours, and in each hour what is left;
// - a contract against the same delivery at the other node, if the difference is not the expected congestion difference (the
//   law of one price; for power, Stoft, "Power System Economics", 2002, on locational prices);
// - a contract against its own forecast of spot prices over the delivery.
//
// One instance trades one contract. Instances of a pair or package find the same opportunity, and each trades its own leg. In
// a base, its peak and its hours it trades only the first difference, because positions for another reason would count as open
// legs. A leg at the other node without its counterpart is closed as soon as closing costs nothing.
//
// It only takes existing quotes. If a quote has gone meanwhile, the resting remainder is withdrawn at the next call. It
// learns nothing and draws no random numbers. Cost: O(1).

import { BUY, SELL } from "../../engine/market/order-book.ts";
import { quoteAt } from "./quotes.ts";
import type { Account, MarketView, PackageView, Quotes, Strategy } from "./strategy.ts";

interface ArbitrageurParameters {
  /** Minimum gain of a trade against the other node or the forecast, in price. */
  readonly leastGain: number;
  /** Minimum gain of a base or peak against the same power in other contracts, in price. */
  readonly leastPackageGain: number;
}

export class Arbitrageur implements Strategy {
  readonly tradesPackages = true;
  readonly onlyTakes = true;

  constructor(private readonly parameters: ArbitrageurParameters) {}

  quote(market: MarketView, account: Account, quotes: Quotes): void {
    const { dayPackage } = account;
    if (dayPackage?.role === "base") return this.openPackage(market, account, dayPackage, quotes);
    if (dayPackage?.role === "peak") return this.tradePeak(market, account, dayPackage, quotes);
    if (dayPackage?.role === "hour") return closeLeg(market, account, dayPackage, quotes);
    const { bestBid, bestAsk } = market;
    const gainOfBuying = bestAsk === null ? -Infinity : this.worthBuying(account) - bestAsk;
    const gainOfSelling = bestBid === null ? -Infinity : bestBid - this.worthSelling(account);
    const { leastGain } = this.parameters;
    if (bestAsk !== null && gainOfBuying >= leastGain && gainOfBuying >= gainOfSelling) {
      quoteAt(market, BUY, bestAsk, account.buyQuantity, quotes);
    } else if (bestBid !== null && gainOfSelling >= leastGain) {
      quoteAt(market, SELL, bestBid, account.sellQuantity, quotes);
    } else {
      this.closeOpenLeg(market, account, quotes);
    }
  }

  /** Trades the contract if the others, at their best quotes, make up for it, and no legs of the last package are open. */
  private openPackage(market: MarketView, account: Account, others: PackageView, quotes: Quotes): void {
    if (hasOpenLegs(account, others)) return;
    const { bestBid, bestAsk } = market;
    const { leastPackageGain } = this.parameters;
    if (bestAsk !== null && others.bestBid !== null && others.bestBid - bestAsk >= leastPackageGain) {
      quoteAt(market, BUY, bestAsk, account.buyQuantity, quotes);
    } else if (bestBid !== null && others.bestAsk !== null && bestBid - others.bestAsk >= leastPackageGain) {
      quoteAt(market, SELL, bestBid, account.sellQuantity, quotes);
    }
  }

  /** The peak is a leg of a package that was begun with the base, or begins one. */
  private tradePeak(market: MarketView, account: Account, hours: PackageView, quotes: Quotes): void {
    if (!hasOpenLegs(account, hours)) return this.openPackage(market, account, hours, quotes);
    const isBuying = account.position + hours.position < 0;
    const isWorse = isBuying
      ? (market.bestAsk ?? Infinity) > (hours.bestAsk ?? Infinity)
      : (market.bestBid ?? -Infinity) < (hours.bestBid ?? -Infinity);
    if (!isWorse) closeLeg(market, account, hours, quotes);
  }

  /** Highest value of a unit bought here: at delivery, or sold at the other node at once. */
  private worthBuying({ fundamentalValue, related }: Account): number {
    if (related === null || related.bestBid === null) return fundamentalValue;
    return Math.max(fundamentalValue, related.bestBid + fundamentalValue - related.fundamentalValue);
  }

  /** Lowest cost of a unit sold here. */
  private worthSelling({ fundamentalValue, related }: Account): number {
    if (related === null || related.bestAsk === null) return fundamentalValue;
    return Math.min(fundamentalValue, related.bestAsk + fundamentalValue - related.fundamentalValue);
  }

  /** Closes the net open position over both contracts, at the expected value or better. */
  private closeOpenLeg(market: MarketView, account: Account, quotes: Quotes): void {
    const { bestBid, bestAsk } = market;
    const { fundamentalValue, position, related } = account;
    if (related === null) return;
    const open = position + related.position;
    if (bestBid !== null && bestBid >= fundamentalValue) {
      quoteAt(market, SELL, bestBid, Math.min(open, position, account.sellQuantity), quotes);
    } else if (bestAsk !== null && bestAsk <= fundamentalValue) {
      quoteAt(market, BUY, bestAsk, Math.min(-open, -position, account.buyQuantity), quotes);
    }
  }
}

/** The share of a normal order that may be open in a package. */
const OPEN_SHARE = 0.1;

function hasOpenLegs(account: Account, others: PackageView): boolean {
  return Math.abs(account.position + others.position) > OPEN_SHARE * account.buyQuantity;
}

/** Brings the position to the opposite of that in the others, at the best quote. */
function closeLeg(market: MarketView, account: Account, others: PackageView, quotes: Quotes): void {
  const { bestBid, bestAsk } = market;
  const open = account.position + others.position;
  if (open < 0 && bestAsk !== null) quoteAt(market, BUY, bestAsk, Math.min(-open, account.buyQuantity), quotes);
  if (open > 0 && bestBid !== null) quoteAt(market, SELL, bestBid, Math.min(open, account.sellQuantity), quotes);
}
