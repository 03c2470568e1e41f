// What an agent has done in an episode: its positions, how far its result fell, and which of its terms it broke.

import { hundredths } from "../../common/rounding.ts";
import { megawattsOf } from "../../engine/market/units.ts";
import { BUY, type Side } from "../../protocol/sides.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { Named, RunObserver } from "../../sim/tape/run-observer.ts";
import type { Mandate } from "../scenario/mandate.ts";
import type { World } from "../world/world.ts";
import { tradingProfit } from "./account.ts";

/** products: another product was traded; position: a net position was outside of its limits; side: the other side was. */
export const BROKEN_TERMS = ["products", "position", "side"] as const;
export type BrokenTerm = (typeof BROKEN_TERMS)[number];

/** What an agent has. */
interface Standing {
  /** Dollars of its trades, with what it holds at the forecast. */
  readonly result: number;
  /** MW, negative if sold, by contract. */
  readonly positions: Readonly<Record<string, number>>;
}

export class Conduct implements Partial<RunObserver> {
  /** MW: the greatest net position in a contract, bought or sold. */
  greatestPosition = 0;
  trades = 0;
  /** MW: bought and sold in all, and what of it came to an order of the agent that waited in the book. */
  #traded = 0;
  #waited = 0;
  readonly #mandate: Mandate;
  readonly #positions = new Map<string, number>();
  readonly #broken = new Set<BrokenTerm>();
  #world: World | null = null;
  #profit: number | null = null;
  #best = -Infinity;
  #drawdown = 0;

  constructor(mandate: Mandate) {
    this.#mandate = mandate;
  }

  get broken(): readonly BrokenTerm[] {
    return [...this.#broken].toSorted();
  }

  /** Dollars: how far the result of trades fell below what it had been, at forecasts, every five minutes. */
  get drawdown(): number {
    return hundredths(this.#drawdown);
  }

  /** Share of what was traded for which the agent's own order waited in the book; null without trades. */
  get waitedShare(): number | null {
    return this.#traded === 0 ? null : hundredths(this.#waited / this.#traded);
  }

  /** The agent acts from now on. */
  begin(world: World): void {
    this.#world = world;
    this.trades = this.#traded = this.#waited = 0;
  }

  onTrade(
    _time: number,
    contract: TradedContract,
    _price: number,
    quantity: number,
    aggressorSide: Side,
    buyer: Named,
    seller: Named,
  ): void {
    const { userId } = this.#mandate;
    if (buyer.id === userId) this.#count(contract, megawattsOf(quantity), aggressorSide);
    if (seller.id === userId) this.#count(contract, -megawattsOf(quantity), aggressorSide);
  }

  /** Five minutes ago at most; null before the episode, and for a user without a company. */
  get standing(): Standing | null {
    return this.#profit === null ? null : {
      result: hundredths(this.#profit),
      positions: Object.fromEntries(this.#positions),
    };
  }

  onPoint(): void {
    const { entityId } = this.#mandate;
    if (this.#world === null || entityId === null) return;
    const profit = tradingProfit(this.#world, entityId);
    this.#profit = profit;
    this.#best = Math.max(this.#best, profit);
    this.#drawdown = Math.max(this.#drawdown, this.#best - profit);
  }

  #count({ id, productId }: TradedContract, megawatts: number, aggressorSide: Side): void {
    const net = (this.#positions.get(id) ?? 0) + megawatts;
    this.#positions.set(id, net);
    this.trades += 1;
    this.#traded += Math.abs(megawatts);
    if ((aggressorSide === BUY) !== megawatts > 0) this.#waited += Math.abs(megawatts);
    this.greatestPosition = Math.max(this.greatestPosition, Math.abs(net));
    const { terms } = this.#mandate;
    if (terms === null) return;
    if (!terms.products.includes(productId)) this.#broken.add("products");
    else if (net < terms.least || net > terms.most) this.#broken.add("position");
    if (this.#world !== null && terms.side === (megawatts > 0 ? "sell" : "buy")) this.#broken.add("side");
  }
}
