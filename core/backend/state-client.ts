// Entities, users, positions, and the reasons why orders do not trade, as the backend has them now, over HTTP. It holds no
// state and needs no connect step.

import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { ClockSetting, EntityPositions, OrderBlocks } from "../../protocol/index.ts";

export interface StateClient {
  /** Throws ToolError: `backend_unavailable`, `backend_error`, `forbidden`. */
  entities(signal?: AbortSignal): Promise<ModuleData<"ENTITY">[]>;
  users(signal?: AbortSignal): Promise<ModuleData<"USER">[]>;
  /**
   * The positions of an entity; null if the backend does not offer them. Throws as above, and `not_found` if there is no
   * such entity.
   */
  positions(entityId: string, signal?: AbortSignal): Promise<EntityPositions | null>;
  /**
   * Why an order does not trade with orders that it crosses; null if the backend does not offer this. Throws as above, and
   * `not_found` if there is no such order that the acting user may see.
   */
  orderBlocks(orderId: string, signal?: AbortSignal): Promise<OrderBlocks | null>;
  /** Throws as above if the engine is not healthy. */
  health(signal?: AbortSignal): Promise<Health>;
}

export interface Health {
  readonly engineId: string;
  /** The engine's own clock, as ISO time; null if the engine does not tell it over HTTP. */
  readonly time: string | null;
  /** ISO time; null if the engine has no clock apart from real time. */
  readonly marketTime: string | null;
  /** How market time follows real time; null for the same reason. */
  readonly clock: ClockSetting | null;
  /** By how much its machine's clock is ahead while the engine does not follow it; negative: behind; 0: it follows. */
  readonly clockJumpSeconds: number;
  /** The version of mkt, if the engine is mkt's own. */
  readonly version: string | null;
  /** Why the engine rejects every change now, for example because its disk is full; null: it accepts changes. */
  readonly refusal: { readonly code: string; readonly message: string } | null;
}
