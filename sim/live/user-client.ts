// The engine client of one user of a simulation: a persona, the user who watches the market, or the one who publishes.
//
// A request that was sent when the connection ends settles as `timeout`. The next snapshot shows
// whether an order was executed. The engine refuses an order that arrives after ORDER_VALIDITY_MS.

import type { Logger } from "../../common/logger.ts";
import { EngineClient } from "../../protocol/client/engine-client.ts";
import type { ClientPolicy, EngineClientOptions } from "../../protocol/client/engine-client-options.ts";
import type { EngineClock } from "../../protocol/client/engine-clock.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { MarketTimeSource } from "./followed-clock.ts";

/** How a simulator reaches its engine: the same for every user. */
export interface EngineAccess extends Pick<EngineClientOptions, "url" | "token" | "reader"> {
  /** Real milliseconds since the epoch. */
  readonly now: () => number;
  /** What its clients know of the engine's clock. */
  readonly clock: EngineClock;
  /** Market time: the engine's own in its process, otherwise the clock's estimate. */
  readonly marketTime: MarketTimeSource;
  readonly log: Logger;
  /** Called with each order of the market that the simulator sees, new or changed. */
  readonly onOrder?: ((order: ModuleData<"ORDER">) => void) | undefined;
}

/** How long the engine may carry out an order after it was sent, in engine time. */
export const ORDER_VALIDITY_MS = 3_000;
/** How long the engine may take to respond to a request. */
export const RESPONSE_LIMIT_MS = 30_000;

const TIMINGS = {
  pingMs: 5_000,
  silenceMs: 15_000,
  openMs: 10_000,
  answerMs: 15_000,
  synchronizeMs: 30_000,
  closeMs: 1_000,
  firstRetryMs: 200,
  longestRetryMs: 5_000,
};

const POLICY: ClientPolicy = {
  retriesFirstAttempt: true,
  finalRefusals: 1,
  requestTimeoutMs: null,
  validForMs: (action) => action === "order.submit" ? ORDER_VALIDITY_MS : RESPONSE_LIMIT_MS,
  lenientSnapshot: true,
};

export function userClient(
  { url, token, reader, clock, log }: Omit<EngineAccess, "now" | "marketTime">,
  user: Pick<EngineClientOptions, "userId" | "listener"> & { readonly cancelOnDisconnect?: boolean },
): EngineClient {
  return new EngineClient({
    url,
    token,
    reader,
    log,
    cancelOnDisconnect: false,
    ...user,
    clock,
    timings: TIMINGS,
    policy: POLICY,
  });
}
