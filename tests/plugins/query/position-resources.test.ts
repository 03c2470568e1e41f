// The versions of the resources that can be followed: each thing on which their content depends changes them.

import { describe, expect, test } from "bun:test";
import type { ToolContext } from "../../../core/tools/context.ts";
import type { Resource } from "../../../core/resources/resource.ts";
import { ToolError } from "../../../core/error.ts";
import { NEUTRAL_ADVICE } from "../../../core/advice.ts";
import { EVENT_CATEGORIES } from "../../../protocol/index.ts";
import { eventResources } from "../../../plugins/monitor/recent-events.ts";
import positions from "../../../plugins/query/position-resources.ts";

const SESSION = { userId: "u", entityId: "own", capabilities: ["Market.View"], engineId: "e", epoch: 1 };

interface Given {
  readonly revisions?: Record<string, number>;
  readonly newest?: Record<string, number>;
  readonly epoch?: number;
  readonly session?: object | null;
  readonly pubsub?: object;
  readonly asOf?: string;
}

function contextOf({ revisions = {}, newest = {}, epoch = 1, session, asOf = "then", pubsub }: Given = {}) {
  const acting = session === null ? null : { ...SESSION, ...session };
  const snapshot = {
    asOf,
    revision: (type: string) => revisions[type] ?? 1,
    get: () => undefined,
    find: () => ({ total: 0, modules: [] }),
    ids: () => [],
    values: () => [],
    count: () => 0,
  };
  return {
    snapshot,
    events: { epoch, newestOf: (category: string) => newest[category] ?? 1 },
    pubsub: { session: acting, status: "connected", incomplete: false, ...pubsub },
    advice: NEUTRAL_ADVICE,
  } as unknown as ToolContext;
}

const versionOf = (resource: Resource | undefined, parameters: Record<string, string>, given?: Given) =>
  resource?.version?.(parameters, contextOf(given));

const CHANGES: readonly (readonly [what: string, given: Given])[] = [
  ...["ENTITY", "FILL", "ENGINE", "CONTRACT", "CREDIT"].map((type) =>
    [`the modules of type ${type}`, { revisions: { [type]: 2 } }] as const
  ),
  ["the spot prices", { newest: { pricing: 2 } }],
  ["the epoch", { epoch: 2 }],
  ["the user", { session: { userId: "v" } }],
  ["the permissions", { session: { capabilities: ["Market.View", "Credit.View"] } }],
  ["the engine", { session: { engineId: "f" } }],
  ["the session's epoch", { session: { epoch: 2 } }],
  ["what the connection gives", { pubsub: { incomplete: true } }],
  ["the connection, which is lost", { pubsub: { status: "reconnecting" } }],
];

describe.each(positions.map((resource) => [resource.uri, resource] as const))("the version of %s", (_, resource) => {
  const version = (given?: Given) => versionOf(resource, { entityId: "own" }, given);

  test.each(CHANGES)("changes with %s", (_, given) => {
    expect(version()).toBe(version());
    expect(version(given)).not.toBe(version());
  });

  test("does not change with what is nothing to positions", () => {
    expect(version({ revisions: { ORDER: 2, QUEUE: 2, USER: 2 }, newest: { order: 2, market: 2 } })).toBe(version());
  });

  test("of a lost connection changes with the time of what is known", () => {
    const lost = { pubsub: { status: "reconnecting" } };
    expect(version({ ...lost, asOf: "later" })).not.toBe(version(lost));
    expect(version({ asOf: "later" })).toBe(version());
  });
});

test("the positions of each entity have a version of their own", () => {
  const [own, named] = positions;
  const global = { session: { capabilities: ["Market.View", "Scope.Global"] } };
  expect(versionOf(named, { entityId: "other" }, global)).not.toBe(versionOf(named, { entityId: "own" }, global));
  expect(versionOf(own, {}, { session: { entityId: "other" } })).not.toBe(versionOf(own, {}));
});

test("positions are followed only with a connection, and the own ones only by a user of an entity", () => {
  const [own, named] = positions;
  expect(() => versionOf(named, { entityId: "own" }, { session: null, pubsub: { status: "disconnected" } }))
    .toThrow("There is no connection");
  expect(() => versionOf(named, { entityId: "other" })).toThrow(ToolError);
  expect(() => versionOf(own, {}, { session: { entityId: null } })).toThrow("User u belongs to no entity");
});

test.each(EVENT_CATEGORIES.map((category) => [category]))(
  "the version of the events of category %s changes with them and with the epoch, and with no other events",
  (category) => {
    const version = (given?: Given) => versionOf(eventResources[0], { category }, given);
    expect(version({ newest: { [category]: 2 } })).not.toBe(version());
    expect(version({ epoch: 2 })).not.toBe(version());
    const others = EVENT_CATEGORIES.filter((each) => each !== category).map((each) => [each, 2]);
    expect(version({ newest: Object.fromEntries(others) })).toBe(version());
  },
);
