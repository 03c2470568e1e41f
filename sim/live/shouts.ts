// The quotes and trades in a frame of the engine, as traders in a pit would hear them: who quotes is heard by all, and
// whether somebody took it.
//
// Of one command a new, changed or released order comes first, then the trades that it made, and the changed book last. An
// order that trades is heard once for each trade, as accepted at the trade's price; one that does not, once, as quoted.

import type { ReceivedMessage } from "../../protocol/client/frame-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import { type EventMessage, EVENTS } from "../../protocol/index.ts";
import type { Side } from "../market/order-book.ts";
import { kilowatts } from "./module-state.ts";

export interface SeenShout {
  readonly contractId: string;
  readonly side: Side;
  readonly price: number;
  /** kW. */
  readonly quantity: number;
  readonly accepted: boolean;
}

const QUOTES: ReadonlySet<string> = new Set(["new.order", "release.order", "change.order"]);

export function shoutsIn(messages: readonly ReceivedMessage[]): SeenShout[] {
  const shouts: SeenShout[] = [];
  let quote: ModuleData<"ORDER"> | null = null;
  let hasTraded = false;
  for (const message of messages) {
    if (!("kind" in message) || message.kind !== "event") continue;
    if (message.type === "new.trade") {
      const trade = tradeIn(message);
      if (trade === null) continue;
      hasTraded = true;
      shouts.push(accepted(trade));
    } else if (QUOTES.has(message.type) && !(hasTraded && message.type === "change.order")) {
      if (quote !== null && !hasTraded) shouts.push(quoted(quote));
      quote = orderIn(message);
      hasTraded = false;
    } else if (message.type === "hold.order") quote = null;
    else if (message.type === "change.book") {
      if (quote !== null && !hasTraded) shouts.push(quoted(quote));
      quote = null;
      hasTraded = false;
    }
  }
  return shouts;
}

function quoted({ contractId, side, price, remainingQuantity }: ModuleData<"ORDER">): SeenShout {
  return { contractId, side, price, quantity: kilowatts(remainingQuantity), accepted: false };
}

function accepted({ contractId, aggressorSide, price, quantity }: ModuleData<"TRADE">): SeenShout {
  return { contractId, side: aggressorSide, price, quantity: kilowatts(quantity), accepted: true };
}

/** Null where the data are not what the protocol says. */
function orderIn({ data }: EventMessage): ModuleData<"ORDER"> | null {
  return EVENTS["new.order"].safeParse(data).data ?? null;
}

function tradeIn({ data }: EventMessage): ModuleData<"TRADE"> | null {
  return EVENTS["new.trade"].safeParse(data).data ?? null;
}
