import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PERMISSIONS } from "../../../../protocol/index.ts";
import type { EngineUser } from "../../../../engine/api/market-engine.ts";
import {
  type Audience,
  EVERYONE,
  PublishedEvent,
  type PublishedMessage,
  PublishedState,
} from "../../../../engine/api/messages.ts";
import { maySee, RULE_PERMISSIONS } from "../../../../engine/api/visibility.ts";
import { RecentMessages } from "../../../../engine/server/publication/recent-messages.ts";
import { Updates } from "../../../../engine/server/publication/updates.ts";
import { FULL_FRAME, VisibilityClasses } from "../../../../engine/server/publication/visibility-class.ts";
import { size } from "../../../support/sizes.ts";

const ENTITIES = ["A", "B", "C"];

let count = 0;
type Sketch = readonly [audience: Audience, kind: PublishedMessage["kind"], length: number];

/** The messages of one execution. As in the engine, its events share a text, and its states another. */
function messagesOf(sketches: readonly Sketch[]): PublishedMessage[] {
  const texts = { event: { text: "" }, state: { text: "" } };
  return sketches.map(([audience, kind, length]) => {
    const shared = texts[kind];
    if (shared.text !== "") shared.text += ",";
    const start = shared.text.length;
    shared.text += `"${++count}"`.padEnd(length, " ");
    const end = shared.text.length;
    return kind === "event"
      ? new PublishedEvent(count, audience, shared, start, end)
      : new PublishedState("ORDER", String(count), "set", audience, shared, start, end);
  });
}

function message(audience: Audience, kind: PublishedMessage["kind"] = "event", length = 1): PublishedMessage {
  return messagesOf([[audience, kind, length]])[0]!;
}

function user(entityId: string | null, ...permissions: string[]): EngineUser {
  return { id: "user", entityId, permissions: new Set(permissions) };
}

/** One object for each audience, as in the engine. */
const AUDIENCE: fc.Arbitrary<Audience> = fc.constantFrom(
  EVERYONE,
  ...RULE_PERMISSIONS.flatMap((permission) =>
    [[], ["A"], ["B"], ["C"], ["A", "B"], ["B", "C"]].map((entityIds) => ({ permission, entityIds }))
  ),
);
const USER: fc.Arbitrary<EngineUser> = fc.record({
  id: fc.string(),
  entityId: fc.constantFrom(null, "D", ...ENTITIES),
  permissions: fc.subarray([...PERMISSIONS]).map((permissions) => new Set<string>(permissions)),
});
const EXECUTION = fc.array(fc.tuple(AUDIENCE, fc.constantFrom("event", "state"), fc.integer({ min: 1, max: 30_000 })), {
  maxLength: 6,
});
/** What happens: an execution, or one of the connections takes its updates, or everyone does. */
const STEP = fc.oneof(
  { weight: 3, arbitrary: EXECUTION.map((execution) => ({ execution })) },
  { weight: 3, arbitrary: fc.nat().map((taker) => ({ taker })) },
  { weight: 1, arbitrary: fc.constant({ clear: true as const }) },
);

/** The numbers of the messages in a frame. */
function numbersIn(frame: string): number[] {
  return JSON.parse(frame).map(Number);
}

/** States may come earlier, but not before older states of the same audience. */
function expectInOrder(got: readonly number[], expected: readonly PublishedMessage[]): void {
  const byNumber = new Map(expected.map((message) => [Number(JSON.parse(message.text)), message]));
  const numbers = [...byNumber.keys()];
  expect(got.toSorted((one, other) => one - other)).toEqual(numbers);
  const isEvent = (number: number) => byNumber.get(number)!.kind === "event";
  expect(got.filter(isEvent)).toEqual(numbers.filter(isEvent));
  const eventsBefore = (order: readonly number[], state: number) =>
    order.slice(0, order.indexOf(state)).filter(isEvent);
  for (const state of numbers.filter((number) => !isEvent(number))) {
    expect(eventsBefore(got, state).length).toBeLessThanOrEqual(eventsBefore(numbers, state).length);
  }
  for (const { audience } of expected) {
    const ofAudience = (number: number) => !isEvent(number) && byNumber.get(number)!.audience === audience;
    expect(got.filter(ofAudience)).toEqual(numbers.filter(ofAudience));
  }
}

/** The connections of users, and the messages that they take from. */
function connected(...users: EngineUser[]) {
  const recent = new RecentMessages();
  const classes = new VisibilityClasses(recent);
  return { recent, connections: users.map((user) => new Updates(recent, classes.of(user))) };
}

describe("a connection", () => {
  test("gets every message that its user may see, once and in order, and no other", () => {
    const property = fc.property(
      fc.array(USER, { minLength: 1, maxLength: 8 }),
      fc.array(STEP, { maxLength: 30 }),
      (users, steps) => {
        const { recent, connections: updates } = connected(...users);
        const connections = updates.map((updates, at) => ({ user: users[at]!, updates, got: [] as number[] }));
        const take = (each: (typeof connections)[number]) => {
          for (const frame of each.updates.takeFrames()) each.got.push(...numbersIn(frame));
        };
        const all: PublishedMessage[] = [];
        for (const step of steps) {
          if ("execution" in step) {
            const messages = messagesOf(step.execution as readonly Sketch[]);
            recent.add(messages);
            all.push(...messages);
          } else if ("taker" in step) take(connections[step.taker % connections.length]!);
          else {
            connections.forEach(take);
            recent.clear();
          }
        }
        connections.forEach(take);
        for (const { user, got } of connections) {
          expectInOrder(got, all.filter(({ audience }) => maySee(user, audience)));
        }
      },
    );
    fc.assert(property, { numRuns: size(75, 20_000) });
  });

  test("gets nothing for messages that its user may not see", () => {
    const { recent, connections: [updates] } = connected(user("A"));
    recent.add([message({ permission: "Market.View", entityIds: ["B"] })]);
    expect(updates!.takeFrames()).toEqual([]);
  });
});

describe("frames", () => {
  test("are made once for all connections of a class, and for classes whose entities add nothing", () => {
    const { recent, connections } = connected(...["A", "A", "C", "B"].map((entity) => user(entity, "Order.Submit")));
    const [one, same, other, ownOrder] = connections as [Updates, Updates, Updates, Updates];
    const messages = [message(EVERYONE), message({ permission: "Market.View", entityIds: ["B"] }), message(EVERYONE)];
    recent.add(messages);
    const shared = one.takeFrames();
    expect(shared).toEqual([`[${messages[0]!.text},${messages[2]!.text}]`]);
    expect(same.takeFrames()).toBe(shared);
    expect(other.takeFrames()).toBe(shared);
    expect(ownOrder.takeFrames()).toEqual([`[${messages.map(({ text }) => text).join()}]`]);
  });

  test("of a long text are shared: what an entity shows besides comes in a frame before it, if it is only states", () => {
    const { recent, connections } = connected(...ENTITIES.map((entity) => user(entity, "Market.View")));
    const [one, other, last] = connections as [Updates, Updates, Updates];
    const long = message(EVERYONE, "event", 20_000);
    const credit = { permission: "Scope.Global", entityIds: ["A"] } as const;
    const state = message(credit, "state");
    recent.add([long, state]);
    const [first, shared] = one.takeFrames();
    expect([first, shared]).toEqual([`[${state.text}]`, `[${long.text}]`]);
    expect(other.takeFrames()).toEqual([shared!]);
    const event = message(credit);
    recent.add([state, event, long]);
    expect(one.takeFrames()).toEqual([`[${state.text},${event.text},${long.text}]`]);
    expect(last.takeFrames()).toEqual([`[${long.text},${long.text}]`]);
  });

  test("of a long text are shared by all: the states that an entity shows come in one frame before them all", () => {
    const { recent, connections } = connected(user("A", "Market.View"), user("B", "Market.View"));
    const [one, other] = connections as [Updates, Updates];
    const credit = { permission: "Scope.Global", entityIds: ["A"] } as const;
    const long = [1, 2, 3].map(() => message(EVERYONE, "event", FULL_FRAME));
    const states = long.map(() => message(credit, "state"));
    for (const [at, event] of long.entries()) recent.add([states[at]!, event]);
    const shared = other.takeFrames();
    expect(shared).toEqual(long.map(({ text }) => `[${text}]`));
    expect(one.takeFrames()).toEqual([`[${states.map(({ text }) => text).join()}]`, ...shared]);
  });

  test("are full after a number of characters, and never divide an execution", () => {
    const { recent, connections: [updates] } = connected(user(null));
    const half = () => message(EVERYONE, "event", FULL_FRAME / 2);
    const executions = [[half()], [half(), half()], [half()], [message(EVERYONE)]];
    for (const messages of executions) recent.add(messages);
    const texts = executions.map((messages) => messages.map(({ text }) => text).join());
    expect(updates!.takeFrames()).toEqual([`[${texts[0]},${texts[1]}]`, `[${texts[2]},${texts[3]}]`]);
  });
});

test("what everyone has taken is forgotten", () => {
  const recent = new RecentMessages();
  recent.add([message(EVERYONE, "event", 100)]);
  recent.add([]);
  expect([recent.end, recent.length, recent.isEmpty]).toEqual([1, 100, false]);
  recent.clear();
  expect([recent.end, recent.length, recent.isEmpty]).toEqual([1, 0, true]);
});
