// What a persona shows its strategies before they quote: the market, what its mandate wants, its positions, and the
// quantities that its limits allow. The views are changed in place.

import type { PrivateForecasts } from "../information/private-forecasts.ts";
import { BUY, SELL, type Side } from "../../engine/market/order-book.ts";
import type { AllQuotes } from "../strategies/strategy.ts";
import { type ContractTrader, factsOf } from "./contract-trader.ts";
import type { Economics } from "./economics.ts";
import type { Exposure } from "./exposure.ts";
import type { PersonaLimits } from "./limits.ts";
import type { LiquidityProfile } from "./liquidity-profile.ts";
import type { Mandate } from "./mandate.ts";
import type { PersonaView } from "./persona.ts";
import { setPriceBounds, wholeLots } from "./quote-bounds.ts";
import { markOf } from "./run-metrics.ts";
import type { TradedContract } from "./traded-contract.ts";
import type { TradingAccount } from "./trading-account.ts";

interface TraderViewsOptions {
  readonly mandate: Mandate;
  readonly forecasts: PrivateForecasts;
  readonly economics: Economics;
  readonly limits: PersonaLimits;
  readonly profile: LiquidityProfile;
}

export class TraderViews {
  #view: PersonaView | null = null;

  constructor(
    private readonly options: TraderViewsOptions,
    private readonly holdings: TradingAccount,
    private readonly exposure: Exposure,
  ) {}

  /** Updates the views of a trader. */
  show(trader: ContractTrader, view: PersonaView): void {
    const { contract, terms, account, related } = trader;
    const { mandate, forecasts, economics, limits } = this.options;
    const positionIn = (each: TradedContract) => this.holdings.position(each);
    const position = trader.exposure.position;
    const book = view.book(contract);
    mandate.review(contract, { time: view.time, forecast: forecasts.of(contract), position, book }, terms);
    trader.showMarket(view.time, book);
    setPriceBounds(trader, limits);
    account.limitPrice = terms.limitPrice;
    account.fundamentalValue = terms.value;
    account.spreadFactor = terms.spreadFactor;
    account.position = position;
    account.averagePrice = this.holdings.averagePrice(contract);
    account.dayPackage = trader.dayPackage?.view((each) => view.book(each), positionIn) ?? null;
    account.physical = economics.physicalTerms(contract, view.time);
    account.asset = economics.assetIn(contract, view.time, this.holdings);
    this.#view = view;
    account.buyQuantity = this.#allowed(trader, BUY, terms.buyQuantity);
    account.sellQuantity = this.#allowed(trader, SELL, terms.sellQuantity);
    if (related !== null) trader.showRelated(view.book(related), forecasts.of(related), positionIn(related));
  }

  /** All quotes that the persona may see, at the time of the last `show`. */
  readonly allQuotes: AllQuotes = () => {
    const view = this.#view;
    if (view === null) return [];
    const { profile, forecasts } = this.options;
    return profile.at(view.time).map((contract) => ({
      contract: factsOf(contract),
      ...view.book(contract),
      fundamentalValue: forecasts.of(contract),
      position: this.holdings.position(contract),
    }));
  };

  /** The price at which the persona values its position in a contract. */
  markOf(contract: TradedContract, view: PersonaView): number {
    const forecast = this.options.forecasts.of(contract);
    return markOf(view.book(contract), forecast, contract.deliveryStart <= view.time).price;
  }

  /** The part of a wanted quantity that one order may have: whole lots within the limits. */
  #allowed(trader: ContractTrader, side: Side, wanted: number): number {
    const { lot } = trader.contract;
    const { limits, economics } = this.options;
    const sized = Math.max(wanted * economics.sizeShare, Math.min(wanted, lot));
    const most = limits.orderLots * lot;
    return wholeLots(trader, Math.min(sized, most, this.exposure.headroom(trader.exposure, side)));
  }
}
