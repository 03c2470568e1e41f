// The adaptive traders of the literature, as the simulator has them (sim/strategies): ZIP and AA. Each learns from the prices
// that it sees every few minutes. Its limit is the first middle price and a twentieth of it; what is missing of a duty in the
// end is traded at any price. Without a duty one of them buys and one sells, each at its side of the middle price or better.

import { BUY, SELL, type Side } from "../../protocol/sides.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { AdaptiveAggressiveness } from "../../sim/strategies/aa.ts";
import { type Account, EMPTY_ACCOUNT, EMPTY_MARKET, Quotes, type Strategy } from "../../sim/strategies/strategy.ts";
import { ZeroIntelligencePlus } from "../../sim/strategies/zip.ts";
import { ANY_PRICE, Desk } from "./desk.ts";
import { takeParts } from "./plain.ts";
import type { Baseline } from "./seat.ts";

type Learner = Required<Pick<Strategy, "quote" | "observe">>;
type MakeLearner = (side: Side, random: SeededRandom, priceScale: number) => Learner;

const STEP_MINUTES = 3;
/** From then on, what is missing is traded at any price. */
const LAST_MINUTES = 15;
/** Of the first middle price. */
const LIMIT_SHARE = 0.05;
/** Of a price: the least that ZIP learns by. */
const SCALE_SHARE = 0.001;
/** MW of one order without a duty. */
const LOT = 5;

export const zip = adaptive(
  "zip",
  (side, random, priceScale) => new ZeroIntelligencePlus({ side, random, priceScale }),
);
export const aa = adaptive("aa", (side, random) => new AdaptiveAggressiveness({ side, random }));

function adaptive(name: string, make: MakeLearner): Baseline {
  return {
    name,
    play: async (seat) => {
      const desk = await Desk.open(seat);
      const random = new SeededRandom(seat.seed).fork(`${name} baseline`);
      const traders = desk.contracts.flatMap(({ contractId }) =>
        [BUY, SELL].map((side) =>
          new Trader(desk, contractId, side, (scale) => make(side, random.fork(`${contractId} ${side}`), scale))
        )
      );
      while (!desk.isOver) {
        await desk.cancelAll();
        if (desk.minutesLeft <= LAST_MINUTES && desk.terms.duty !== null && await takeParts(desk, 1)) break;
        for (const trader of traders) await trader.act();
        await desk.wait(STEP_MINUTES);
      }
      await desk.submit();
    },
  };
}

/** One side of one contract. */
class Trader {
  #learner: Learner | null = null;
  #limit = 0;
  #lastPrice: number | null = null;
  readonly #quotes = new Quotes();

  constructor(
    private readonly desk: Desk,
    private readonly contractId: string,
    private readonly side: Side,
    private readonly make: (priceScale: number) => Learner,
  ) {}

  async act(): Promise<void> {
    const { desk, contractId, side } = this;
    const quantity = this.#quantity();
    const { bids: [bid], asks: [ask], lastPrice } = await desk.book(contractId);
    if (bid === undefined || ask === undefined) return;
    const middle = (bid.price + ask.price) / 2;
    if (this.#learner === null) {
      const worse = desk.terms.duty === null ? 0 : Math.abs(middle) * LIMIT_SHARE;
      this.#limit = Math.round(middle + (side === BUY ? worse : -worse));
      this.#learner = this.make(Math.max(1, Math.abs(middle) * SCALE_SHARE));
    }
    if (quantity === 0) return;
    const [lowestPrice, highestPrice] = [ANY_PRICE.sell, ANY_PRICE.buy];
    const market = { ...EMPTY_MARKET, bestBid: bid.price, bestAsk: ask.price, lastPrice, lowestPrice, highestPrice };
    const account: Account = {
      ...EMPTY_ACCOUNT,
      limitPrice: this.#limit,
      buyQuantity: side === BUY ? quantity : 0,
      sellQuantity: side === SELL ? quantity : 0,
    };
    const learner = this.#learner;
    const see = (price: number, ofSide: Side, isTrade: boolean) =>
      learner.observe({ side: ofSide, price, quantity: 1, isTrade }, market, account);
    if (lastPrice !== null && lastPrice !== this.#lastPrice) see(lastPrice, lastPrice > middle ? BUY : SELL, true);
    this.#lastPrice = lastPrice;
    see(bid.price, BUY, false);
    see(ask.price, SELL, false);
    const quotes = this.#quotes;
    quotes.clear();
    learner.quote(market, account, quotes);
    if (quotes.bidQuantity > 0) await desk.rest(contractId, quotes.bidQuantity, quotes.bidPrice);
    if (quotes.askQuantity > 0) await desk.rest(contractId, -quotes.askQuantity, quotes.askPrice);
  }

  /** What it may trade now, MW. */
  #quantity(): number {
    const { desk, contractId, side } = this;
    const { duty } = desk.terms;
    const direction = side === BUY ? 1 : -1;
    if (duty !== null) return Math.max(0, direction * (duty - desk.positionIn(contractId)));
    const { buy, sell } = desk.roomIn(contractId);
    return Math.min(LOT, Math.floor(side === BUY ? buy : sell));
  }
}
