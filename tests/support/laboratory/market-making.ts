// The experiment of Avellaneda & Stoikov (2008, section 3.3): a random walk of the price, and a market maker whose
// quotes are filled at a rate that falls exponentially with their distance from the price. The maker with inventory
// control earns slightly less than one that quotes symmetrically at the same spread, with half the risk.
//
// The strategy is called through its usual interface. A tick is a ten-thousandth of the paper's unit of price.

import { BUY, SELL } from "../../../engine/market/order-book.ts";
import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import {
  AvellanedaStoikov,
  type MarketMakerParameters,
  optimalSpread,
} from "../../../sim/strategies/avellaneda-stoikov.ts";
import { quoteAt } from "../../../sim/strategies/quotes.ts";
import {
  type Account,
  EMPTY_ACCOUNT,
  EMPTY_MARKET,
  type MarketView,
  Quotes,
  type Strategy,
} from "../../../sim/strategies/strategy.ts";

const TICKS = 10_000;
const START_PRICE = 100 * TICKS;
const VOLATILITY = 2 * TICKS;
/** Fills per unit of time for a quote at distance 0. */
const FILL_RATE = 140;
const FILL_DECAY = 1.5 / TICKS;
const STEPS = 200;
const STEP = 1 / STEPS;
/** The unit of time, in milliseconds. */
const HORIZON_MS = 1_000;

interface MarketMakingRun {
  /** Final profit with the inventory at the last price, in the paper's unit. */
  readonly profit: number;
  readonly inventory: number;
  /** Mean bid-ask spread of the run. */
  readonly spread: number;
}

/** The maker of the paper. `riskAversion`: gamma, in the paper's unit. */
export function inventoryMaker(riskAversion: number): Strategy {
  return new AvellanedaStoikov(parametersOf(riskAversion));
}

/**
 * The paper's benchmark: quotes symmetrically around the price, at the mean spread of the maker of that risk aversion.
 */
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

export function runMarketMaking(maker: Strategy, random: SeededRandom): MarketMakingRun {
  const account = { ...EMPTY_ACCOUNT, fundamentalValue: START_PRICE, buyQuantity: 1, sellQuantity: 1 };
  const market = { ...EMPTY_MARKET, timeLeftMs: HORIZON_MS, highestPrice: 2 * START_PRICE };
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
