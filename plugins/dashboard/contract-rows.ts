// The listed contracts with the best prices of their books, as the page shows them, and which of them have changed since when.
//
// Each refresh that finds a change has a number, the version. A row has the version in which its text last changed, so every
// reader finds what is new since the version that it knows.
// Cost: a refresh without a change of a contract, book or product is three comparisons. Otherwise it looks at each listed
// contract, and only makes the rows whose modules are other objects than before: modules never change.
// Limit: contracts that are no longer listed are kept up to MAX_UNLISTED; a reader that knows less begins anew.

import { safeJson } from "../../common/safe-text.ts";
import type { SnapshotReader } from "../../core/market/snapshot-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { ContractRow } from "../../web/contract/market.ts";

const MAX_UNLISTED = 1_000;

interface Row {
  readonly contract: ModuleData<"CONTRACT">;
  readonly engine: ModuleData<"ENGINE"> | undefined;
  readonly product: ModuleData<"PRODUCT"> | undefined;
  /** JSON of the ContractRow. */
  readonly text: string;
  readonly version: number;
}

/** JSON texts of rows, and ids. */
export interface ChangedRows {
  readonly rows: readonly string[];
  readonly unlisted: readonly string[];
}

export class ContractRows {
  #version = 0;
  /** By start of delivery. */
  #rows = new Map<string, Row>();
  /** The version in which a contract was no longer listed; oldest first. */
  readonly #unlisted = new Map<string, number>();
  /** The changes after this version are known. */
  #knownSince = 0;
  #listed: readonly ModuleData<"CONTRACT">[] = [];
  #revisions = { contracts: -1, engines: -1, products: -1 };

  constructor(private readonly snapshot: SnapshotReader) {}

  get version(): number {
    return this.#version;
  }

  /** Reads the snapshot, and returns the version. */
  refresh(): number {
    const { snapshot } = this;
    const contracts = snapshot.revision("CONTRACT");
    const engines = snapshot.revision("ENGINE");
    const products = snapshot.revision("PRODUCT");
    const before = this.#revisions;
    if (contracts === before.contracts && engines === before.engines && products === before.products) {
      return this.#version;
    }
    this.#revisions = { contracts, engines, products };
    const next = this.#version + 1;
    let hasChanged = contracts !== before.contracts && this.#relist(next);
    for (const contract of this.#listed) hasChanged = this.#update(contract, next) || hasChanged;
    if (hasChanged) this.#version = next;
    return this.#version;
  }

  /** All rows, by start of delivery. */
  all(): ChangedRows {
    return { rows: this.#listed.map(({ id }) => this.#rows.get(id)!.text), unlisted: [] };
  }

  /** Null if it is not known any more what has changed since. */
  since(version: number): ChangedRows | null {
    if (version === this.#version) return { rows: [], unlisted: [] };
    if (version < this.#knownSince || version > this.#version) return null;
    const rows: string[] = [];
    for (const row of this.#rows.values()) if (row.version > version) rows.push(row.text);
    const unlisted: string[] = [];
    for (const [id, at] of this.#unlisted) if (at > version) unlisted.push(id);
    return { rows, unlisted };
  }

  /** Reads which contracts are listed. Whether some no longer are. */
  #relist(version: number): boolean {
    const { modules } = this.snapshot.find("CONTRACT", { where: ({ status }) => status === "listed", limit: Infinity });
    this.#listed = modules.toSorted((a, b) => Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart));
    const listed = new Set(modules.map(({ id }) => id));
    const gone = [...this.#rows.keys()].filter((id) => !listed.has(id));
    for (const id of gone) {
      this.#rows.delete(id);
      this.#unlisted.set(id, version);
    }
    for (const [id, at] of this.#unlisted) {
      if (this.#unlisted.size <= MAX_UNLISTED) break;
      this.#unlisted.delete(id);
      this.#knownSince = at;
    }
    return gone.length > 0;
  }

  /** Whether the text of the row has changed. */
  #update(contract: ModuleData<"CONTRACT">, version: number): boolean {
    const { id } = contract;
    const known = this.#rows.get(id);
    const engine = this.snapshot.get("ENGINE", contract.engineId);
    const product = this.snapshot.get("PRODUCT", contract.productId);
    if (known?.contract === contract && known.engine === engine && known.product === product) return false;
    const text = safeJson(rowOf(contract, engine, product));
    const hasChanged = text !== known?.text;
    this.#rows.set(id, { contract, engine, product, text, version: hasChanged ? version : known!.version });
    this.#unlisted.delete(id);
    return hasChanged;
  }
}

function rowOf(
  contract: ModuleData<"CONTRACT">,
  engine: ModuleData<"ENGINE"> | undefined,
  product: ModuleData<"PRODUCT"> | undefined,
): ContractRow {
  const { id: contractId, productId, node, marketId, deliveryStart, deliveryEnd, hours } = contract;
  return {
    contractId,
    productId,
    productName: product?.name ?? productId,
    productType: product?.type ?? "",
    node,
    marketId,
    deliveryStart,
    deliveryEnd,
    hours,
    bestBid: engine?.bestBid ?? null,
    bestAsk: engine?.bestAsk ?? null,
    bestBidVolume: engine?.bids[0]?.volume ?? null,
    bestAskVolume: engine?.asks[0]?.volume ?? null,
    lastPrice: engine?.lastPrice ?? null,
    tradedQuantity: engine?.tradedQuantity ?? 0,
    workingOrders: engine?.totalWorkingOrders ?? 0,
  };
}
