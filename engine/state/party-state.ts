// Entities and their users, as the engine holds them.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { Permission } from "../../protocol/index.ts";
import type { MarketDefinition } from "../definition/market-definition.ts";
import type { ExactInteger } from "../market/exact-integer.ts";
import type { EngineUser } from "../api/market-engine.ts";
import type { EntityAudiences } from "../api/visibility.ts";

export interface EntityState {
  /** Its number in the credit ledger and in the books. */
  readonly party: number;
  readonly definition: MarketDefinition["entities"][number];
  readonly userIds: readonly string[];
  creditStatus: ModuleData<"ENTITY">["creditStatus"];
  readonly settled: SettledResults;
  /** Its id, quoted. */
  readonly idText: string;
  /** Its id as it is inside a JSON string. */
  readonly idInString: string;
  readonly audiences: EntityAudiences;
  /** Number of the transaction that last changed its credit. */
  creditChangedIn: number;
}

/** Sums of an entity over the contracts that it traded and that have left the market. */
interface SettledResults {
  contracts: number;
  /** Received less paid in trades, in cents/MWh x kW x min. */
  cash: ExactInteger;
  /** In millionths of the unit of `cash`. */
  profit: bigint;
}

export interface UserState extends EngineUser {
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
  connected: boolean;
  /** Its place in the definition. */
  readonly number: number;
  /** Of `entityId`. */
  readonly entity: EntityState | null;
  readonly exposure: UserExposure;
  /** The entity's and its own id as JSON: `"ENTITY","userId":"USER"`. */
  readonly ownerText: string;
}

/** The open orders of one user. */
export interface UserExposure {
  openOrders: number;
  /** Sum of |limit price| x remaining energy, in cents/MWh x kW x min. */
  openNotional: ExactInteger;
}
