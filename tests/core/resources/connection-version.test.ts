import { expect, test } from "bun:test";
import { connectionVersion } from "../../../core/resources/connection-version.ts";
import { Snapshot } from "../../../core/market/snapshot.ts";
import type { PubSub } from "../../../core/backend/pubsub.ts";
import { pubsubThatIs } from "../support/services.ts";

const NOON = "2030-01-01T12:00:00.000Z";
const LATER = "2030-01-01T12:00:01.000Z";

function versionOf(parts: Partial<PubSub> = {}, asOf = NOON): string {
  const snapshot = new Snapshot();
  snapshot.confirm(asOf);
  return connectionVersion({ pubsub: { ...pubsubThatIs("connected"), ...parts }, snapshot });
}

const session = pubsubThatIs("connected").session!;
const LOST: Partial<PubSub> = { status: "reconnecting" };

test.each<[string, Partial<PubSub>]>([
  ["another user", { session: { ...session, userId: "user-2" } }],
  ["another entity", { session: { ...session, entityId: "entity-2" } }],
  ["other permissions", { session: { ...session, capabilities: ["Market.View"] } }],
  ["another engine", { session: { ...session, engineId: "engine-2" } }],
  ["another epoch", { session: { ...session, epoch: 2 } }],
  ["no session", { session: null }],
  ["a lost connection", LOST],
  ["an incomplete snapshot", { incomplete: true }],
])("with %s the version is another one, and the former again afterwards", (_what, parts) => {
  expect(versionOf(parts)).not.toBe(versionOf());
  expect(versionOf(parts)).toBe(versionOf(parts));
});

test("the time of the snapshot changes the version only while the connection is lost", () => {
  expect(versionOf({}, LATER)).toBe(versionOf({}, NOON));
  expect(versionOf(LOST, LATER)).not.toBe(versionOf(LOST, NOON));
});
