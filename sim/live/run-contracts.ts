// The contracts of a run, from their listing until they leave the market. Tells the personas when delivery begins and when a
// contract leaves.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { BestForecasts } from "../information/best-forecasts.ts";
import type { LiquidityProfile } from "../personas/liquidity-profile.ts";
import type { MarketListeners } from "../personas/market-listeners.ts";
import type { Persona } from "../personas/persona.ts";
import { type TradedContract, tradedContract, type TradedProduct } from "../personas/traded-contract.ts";

interface RunContractsOptions {
  readonly products: readonly TradedProduct[];
  readonly personas: readonly Persona[];
  readonly profile: LiquidityProfile;
  readonly forecasts: BestForecasts;
  readonly listeners: MarketListeners;
  /** Simulated, in milliseconds since the epoch. */
  readonly now: () => number;
}

export class RunContracts {
  readonly #options: RunContractsOptions;
  readonly #products: ReadonlyMap<string, TradedProduct>;
  readonly #byId = new Map<string, TradedContract>();
  #lastIndex = 0;

  constructor(options: RunContractsOptions) {
    this.#options = options;
    this.#products = new Map(options.products.map((product) => [product.id, product]));
  }

  get(contractId: string): TradedContract | undefined {
    return this.#byId.get(contractId);
  }

  all(): Iterable<TradedContract> {
    return this.#byId.values();
  }

  /** A contract is listed. */
  list(listed: ModuleData<"CONTRACT">): void {
    const product = this.#products.get(listed.productId);
    if (product === undefined || this.#byId.has(listed.id)) return;
    const contract = tradedContract(++this.#lastIndex, listed, product);
    this.#byId.set(contract.id, contract);
    const { profile, forecasts, now } = this.#options;
    forecasts.add(contract, now());
    profile.add(contract);
  }

  /** Delivery of a contract has begun. */
  expire(contractId: string): void {
    const contract = this.#byId.get(contractId);
    if (contract === undefined) return;
    const { profile, personas, listeners, forecasts, now } = this.#options;
    profile.remove(contract);
    listeners.forget(contract);
    for (const persona of personas) persona.onDelivery(contract);
    forecasts.started(contract, now());
  }

  /** A contract has left the market. */
  remove(contractId: string): void {
    const contract = this.#byId.get(contractId);
    if (contract === undefined) return;
    const { profile, personas, listeners, forecasts, now } = this.#options;
    this.#byId.delete(contractId);
    profile.remove(contract);
    listeners.forget(contract);
    for (const persona of personas) persona.onRemoved(contract, () => Math.round(forecasts.best(contract)));
    forecasts.remove(contract, now());
  }
}
