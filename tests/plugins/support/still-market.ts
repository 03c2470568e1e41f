// The tools with a fixed market: modules, events, entities and users that a test gives, for values that a real engine can't
// be made to give on purpose.

import type { PubSub } from "../../../core/backend/pubsub.ts";
import { EventBuffer } from "../../../core/market/event-buffer.ts";
import type { EventMessage } from "../../../protocol/index.ts";
import { ToolCatalogue } from "../../../core/dispatch/catalogue.ts";
import type { Services } from "../../../core/tools/context.ts";
import { Dispatcher } from "../../../core/dispatch/dispatcher.ts";
import { pubsubThatIs, servicesWith } from "../../core/support/services.ts";
import { Caller } from "./desk.ts";
import { TOOLS } from "./packs.ts";
import { type Modules, NOW, snapshotOf } from "./snapshot-of.ts";

export { NOW, snapshotOf };
export const EPOCH = 1_000;

interface StillMarketParts {
  /** By state path, such as `/ORDER/o1`; `id` follows from it. */
  readonly modules?: Modules;
  /** Type and data, oldest first; numbered from EPOCH + 1. */
  readonly events?: readonly (readonly [type: string, data: Record<string, unknown>])[];
  readonly permissions?: readonly string[];
  readonly pubsub?: Partial<PubSub>;
  readonly services?: Partial<Services>;
}

export class StillMarket extends Caller {
  constructor({ modules = {}, events = [], permissions = [], pubsub = {}, services = {} }: StillMarketParts) {
    super(
      new Dispatcher(
        new ToolCatalogue(TOOLS),
        servicesWith({
          pubsub: { ...pubsubThatIs("connected", permissions), ...pubsub },
          snapshot: snapshotOf(modules),
          events: bufferOf(events),
          ...services,
        }),
      ),
    );
  }
}

function bufferOf(events: readonly (readonly [type: string, data: Record<string, unknown>])[]): EventBuffer {
  const buffer = new EventBuffer(1_000);
  buffer.begin(EPOCH, EPOCH);
  for (const [index, [type, data]] of events.entries()) {
    const message: EventMessage = { kind: "event", sequence: EPOCH + 1 + index, type, time: NOW, data };
    buffer.push(message);
  }
  return buffer;
}
