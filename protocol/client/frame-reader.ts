// Reads messages from frames. A frame is JSON text: one message or an array of messages.
//
// There are two ways not to fit the protocol. A message of an unknown kind or about an unknown module type may come from an
// engine of another version, and is skipped. Everything else is `unreadable`: something that this process should know was
// lost, by a fault of the engine or of the connection. It keeps its place among the messages, with what is known of it.
// Both are counted by the kind of fault, and the first of each kind is logged.
//
// Invariants: reading never throws. Messages fit the protocol, including module data and the data of events that say
// something about a module, and are nested at most MAX_DEPTH deep, so recursion can walk them.

import { isDeeperThan, parseJson } from "../json.ts";
import type { Logger } from "@logtape/logtape";
import { fitsProtocol } from "../checkers/message-tests.ts";
import { MAX_DEPTH } from "../limits.ts";
import { parseStatePath } from "../state-path.ts";
import { moduleSchema } from "../modules/registry.ts";
import {
  carriedModule,
  type EngineMessage,
  type EventMessage,
  EVENTS,
  replacesState,
  stateMessage,
  taggedEngineMessage,
} from "../index.ts";

const UNREADABLE = [
  "not_text",
  "not_json",
  "too_deep",
  "not_a_message",
  "invalid_message",
  "invalid_module",
  // A change of a book that the client does not have as it was before (module-reduction.ts).
  "misfit",
] as const;
type UnreadableFault = (typeof UNREADABLE)[number];
const SKIPPED = ["unknown_kind", "unknown_module"] as const;
type SkippedFault = (typeof SKIPPED)[number];

/** A message, or a whole frame, that can't be read. */
export interface Unreadable {
  readonly kind: "unreadable";
  readonly fault: UnreadableFault;
  /** The path of its module, if known. */
  readonly statePath?: string;
  /** The number of its event, if known. */
  readonly sequence?: number;
}

export type ReceivedMessage = EngineMessage | Unreadable;

const KINDS: ReadonlySet<unknown> = new Set(taggedEngineMessage.options.map((option) => option.shape.kind.value));
const EXCERPT_LENGTH = 200;

export class FrameReader {
  readonly #faults = new Map<UnreadableFault | SkippedFault, number>();

  constructor(private readonly log: Logger) {}

  /** The number of messages and frames that did not fit, by the kind of fault. */
  get faults(): ReadonlyMap<UnreadableFault | SkippedFault, number> {
    return this.#faults;
  }

  /** The number of unreadable messages and frames. */
  get unreadable(): number {
    return UNREADABLE.reduce((sum, fault) => sum + (this.#faults.get(fault) ?? 0), 0);
  }

  /** The messages of a frame, in their order. */
  read(frame: unknown): ReceivedMessage[] {
    if (typeof frame !== "string") return [this.#unreadable("not_text", typeof frame)];
    const content = parseJson(frame);
    if (content === undefined) return [this.#unreadable("not_json", frame)];
    const messages: unknown[] = Array.isArray(content) ? content : [content];
    if (messages.every(fitsProtocol)) return messages;
    if (isDeeperThan(MAX_DEPTH, content)) return [this.#unreadable("too_deep", frame)];
    return messages.flatMap((message) => fitsProtocol(message) ? [message] : this.#readMessage(message));
  }

  #readMessage(message: unknown): ReceivedMessage[] {
    if (typeof message !== "object" || message === null) return [this.#unreadable("not_a_message", message)];
    if ("statePath" in message) return this.#readState(message);
    if (!("kind" in message)) return [this.#unreadable("not_a_message", message)];
    if (!KINDS.has(message.kind)) return this.#skip("unknown_kind", message);
    const parsed = taggedEngineMessage.safeParse(message);
    if (!parsed.success) {
      return [this.#unreadable("invalid_message", message, { sequence: sequenceOf(message) }, parsed.error)];
    }
    return [parsed.data.kind === "event" ? this.#checkEvent(parsed.data) : parsed.data];
  }

  #checkEvent(event: EventMessage): ReceivedMessage {
    const { sequence, type, data } = event;
    const error = replacesState(type) ? EVENTS[type].safeParse(data).error : undefined;
    if (error === undefined) return event;
    const module = carriedModule(type);
    const [path, id] = module === undefined ? ["ENGINE", data["engineId"]] : [module, data["id"]];
    const statePath = typeof id === "string" ? `/${path}/${id}` : undefined;
    return this.#unreadable("invalid_module", event, { sequence, statePath }, error);
  }

  #readState(message: { readonly statePath?: unknown }): ReceivedMessage[] {
    const parsed = stateMessage.safeParse(message);
    if (!parsed.success) {
      const statePath = typeof message.statePath === "string" ? message.statePath : undefined;
      return [this.#unreadable("invalid_message", message, { statePath }, parsed.error)];
    }
    const { statePath, state } = parsed.data;
    const path = parseStatePath(statePath);
    if (path === null) return this.#skip("unknown_module", statePath);
    if (state === null) return [parsed.data];
    if (state.id !== path.id) return [this.#unreadable("invalid_module", message, { statePath })];
    const data = moduleSchema(path.type).safeParse(state);
    return data.success ? [parsed.data] : [this.#unreadable("invalid_module", message, { statePath }, data.error)];
  }

  #unreadable(
    fault: UnreadableFault,
    subject: unknown,
    about: Pick<Unreadable, "statePath" | "sequence"> = {},
    error?: Error,
  ): Unreadable {
    this.#count(fault, subject, error);
    return { kind: "unreadable", fault, ...about };
  }

  #skip(fault: SkippedFault, subject: unknown): [] {
    this.#count(fault, subject);
    return [];
  }

  #count(fault: UnreadableFault | SkippedFault, subject: unknown, error?: Error): void {
    const count = (this.#faults.get(fault) ?? 0) + 1;
    this.#faults.set(fault, count);
    if (count > 1) return;
    this.log.warn("the engine sent a message outside the protocol ({fault}); further ones are counted, not logged", {
      fault,
      subject: (typeof subject === "string" ? subject : JSON.stringify(subject)).slice(0, EXCERPT_LENGTH),
      error: error?.message,
    });
  }
}

function sequenceOf(message: object): number | undefined {
  if (!("kind" in message) || message.kind !== "event" || !("sequence" in message)) return undefined;
  return Number.isSafeInteger(message.sequence) ? message.sequence as number : undefined;
}
