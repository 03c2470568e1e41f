// The version of a resource (Resource.version) whose content comes from the connection to the market.

import type { ToolContext } from "../tools/context.ts";

/**
 * Another text whenever one of the parts has changed, or what a connection alone changes in the content: the acting user and
 * its permissions, and the marks `stale`, `asOf` and `incomplete`. Parts are plain values, or objects that stand for
 * themselves: a module in the snapshot, which never changes, since a new state is a new object.
 */
export function liveVersion(
  { pubsub, snapshot }: Pick<ToolContext, "pubsub" | "snapshot">,
  ...parts: readonly unknown[]
): string {
  const { session, status, incomplete } = pubsub;
  const asOf = status === "connected" ? null : snapshot.asOf;
  const connection = [
    session?.userId,
    session?.entityId,
    session?.capabilities,
    status === "connected",
    asOf,
    incomplete,
  ];
  return JSON.stringify([...connection, ...parts.map((part) => isObject(part) ? identityOf(part) : part)]);
}

const identities = new WeakMap<object, string>();
let count = 0;

/** The same for the same object, and different for any two objects. */
function identityOf(object: object): string {
  const known = identities.get(object);
  if (known !== undefined) return known;
  const made = `object ${++count}`;
  identities.set(object, made);
  return made;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
