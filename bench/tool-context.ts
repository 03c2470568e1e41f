// The context of a tool's handler in a bench: a connected market with a snapshot of the given messages.

import { noProgress } from "../core/tools/progress.ts";
import { Snapshot } from "../core/market/snapshot.ts";
import type { SnapshotReader } from "../core/market/snapshot-reader.ts";
import type { StateMessage } from "../protocol/index.ts";
import { NO_CLIENT } from "../core/tools/client.ts";
import type { Services, ToolContext } from "../core/tools/context.ts";
import type { Tool } from "../core/tools/tool.ts";
import { pubsubThatIs, servicesWith } from "../tests/core/support/services.ts";
import { isoTime } from "./market-data.ts";

/** Of a client that did not ask for progress, as nearly all don't. */
export const CALL_SCOPE = { client: NO_CLIENT, signal: new AbortController().signal };

export const SCOPE = {
  ...CALL_SCOPE,
  progress: noProgress,
  waitForEvent: () => Promise.resolve(false),
};

export function snapshotOf(messages: Iterable<StateMessage>): Snapshot {
  const snapshot = new Snapshot();
  snapshot.replaceAll(messages, isoTime(0));
  return snapshot;
}

export function servicesOver(snapshot: SnapshotReader): Services {
  return servicesWith({ snapshot, pubsub: pubsubThatIs("connected", ["Market.View"]) });
}

export function contextOver(snapshot: SnapshotReader): ToolContext {
  return { ...servicesOver(snapshot), ...SCOPE };
}

export function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}
