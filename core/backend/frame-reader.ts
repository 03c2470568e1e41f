// Makes messages of what came over the socket. A frame is JSON text: one message or an array of them.
//
// Invariants: it never throws; what it returns fits the protocol, module data included. What does not fit is skipped and
// counted by the kind of fault; the first of each kind is logged.

import { parseJson } from "../json.ts";
import type { Logger } from "../logger.ts";
import { parseStatePath } from "../market/state-path.ts";
import { moduleSchema } from "../modules/registry.ts";
import { type EngineMessage, type StateMessage, stateMessage, taggedEngineMessage } from "../protocol/index.ts";

export const FRAME_FAULTS = [
  "not_text",
  "not_json",
  "not_a_message",
  "unknown_kind",
  "invalid_message",
  "unknown_module",
  "invalid_module",
] as const;
export type FrameFault = (typeof FRAME_FAULTS)[number];

const KINDS: ReadonlySet<unknown> = new Set(taggedEngineMessage.options.map((option) => option.shape.kind.value));

export class FrameReader {
  readonly #faults = new Map<FrameFault, number>();

  constructor(private readonly log: Logger) {}

  /** How many messages or frames were skipped, by the kind of fault. */
  get faults(): ReadonlyMap<FrameFault, number> {
    return this.#faults;
  }

  /** The messages of a frame, in their order. */
  read(frame: unknown): EngineMessage[] {
    if (typeof frame !== "string") return this.#skip("not_text", typeof frame);
    const content = parseJson(frame);
    if (content === undefined) return this.#skip("not_json", frame);
    return (Array.isArray(content) ? content : [content]).flatMap((message) => this.#readMessage(message));
  }

  #readMessage(message: unknown): EngineMessage[] {
    if (typeof message !== "object" || message === null) return this.#skip("not_a_message", message);
    if ("statePath" in message) return this.#readState(message);
    if (!("kind" in message)) return this.#skip("not_a_message", message);
    if (!KINDS.has(message.kind)) return this.#skip("unknown_kind", message);
    const parsed = taggedEngineMessage.safeParse(message);
    return parsed.success ? [parsed.data] : this.#skip("invalid_message", message, parsed.error);
  }

  #readState(message: object): StateMessage[] {
    const parsed = stateMessage.safeParse(message);
    if (!parsed.success) return this.#skip("invalid_message", message, parsed.error);
    const { statePath, state } = parsed.data;
    const path = parseStatePath(statePath);
    if (path === null) return this.#skip("unknown_module", statePath);
    if (state === null) return [parsed.data];
    if (state.id !== path.id) return this.#skip("invalid_module", message);
    const data = moduleSchema(path.type).safeParse(state);
    return data.success ? [parsed.data] : this.#skip("invalid_module", message, data.error);
  }

  #skip(fault: FrameFault, subject: unknown, error?: Error): [] {
    const count = (this.#faults.get(fault) ?? 0) + 1;
    this.#faults.set(fault, count);
    if (count === 1) {
      this.log.warn("the engine sent what the protocol does not have ({fault}); more of it is only counted", {
        fault,
        subject: excerpt(subject),
        error: error?.message,
      });
    }
    return [];
  }
}

function excerpt(subject: unknown): string {
  const text = typeof subject === "string" ? subject : JSON.stringify(subject);
  return text.slice(0, 200);
}
