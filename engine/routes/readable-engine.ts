// What the routes that read a market need of its engine, which has a server or is embedded.

import type { AuditReader } from "../../common/audit/audit-store.ts";
import type { EntityPositions, OrderBlocks } from "../../protocol/index.ts";
import type { EngineUser } from "../api/market-engine.ts";
import type { UserDirectory } from "../server/publication/user-directory.ts";

export interface ReadableEngine {
  readDirectory(): Pick<UserDirectory, "entities" | "users">;
  readAudit(): AuditReader;
  /** Undefined if there is no such entity. */
  positions(entityId: string): EntityPositions | undefined;
  /** MarketEngine.explainOrder. */
  explainOrder(orderId: string, viewer: EngineUser): OrderBlocks | null;
}
