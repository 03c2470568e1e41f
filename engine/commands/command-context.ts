import type { OpenOrderLimits } from "../api/market-engine.ts";
import type { UserState } from "../state/party-state.ts";

/** What a command's handler may need beside the payload. */
export interface CommandContext {
  /** Who sends the request. */
  readonly user: UserState;
  readonly operationId: string;
  /** STRESS_TEST_SECRET; null if there is none. */
  readonly secret: string | null;
  readonly limits: OpenOrderLimits;
}
