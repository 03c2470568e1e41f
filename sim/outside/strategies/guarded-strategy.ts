// Runs the code of a strategy file so that it can't hurt the run:
//
// - It gets copies of the market and the account, and a `Quotes` of its own, so it can change neither limits nor orders. Its
//   quotes are bounded afterwards like those of every strategy; a price or quantity that is not a number counts as NaN.
// - Whatever it throws becomes a StrategyFault, which stops its persona. So does a call that does not return within 5 s of
//   processor time, and one that returns a promise.
// - Math.random and reading the clock throw while it runs, because a run with them could not be repeated.
//
// The guard is against mistakes, not against malice: the file may do whatever mkt may.
//
// Cost: about a microsecond for each call.

import { Script } from "node:vm";
import type {
  Account,
  AllQuotes,
  MarketUpdate,
  MarketView,
  RelatedContract,
  Writable,
} from "../../strategies/strategy.ts";
import { EMPTY_ACCOUNT, EMPTY_MARKET, Quotes, type Strategy, StrategyFault } from "../../strategies/strategy.ts";

const TIMEOUT_MS = 5_000;
/** The function that the script calls. */
const CALL = "__mktStrategyCall";
const script = new Script(`${CALL}()`);
const globals = globalThis as unknown as Record<string, unknown>;

const RealDate = Date;
const realRandom = Math.random;
const realNow = performance.now;

function refuse(what: string, instead: string): never {
  throw new Error(`${what} would make the run unrepeatable; use ${instead}`);
}

class MarketDate extends RealDate {
  constructor(...values: [] | [number | string | Date]) {
    if (values.length === 0) refuse("the clock", "market.time");
    super(...(values as [number]));
  }

  static override now(): number {
    return refuse("the clock", "market.time");
  }
}

/** Runs the code of a file. Throws StrategyFault for whatever it throws. `what`: the function's name, for the message. */
export function runGuarded<Value>(what: string, code: () => Value, timeoutMs = TIMEOUT_MS): Value {
  let value!: Value;
  globals[CALL] = () => {
    value = code();
  };
  globals["Date"] = MarketDate;
  Math.random = () => refuse("Math.random", "setup.random.next()");
  performance.now = () => refuse("the clock", "market.time");
  try {
    script.runInThisContext({ timeout: timeoutMs });
  } catch (error) {
    throw new StrategyFault(`${what}: ${messageOf(error, timeoutMs)}`);
  } finally {
    globals["Date"] = RealDate;
    Math.random = realRandom;
    performance.now = realNow;
    globals[CALL] = undefined;
  }
  return value;
}

export class GuardedStrategy implements Strategy {
  /** Absent if the strategy doesn't learn, so its persona is told no market updates. */
  readonly observe?: Strategy["observe"];
  readonly observesTradesOnly: boolean;
  readonly #market: Writable<MarketView> = { ...EMPTY_MARKET };
  readonly #account: Writable<Account> = { ...EMPTY_ACCOUNT };
  readonly #related: Writable<RelatedContract> = { bestBid: null, bestAsk: null, fundamentalValue: 0, position: 0 };
  readonly #quotes = new Quotes();
  readonly #prices = { bid: NaN, bidQuantity: NaN, ask: NaN, askQuantity: NaN };

  constructor(private readonly strategy: Strategy) {
    this.observesTradesOnly = strategy.observesTradesOnly === true;
    if (strategy.observe !== undefined) this.observe = (...given) => this.#observe(...given);
  }

  quote(market: MarketView, account: Account, quotes: Quotes, allQuotes: AllQuotes = () => []): void {
    this.#show(market, account);
    const wanted = this.#quotes;
    const read = this.#prices;
    wanted.clear();
    let isQuoting = true;
    runGuarded("quote", () => {
      try {
        settled(this.strategy.quote(this.#market, this.#account, wanted, () => isQuoting ? allQuotes() : []));
      } finally {
        isQuoting = false;
      }
      read.bid = numberOf(wanted.bidPrice);
      read.bidQuantity = numberOf(wanted.bidQuantity);
      read.ask = numberOf(wanted.askPrice);
      read.askQuantity = numberOf(wanted.askQuantity);
    });
    quotes.bidPrice = read.bid;
    quotes.bidQuantity = read.bidQuantity;
    quotes.askPrice = read.ask;
    quotes.askQuantity = read.askQuantity;
  }

  #observe(update: MarketUpdate, market: MarketView, account: Account): void {
    this.#show(market, account);
    const { side, price, quantity, isTrade } = update;
    const seen = { side, price, quantity, isTrade };
    runGuarded("observe", () => settled(this.strategy.observe?.(seen, this.#market, this.#account)));
  }

  #show(market: MarketView, account: Account): void {
    Object.assign(this.#market, market);
    Object.assign(this.#account, account);
    // What only built-in strategies use is not shown.
    this.#account.dayPackage = this.#account.physical = null;
    if (account.asset !== null) this.#account.asset = { ...account.asset };
    if (account.related !== null) this.#account.related = Object.assign(this.#related, account.related);
  }
}

function settled(result: unknown): void {
  if (!(result instanceof Promise)) return;
  result.catch(() => {});
  throw new Error("returned a promise; it must set its quotes before it returns");
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : NaN;
}

function messageOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
    return `did not return within ${timeoutMs / 1000} s`;
  }
  return `${error.name}: ${error.message}`;
}
