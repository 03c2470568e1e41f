// The contracts of a run, from their listing until they leave the market. Tells the population.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import { type TradedContract, tradedContract, type TradedProduct } from "../personas/traded-contract.ts";
import type { Population } from "../population/population.ts";

interface RunContractsOptions {
  readonly products: readonly TradedProduct[];
  readonly population: Population;
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
    this.#options.population.listed(contract, this.#options.now());
  }

  /** Delivery of a contract has begun. */
  expire(contractId: string): void {
    const contract = this.#byId.get(contractId);
    if (contract !== undefined) this.#options.population.started(contract, this.#options.now());
  }

  /** A contract has left the market. */
  remove(contractId: string): void {
    const contract = this.#byId.get(contractId);
    if (contract === undefined) return;
    this.#byId.delete(contractId);
    this.#options.population.removed(contract, this.#options.now());
  }
}
