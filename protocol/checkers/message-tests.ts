// Tests of messages, compiled from their schemas. What a test takes, zod takes too, with the same content, and recursion can
// walk it, except the payload of a request (compiled-test.ts). What a test refuses is for zod to judge.
//
// Each test is compiled when it is first needed, because a short-lived process needs few.

import { z } from "zod";
import {
  type ClientMessage,
  clientMessage,
  type EngineMessage,
  event,
  EVENTS,
  type EventType,
  id,
  replacesState,
  stateMessage,
  taggedEngineMessage,
} from "../index.ts";
import { type ModuleData, moduleSchema, type ModuleType } from "../modules/registry.ts";
import { moduleTypeOf } from "../state-path.ts";
import { requiredTest, type Schema, type Test } from "./compiled-test.ts";

/** Whether it is quickly seen that the message of an engine fits the protocol, with its module or the data of its event. */
export function fitsProtocol(message: unknown): message is EngineMessage {
  if (typeof message !== "object" || message === null) return false;
  const { statePath, kind, type } = message as Readonly<Record<string, unknown>>;
  if (statePath !== undefined) return typeof statePath === "string" && fitsState(message, statePath);
  if (kind === "event" && isEventType(type)) {
    if (ofEvent(type)(message)) return true;
    // Another event, declared or not, is a message whatever its data.
    if (replacesState(type)) return false;
  }
  return fitsKind(message, kind, ENGINE_KINDS);
}

/** Whether it is quickly seen that the message of a client fits the protocol. Any payload fits. */
export function fitsClientMessage(message: unknown): message is ClientMessage {
  if (typeof message !== "object" || message === null) return false;
  return fitsKind(message, (message as { readonly kind?: unknown }).kind, CLIENT_KINDS);
}

/** Whether the data fit the module type. zod judges what the test refuses. */
export function fitsModule<Type extends ModuleType>(type: Type, data: unknown): data is ModuleData<Type> {
  return ofModule(type)(data) || moduleSchema(type).safeParse(data).success;
}

function fitsState(message: object, statePath: string): boolean {
  const { state } = message as { readonly state?: unknown };
  const type = moduleTypeOf(statePath);
  if (type === null) return false;
  if (state === null) return ofSchema(REMOVAL)(message);
  if (!ofState(type)(message)) return false;
  // The path begins with the type, so only its end can differ.
  const { id } = state as { readonly id: string };
  return statePath.length === `/${type}/`.length + id.length && statePath.endsWith(id);
}

const ofModule = onceEach((type: ModuleType) => moduleSchema(type));

/** A state message has limits of its own on the id. */
const ofState = onceEach((type: ModuleType) =>
  stateMessage.extend({ state: (moduleSchema(type) as unknown as z.ZodObject).extend({ id }) })
);

const REMOVAL = stateMessage.extend({ state: z.literal(null) });

const ofEvent = onceEach((type: EventType) => event.extend({ type: z.literal(type), data: EVENTS[type] }));

type Kinds = ReadonlyMap<unknown, Schema>;

const ENGINE_KINDS: Kinds = new Map(taggedEngineMessage.options.map((schema) => [schema.shape.kind.value, schema]));
const CLIENT_KINDS: Kinds = new Map(clientMessage.options.map((schema) => [schema.shape.kind.value, schema]));

function fitsKind(message: object, kind: unknown, kinds: Kinds): boolean {
  const schema = kinds.get(kind);
  return schema !== undefined && ofSchema(schema)(message);
}

const ofSchema = onceEach((schema: Schema) => schema);

function isEventType(type: unknown): type is EventType {
  return typeof type === "string" && Object.hasOwn(EVENTS, type);
}

/** The test of each key's schema, compiled when it is first asked for. */
function onceEach<Key>(schemaOf: (key: Key) => Schema): (key: Key) => Test {
  const tests = new Map<Key, Test>();
  return (key) => {
    const known = tests.get(key);
    if (known !== undefined) return known;
    const test = requiredTest(schemaOf(key));
    tests.set(key, test);
    return test;
  };
}
