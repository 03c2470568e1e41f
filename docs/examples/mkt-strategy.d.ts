// The types of a strategy file for `mkt simulate`, `mkt demo`, `mkt engine` and `mkt sim --strategy FILE`. Put this file
// beside yours: nothing needs to be installed. `mkt strategy-types` prints it for the version that you run.
//
// Prices are integer cents/MWh, quantities kW, times milliseconds of market time since the epoch.

/** 0: buy. 1: sell. */
export type Side = 0 | 1;

/** One contract's public market data. */
export interface MarketView {
  readonly time: number;
  /** Until delivery begins. */
  readonly timeLeftMs: number;
  /** Null if the side is empty. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Null before the first trade. */
  readonly lastPrice: number | null;
  /** The range in which the persona may quote, inclusive. */
  readonly lowestPrice: number;
  readonly highestPrice: number;
  /** Price increment. */
  readonly tick: number;
}

/** The contract for the same delivery at the other node. */
export interface RelatedContract {
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** The persona's own forecast of its value. */
  readonly fundamentalValue: number;
  readonly position: number;
}

/** A contract. */
export interface Contract {
  readonly id: string;
  readonly productId: string;
  readonly marketId: string;
  readonly node: string;
  /** Delivery period. */
  readonly type: "hour" | "base" | "peak" | "weekend" | "week" | "month" | "quarter" | "year";
  /** peak: only the peak hours of the period are delivered. */
  readonly shape: "base" | "peak";
  readonly deliveryStart: number;
  readonly deliveryEnd: number;
  /** Of delivery. */
  readonly minutes: number;
  /** Increment of quantities. */
  readonly lot: number;
}

/** A contract that can be traded now, with its best public quotes. */
export interface ContractQuote {
  readonly contract: Contract;
  /** Null if the side is empty. */
  readonly bestBid: number | null;
  readonly bestAsk: number | null;
  /** Null before the first trade. */
  readonly lastPrice: number | null;
  /** The persona's own forecast of its value. */
  readonly fundamentalValue: number;
  /** Bought less sold. */
  readonly position: number;
}

/** The plant, load or battery that the persona's group names, seen from one contract at its node. */
export interface Asset {
  readonly kind: "plant" | "load" | "battery";
  readonly name: string;
  /** In this hour: generated; negative: consumed. */
  readonly output: number;
  /** The most that it can generate, or discharge, in the contract's delivery, as known now; 0 for a load. */
  readonly capacity: number;
  /** Mean of what it plans to generate in the delivery, negative to consume; null if it plans no further than a part of it. */
  readonly planned: number | null;
  /** Bought less sold in the delivery, in all contracts together: their mean over it. */
  readonly position: number;
  /** cents/MWh: of a plant its marginal cost, of a load its tariff, of a battery its wear. */
  readonly unitCost: number;
  /** kWh; null if it stores nothing. */
  readonly stored: number | null;
}

/** The persona's account in one contract. */
export interface Account {
  /** For `sides: "one"`: buy at this price or lower, or sell at this price or higher. */
  readonly limitPrice: number;
  /** The persona's own forecast of the contract's value at delivery. */
  readonly fundamentalValue: number;
  /** Bought less sold. */
  readonly position: number;
  /** Mean entry price of the position; null without one. */
  readonly averagePrice: number | null;
  /** The largest order that is allowed on each side now; 0: none. */
  readonly buyQuantity: number;
  readonly sellQuantity: number;
  /** Price of the persona's own order on each side; null without one. */
  readonly workingBid: number | null;
  readonly workingAsk: number | null;
  /** Null if there is none. */
  readonly related: RelatedContract | null;
  /** Null without a plant, load or battery of one's own, and in contracts that deliver at another node. */
  readonly asset: Asset | null;
  /** The spread that a market maker wants here now, relative to its usual one. */
  readonly spreadFactor: number;
}

/** A public quote or trade in the contract. */
export interface MarketUpdate {
  /** Side of the quote, or of the order that caused the trade. */
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly isTrade: boolean;
}

/** The orders that the strategy wants in the book. A quantity of 0, as at the start of each call, means none. */
export interface Quotes {
  bidPrice: number;
  bidQuantity: number;
  askPrice: number;
  askQuantity: number;
  set(side: Side, price: number, quantity: number): void;
}

/** Random numbers of this strategy alone, from the seed of the run. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, inclusive. */
  integer(low: number, high: number): number;
  /** Standard normal. */
  normal(): number;
  /** Exponential with mean 1. */
  exponential(): number;
}

export interface StrategySetup {
  /** For `sides: "one"`: the side that this one trades. */
  readonly side: Side;
  readonly random: Random;
  /** Half a normal spread. */
  readonly priceScale: number;
  /** Quantity of a normal order. */
  readonly quantityScale: number;
  /** The contract that it trades. */
  readonly contract: Contract;
}

/** Trades one contract for one persona. With `sides: "one"` there is one for each side. */
export interface Strategy {
  /**
   * Sets all quotes that are wanted from now on. `allQuotes` gives every contract that can be traded now, nearest delivery
   * first; later it gives nothing.
   */
  quote(market: MarketView, account: Account, quotes: Quotes, allQuotes: () => readonly ContractQuote[]): void;
  /** Learns from a public quote or trade, its own included. Absent: it does not learn. */
  observe?(update: MarketUpdate, market: MarketView, account: Account): void;
  /** Whether `observe` needs no quotes, which saves most of its calls. */
  readonly observesTradesOnly?: boolean;
}

/** What a schema of `z` accepts. */
export type Parsed<Each> = Each extends Schema<infer Value> ? Value : never;

/** A schema of zod 4, of which these are the usual parts. */
export interface Schema<Value> {
  readonly _output: Value;
  describe(text: string): this;
}

export interface NumberSchema extends Schema<number> {
  min(least: number): this;
  max(most: number): this;
  default(value: number): Schema<number>;
}

export interface BooleanSchema extends Schema<boolean> {
  default(value: boolean): Schema<boolean>;
}

export interface EnumSchema<Name extends string> extends Schema<Name> {
  default(value: Name): Schema<Name>;
}

export interface Zod {
  number(): NumberSchema;
  /** A whole number. */
  int(): NumberSchema;
  boolean(): BooleanSchema;
  enum<const Name extends string>(names: readonly Name[]): EnumSchema<Name>;
  /** The parameters: each needs a default. */
  strictObject<Shape extends Record<string, Schema<unknown>>>(
    shape: Shape,
  ): Schema<{ readonly [Key in keyof Shape]: Parsed<Shape[Key]> }>;
}

export interface StrategyDeclaration<Parameters> {
  /** Lower case letters, digits and dashes; not a name of a built-in strategy. */
  readonly name: string;
  /**
   * `one`: buys or sells within the limit prices that the persona is assigned. `both`: trades on either side, as it
   * decides.
   */
  readonly sides: "one" | "both";
  /**
   * What its personas are told to trade, and what they know and may risk. `maker`: every contract, with the forecasts and
   * limits of market makers. `speculator`: contracts of its choice. `taker`: what a client tells it to. Absent: `taker` for
   * `sides: "one"`, which has no other, and `speculator` for `sides: "both"`.
   */
  readonly role?: "maker" | "taker" | "speculator";
  /** Absent: no parameters. */
  readonly parameters?: Schema<Parameters>;
  /** Called once for each persona and contract; with `sides: "one"`, for each side. */
  make(setup: StrategySetup, parameters: Parameters): Strategy;
}

/** What the file's default export is called with. */
export interface StrategyHost {
  readonly z: Zod;
  readonly BUY: 0;
  readonly SELL: 1;
  defineStrategy<Parameters>(declaration: StrategyDeclaration<Parameters>): StrategyDeclaration<Parameters>;
}

/** The default export of a strategy file. */
export type StrategyFile = (mkt: StrategyHost) => StrategyDeclaration<never>;
