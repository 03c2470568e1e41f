// Reading frames by compiled tests against reading them with zod alone: over every kind of message, module type and event
// type, in valid and broken frames.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { MAX_FURTHER_DEPTH } from "../../../protocol/checkers/compiled-test.ts";
import { fitsClientMessage, fitsModule, fitsProtocol } from "../../../protocol/checkers/message-tests.ts";
import { FrameReader, type ReceivedMessage } from "../../../protocol/client/frame-reader.ts";
import {
  carriedModule,
  clientMessage,
  event,
  type EventMessage,
  EVENTS,
  replacesState,
  stateMessage,
  taggedEngineMessage,
} from "../../../protocol/index.ts";
import { isDeeperThan } from "../../../protocol/json.ts";
import { MAX_DEPTH } from "../../../protocol/limits.ts";
import { MODULE_TYPES, moduleSchema, type ModuleType } from "../../../protocol/modules/registry.ts";
import { parseStatePath } from "../../../protocol/state-path.ts";
import { inputsOf, type Schema } from "../../support/schema-inputs.ts";
import { size } from "../../support/sizes.ts";

const FRAMES = size(250, 200_000);

/** JSON.parse reads it as Infinity, which no schema accepts. JSON.stringify can't write it. */
const INFINITE = "1e999";
const HUGE = 1e308;

const QUIET = { warn: () => {} } as never;

/** The messages of a frame, read with zod alone. */
function judged(frame: string): ReceivedMessage[] {
  const content: unknown = JSON.parse(frame);
  if (isDeeperThan(MAX_DEPTH, content)) return [{ kind: "unreadable", fault: "too_deep" }];
  return (Array.isArray(content) ? content : [content]).flatMap(judgedMessage);
}

function judgedMessage(message: unknown): ReceivedMessage[] {
  const invalid = (about: object) => [{ kind: "unreadable", fault: "invalid_message", ...about }] as ReceivedMessage[];
  if (typeof message !== "object" || message === null || !("statePath" in message || "kind" in message)) {
    return [{ kind: "unreadable", fault: "not_a_message" }];
  }
  if ("statePath" in message) {
    const { data } = stateMessage.safeParse(message);
    const { statePath } = message;
    if (data === undefined) return invalid(typeof statePath === "string" ? { statePath } : { statePath: undefined });
    const path = parseStatePath(data.statePath);
    if (path === null) return [];
    const fits = data.state === null ||
      (data.state.id === path.id && moduleSchema(path.type).safeParse(data.state).success);
    return fits ? [data] : [{ kind: "unreadable", fault: "invalid_module", statePath: data.statePath }];
  }
  if (!taggedEngineMessage.options.some(({ shape }) => shape.kind.value === message.kind)) return [];
  const { data } = taggedEngineMessage.safeParse(message);
  if (data !== undefined) return [data.kind === "event" ? judgedEvent(data) : data];
  const { sequence } = message as { readonly sequence?: unknown };
  return invalid({
    sequence: message.kind === "event" && Number.isSafeInteger(sequence) ? sequence as number : undefined,
  });
}

function judgedEvent(message: EventMessage): ReceivedMessage {
  const { type, sequence, data } = message;
  if (!replacesState(type) || EVENTS[type].safeParse(data).success) return message;
  const [moduleType, id] = type === "change.book" ? ["ENGINE", data["engineId"]] : [carriedModule(type), data["id"]];
  const statePath = typeof id === "string" ? `/${moduleType}/${id}` : undefined;
  return { kind: "unreadable", fault: "invalid_module", sequence, statePath };
}

const jsonSchemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" }) as Schema;
const options = { known: ["a", "order-1", "new.order", "working", "2030-01-01T00:00:00.000Z"] };

/** Messages of one form: two thirds are valid by their schema. */
const forms: fc.Arbitrary<unknown>[] = [
  ...taggedEngineMessage.options.map((schema) => inputsOf(jsonSchemaOf(schema), options)),
  ...MODULE_TYPES.map((type) =>
    inputsOf(jsonSchemaOf(moduleSchema(type)), options).map((state) => ({
      statePath: `/${type}/${String((state as { id?: unknown } | null)?.id)}`,
      state,
    }))
  ),
  ...Object.entries(EVENTS).map(([type, data]) =>
    inputsOf(jsonSchemaOf(event.extend({ type: z.literal(type), data })), options)
  ),
  inputsOf(jsonSchemaOf(stateMessage), options),
  fc.record({ statePath: fc.constantFrom("/ORDER/a", "/NEWS/a", "/ORDER/", ""), state: fc.constant(null) }),
];

const frames = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.oneof(...forms), { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.oneof(...forms) },
).map((content) => JSON.stringify(content)?.replaceAll(`${HUGE}`, INFINITE) ?? "null");

test("frames are read as zod reads them, and most valid messages without zod", () => {
  let [valid, taken] = [0, 0];
  fc.assert(
    fc.property(frames, (frame) => {
      const expected = judged(frame);
      const read = new FrameReader(QUIET).read(frame);
      expect(read).toStrictEqual(expected);
      const fitting = expected.filter((message) => !("kind" in message) || message.kind !== "unreadable");
      valid += fitting.length;
      taken += fitting.filter(fitsProtocol).length;
    }),
    { numRuns: FRAMES },
  );
  expect(valid).toBeGreaterThan(FRAMES / 3);
  expect(taken / valid).toBeGreaterThan(0.9);
});

test("the message of a client is taken only if zod takes it with the same content", () => {
  const messages = fc.oneof(...clientMessage.options.map((schema) => inputsOf(jsonSchemaOf(schema), options)));
  let [valid, taken] = [0, 0];
  fc.assert(
    fc.property(messages, (input) => {
      const message: unknown = JSON.parse(JSON.stringify(input) ?? "null");
      const { data } = clientMessage.safeParse(message);
      if (data !== undefined) valid += 1;
      if (!fitsClientMessage(message)) return;
      taken += 1;
      expect(message as unknown).toStrictEqual(data);
    }),
    { numRuns: FRAMES },
  );
  expect(valid).toBeGreaterThan(FRAMES / 3);
  // zod judges a request with a wrong field of a trace, which it drops.
  expect(taken / valid).toBeGreaterThan(0.85);
});

const ENTITY = { id: "a", name: "A", code: "A", userIds: [], creditStatus: "ok" };
const entityState = (id: string, pathId = id) => ({ statePath: `/ENTITY/${pathId}`, state: { ...ENTITY, id } });
const response = (over: object) => ({ kind: "response", requestId: "r", operationId: "o", status: "ok", ...over });

test.each<[string, unknown, boolean]>([
  ["the path of another module", entityState("a", "b"), false],
  ["the path of a module whose id ends alike", entityState("a", "ba"), false],
  ["an id of 200 characters", entityState("x".repeat(200)), true],
  ["an id of 201 characters", entityState("x".repeat(201)), false],
  ["a request's id of 201 characters", response({ requestId: "x".repeat(201) }), false],
  ["an empty id", response({ requestId: "" }), false],
  ["a text of 1,000 characters", response({ message: "x".repeat(1_000) }), true],
  ["a text of 1,001 characters", response({ message: "x".repeat(1_001) }), false],
  ["a number of 2^53 - 1", { kind: "snapshotEnd", sequence: 2 ** 53 - 1 }, true],
  ["a number of 2^53", { kind: "snapshotEnd", sequence: 2 ** 53 }, false],
  ["a number below 0", { kind: "snapshotEnd", sequence: -1 }, false],
  ["an event with only its number", { kind: "event", sequence: 7 }, false],
  ["an event with an odd number", { kind: "event", sequence: 0.5 }, false],
  ["a module without its properties", { statePath: "/ENTITY/a", state: { id: "a" } }, false],
  ["a day that does not exist", { kind: "pong", time: "2029-02-29T00:00:00.000Z" }, false],
])("tests and zod agree on %s", (_name, message, fits) => {
  expect(fitsProtocol(message)).toBe(fits);
  const frame = JSON.stringify(message);
  expect(new FrameReader(QUIET).read(frame)).toStrictEqual(judged(frame));
  expect(judged(frame)[0]).toEqual(fits ? message as never : expect.objectContaining({ kind: "unreadable" }));
});

test("further properties of a module are read without zod, unless they are deep", () => {
  const nested = (depth: number): unknown => depth === 0 ? 1 : [nested(depth - 1)];
  const withFurther = (further: object) => ({ statePath: "/ENTITY/a", state: { ...ENTITY, ...further } });
  expect(fitsProtocol(withFurther({ color: "red", sizes: nested(MAX_FURTHER_DEPTH) }))).toBe(true);
  expect(fitsProtocol(withFurther({ sizes: nested(MAX_FURTHER_DEPTH + 1) }))).toBe(false);
  expect(fitsProtocol(withFurther(JSON.parse('{"__proto__":1}') as object))).toBe(false);
  expect(fitsProtocol({ ...withFurther({}), color: "red" })).toBe(false);
});

test("a frame is refused as a whole if a value is too deep, also where no schema names it", () => {
  const nested = (depth: number): unknown => depth === 0 ? 1 : [nested(depth - 1)];
  const frameOf = (depth: number) =>
    JSON.stringify([
      { statePath: "/ENTITY/b", state: null },
      { kind: "event", sequence: 1, type: "news", time: "2030-01-01T00:00:00Z", data: { text: nested(depth) } },
    ]);
  const read = (frame: string) => new FrameReader(QUIET).read(frame);
  // The frame, the event and its data are three levels.
  expect(read(frameOf(MAX_DEPTH - 3))).toHaveLength(2);
  expect(read(frameOf(MAX_DEPTH - 2))).toEqual([{ kind: "unreadable", fault: "too_deep" }]);
});

test.each<[string, ModuleType, object, boolean]>([
  ["a whole module", "USER", { id: "u", name: "U", entityId: null, permissions: [], connected: true }, true],
  ["a missing property", "USER", { id: "u", name: "U", entityId: null, permissions: [] }, false],
  ["an item of a wrong type", "USER", { id: "u", name: "U", entityId: null, permissions: [1], connected: true }, false],
])("the test of a module type decides on %s", (_name, type, data, fits) => {
  expect(fitsModule(type, data)).toBe(fits);
});
