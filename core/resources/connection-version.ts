// What a connection to the market alone changes in the content of a resource.

import type { ToolContext } from "../tools/context.ts";

/**
 * Another text whenever the process acts as another user, or as one with other permissions, and whenever the marks `stale`,
 * `asOf` and `incomplete` change (core/dispatch/outcome.ts).
 */
export function connectionVersion({ pubsub, snapshot }: Pick<ToolContext, "pubsub" | "snapshot">): string {
  const { session, status, incomplete } = pubsub;
  const asOf = status === "connected" ? null : snapshot.asOf;
  return JSON.stringify([
    session?.userId,
    session?.entityId,
    session?.capabilities,
    session?.engineId,
    session?.epoch,
    status,
    asOf,
    incomplete,
  ]);
}
