// Market updates, that is public quotes and trades, derived from the events in a frame of the engine.
//
// The events of one command come in this order: the new, changed or released order, then its trades, then the changed book.
// An order that trades gives one update for each trade, at the trade's price. An order that doesn't trade gives one quote.

import type { ReceivedMessage } from "../../protocol/client/frame-reader.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { EventMessage } from "../../protocol/index.ts";
import type { MarketUpdate } from "../strategies/strategy.ts";
import { kilowatts } from "./module-state.ts";

/** Quantity in kW. */
export interface SeenUpdate extends MarketUpdate {
  readonly contractId: string;
}

const QUOTES: ReadonlySet<string> = new Set(["new.order", "release.order", "change.order"]);

export function marketUpdatesIn(messages: readonly ReceivedMessage[]): SeenUpdate[] {
  const updates: SeenUpdate[] = [];
  let quote: ModuleData<"ORDER"> | null = null;
  let hasTraded = false;
  for (const message of messages) {
    if (!("kind" in message) || message.kind !== "event") continue;
    if (message.type === "new.trade") {
      hasTraded = true;
      updates.push(tradeUpdate(moduleIn<"TRADE">(message)));
    } else if (QUOTES.has(message.type) && !(hasTraded && message.type === "change.order")) {
      if (quote !== null && !hasTraded) updates.push(quoteUpdate(quote));
      quote = moduleIn<"ORDER">(message);
      hasTraded = false;
    } else if (message.type === "hold.order") quote = null;
    else if (message.type === "change.book") {
      if (quote !== null && !hasTraded) updates.push(quoteUpdate(quote));
      quote = null;
      hasTraded = false;
    }
  }
  return updates;
}

function quoteUpdate({ contractId, side, price, remainingQuantity }: ModuleData<"ORDER">): SeenUpdate {
  return { contractId, side, price, quantity: kilowatts(remainingQuantity), isTrade: false };
}

function tradeUpdate({ contractId, aggressorSide, price, quantity }: ModuleData<"TRADE">): SeenUpdate {
  return { contractId, side: aggressorSide, price, quantity: kilowatts(quantity), isTrade: true };
}

/** The module that the event carries; the FrameReader has checked it. */
function moduleIn<Type extends "ORDER" | "TRADE">({ data }: EventMessage): ModuleData<Type> {
  return data as unknown as ModuleData<Type>;
}
