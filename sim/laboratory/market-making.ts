// The experiment of Avellaneda & Stoikov (2008, section 3.3): a price that walks at random, and a market maker whose quotes
// are hit at a rate that falls exponentially with their distance from it. The maker with inventory control earns a little
// less than one that always quotes around the price at the same spread, with half the risk.
//
// The strategy is driven as in any market, through its interface; a tick is a ten-thousandth of the paper's unit of price.

import { BUY, SELL } from "../market/order-book.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { AvellanedaStoikov, type MarketMakerParameters, optimalSpread } from "../strategies/avellaneda-stoikov.ts";
import { quoteAt } from "../strategies/quotes.ts";
import { type Account, type MarketView, Quotes, type Strategy } from "../strategies/strategy.ts";

const TICKS = 10_000;
const START_PRICE = 100 * TICKS;
const VOLATILITY = 2 * TICKS;
/** Fills a unit of time of a quote at no distance. */
const FILL_RATE = 140;
const FILL_DECAY = 1.5 / TICKS;
const STEPS = 200;
const STEP = 1 / STEPS;
/** The unit of time, in milliseconds. */
const HORIZON_MS = 1_000;

export interface MarketMakingRun {
  /** At the end, with the inventory at the last price; in the paper's unit. */
  readonly profit: number;
  readonly inventory: number;
  /** From bid to ask, the mean over the run. */
  readonly spread: number;
}

/** The maker of the paper. `riskAversion`: gamma, in the paper's unit. */
export function inventoryMaker(riskAversion: number): Strategy {
  return new AvellanedaStoikov(parametersOf(riskAversion));
}

/** The paper's comparison: always around the price, at the mean spread of the maker of that risk aversion. */
export function symmetricMaker(riskAversion: number): Strategy {
  const parameters = parametersOf(riskAversion);
  let sum = 0;
  for (let step = 0; step < STEPS; step++) sum += optimalSpread(1 - step * STEP, parameters);
  const half = sum / STEPS / 2;
  return {
    quote(market: MarketView, { fundamentalValue }: Account, quotes: Quotes): void {
      quoteAt(market, BUY, fundamentalValue - half, 1, quotes);
      quoteAt(market, SELL, fundamentalValue + half, 1, quotes);
    },
  };
}

/** One run of the experiment. */
export function runMarketMaking(maker: Strategy, random: SeededRandom): MarketMakingRun {
  const account = { ...ACCOUNT };
  const market = { ...MARKET };
  const quotes = new Quotes();
  let cash = 0;
  let spreads = 0;
  for (let step = 0; step < STEPS; step++) {
    market.time = step * STEP * HORIZON_MS;
    market.timeLeftMs = HORIZON_MS - market.time;
    quotes.clear();
    maker.quote(market, account, quotes);
    const { bidPrice, askPrice } = quotes;
    spreads += askPrice - bidPrice;
    const buys = isHit(account.fundamentalValue - bidPrice, random);
    const sells = isHit(askPrice - account.fundamentalValue, random);
    account.position += Number(buys) - Number(sells);
    cash += (sells ? askPrice : 0) - (buys ? bidPrice : 0);
    account.fundamentalValue += Math.sqrt(STEP) * (random.next() < 0.5 ? VOLATILITY : -VOLATILITY);
  }
  return {
    profit: (cash + account.position * account.fundamentalValue) / TICKS,
    inventory: account.position,
    spread: spreads / STEPS / TICKS,
  };
}

function isHit(distance: number, random: SeededRandom): boolean {
  return random.next() < FILL_RATE * Math.exp(-FILL_DECAY * distance) * STEP;
}

function parametersOf(riskAversion: number): MarketMakerParameters {
  return {
    riskAversion: riskAversion / TICKS,
    volatility: VOLATILITY,
    fillDecay: FILL_DECAY,
    horizonMs: HORIZON_MS,
    orderQuantity: 1,
  };
}

const MARKET = {
  time: 0,
  timeLeftMs: HORIZON_MS,
  bestBid: null,
  bestAsk: null,
  lastPrice: null,
  lowestPrice: 0,
  highestPrice: 2 * START_PRICE,
  tick: 1,
};

const ACCOUNT = {
  limitPrice: START_PRICE,
  fundamentalValue: START_PRICE,
  position: 0,
  averagePrice: null,
  buyQuantity: 1,
  sellQuantity: 1,
  workingBid: null,
  workingAsk: null,
  related: null,
};
