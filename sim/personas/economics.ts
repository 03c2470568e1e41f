// What a persona earns besides its trades, and what its losses do to it: the surplus of its assignments, the result of its
// unit or load, and its loss limit.
//
// Surplus is the gain of an assignment's client (Smith 1962): the distance of each fill from the limit price, times energy.
// An order that fills keeps the limit of the assignment for which it was last placed or kept.
//
// Sums are in cents/MWh x kW x min, exact (`dollarsOf` in engine/market/units.ts).

import { type ExactInteger, productOf, sumOf } from "../../engine/market/exact-integer.ts";
import { BUY } from "../../engine/market/order-book.ts";
import { dollarsOf } from "../../engine/market/units.ts";
import type { AssetView, PhysicalTerms } from "../strategies/strategy.ts";
import type { Assignment } from "./assignments.ts";
import { LossLimit, type LossLimitOptions } from "./loss-limit.ts";
import type { OwnAsset } from "./physical/own-asset.ts";
import type { PhysicalAsset } from "./physical/physical-asset.ts";
import type { TradedContract } from "./traded-contract.ts";
import type { TradingAccount } from "./trading-account.ts";

/** As reports read it. */
export interface PersonaEconomics {
  /** Null: it has no assignments. */
  readonly surplus: ExactInteger | null;
  /** Null: it neither generates nor consumes. */
  readonly physicalResult: ExactInteger | null;
  /** Dollars; null: it has no loss limit. */
  readonly lossLimit: number | null;
  /** Milliseconds since the epoch; null if it trades. */
  readonly stoppedUntil: number | null;
  /** How often it was stopped for losses. */
  readonly stops: number;
}

/** Of a trader without assignments, physical side and loss limit. */
export const NO_ECONOMICS: PersonaEconomics = {
  surplus: null,
  physicalResult: null,
  lossLimit: null,
  stoppedUntil: null,
  stops: 0,
};

interface EconomicsOptions extends LossLimitOptions {
  readonly hasAssignments: boolean;
  readonly asset: PhysicalAsset | null;
  /** The same asset, if it is one of the experiment's own. */
  readonly own?: OwnAsset | null;
}

export class Economics implements PersonaEconomics {
  readonly #asset: PhysicalAsset | null;
  readonly #own: OwnAsset | null;
  readonly #limit: LossLimit;
  #surplus: ExactInteger | null;

  constructor({ hasAssignments, asset, own = null, ...limit }: EconomicsOptions) {
    this.#surplus = hasAssignments ? 0 : null;
    this.#asset = asset;
    this.#own = own;
    this.#limit = new LossLimit(limit);
  }

  get surplus(): ExactInteger | null {
    return this.#surplus;
  }

  get physicalResult(): ExactInteger | null {
    return this.#asset?.result ?? null;
  }

  get lossLimit(): number | null {
    return this.#limit.dollars;
  }

  get stoppedUntil(): number | null {
    return this.#limit.stoppedUntil;
  }

  get stops(): number {
    return this.#limit.stops;
  }

  /** The share of its usual size with which it trades. */
  get sizeShare(): number {
    return this.#limit.sizeShare;
  }

  /** Whether losses stop it at `time`. `tradingResult`: cash plus positions at their marks, in the unit of cash. */
  isStoppedAt(time: number, tradingResult: () => ExactInteger): boolean {
    return this.#limit.isStoppedAt(time, () => dollarsOf(sumOf(tradingResult(), this.physicalResult ?? 0)));
  }

  physicalTerms(contract: TradedContract, time: number): PhysicalTerms | null {
    return this.#asset?.termsOf(contract, time) ?? null;
  }

  /** Its own asset, seen from a contract. */
  assetIn(contract: TradedContract, time: number, account: TradingAccount): AssetView | null {
    const seen = this.#own?.viewIn(contract, time) ?? null;
    return seen === null ? null : { ...seen, position: account.positionOver(contract) };
  }

  /** Books a fill of an order for an assignment. */
  filled({ contract, side, limitPrice }: Assignment, price: number, quantity: number): void {
    const gain = side === BUY ? limitPrice - price : price - limitPrice;
    this.#surplus = sumOf(this.#surplus ?? 0, productOf(productOf(quantity, contract.minutes), gain));
  }
}
