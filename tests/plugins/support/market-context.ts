// What a handler gets of a market in this process (tests/core/support/market-in-process.ts).

import { NO_CLIENT } from "../../../core/tools/client.ts";
import type { ToolContext } from "../../../core/tools/context.ts";
import type { MarketInProcess } from "../../core/support/market-in-process.ts";
import { servicesWith } from "../../core/support/services.ts";

export function contextOf(market: MarketInProcess): ToolContext {
  return {
    ...servicesWith(market.services),
    client: NO_CLIENT,
    signal: new AbortController().signal,
    progress: () => Promise.resolve(),
    waitForEvent: () => Promise.reject(new Error("not expected")),
  };
}
