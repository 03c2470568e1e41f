// Reads messages from clients that may hold anything.

// Gives the faults of schemas their words.
import "../../../common/schema-fault.ts";
import { fitsClientMessage } from "../../../protocol/checkers/message-tests.ts";
import { type ClientMessage, clientMessage, type REFUSAL_CODES } from "../../../protocol/index.ts";

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Why a connection must end. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly message: string;
}

const KNOWN_KINDS: ReadonlySet<string> = new Set(clientMessage.options.map(({ shape }) => shape.kind.value));
const MAX_FAULT_CHARACTERS = 1000;

export function isKnownKind(kind: string): boolean {
  return KNOWN_KINDS.has(kind);
}

/** Undefined if the message is no object, or has no own field of that name. */
export function fieldOf(message: unknown, name: string): unknown {
  if (typeof message !== "object" || message === null || !Object.hasOwn(message, name)) return undefined;
  return (message as Readonly<Record<string, unknown>>)[name];
}

/** The message, or a text that describes what is wrong with it. */
export function parseClientMessage(message: unknown): ClientMessage | string {
  if (fitsClientMessage(message)) return message;
  const parsed = clientMessage.safeParse(message);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "message"}: ${message}`);
  return faults.join("; ").slice(0, MAX_FAULT_CHARACTERS);
}
