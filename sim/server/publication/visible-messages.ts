// The messages of one execution, as each user may see them.
//
// Cost: each selection of messages is joined once, however many users see that selection.

import type { EngineUser } from "../../engine/api/market-engine.ts";
import type { PublishedMessage } from "../../engine/api/messages.ts";
import { maySee } from "../../engine/api/visibility.ts";

/** JSON texts separated by commas, in the order of sending; each is empty if there are no such messages. */
export interface SerializedMessages {
  readonly states: string;
  readonly events: string;
  readonly removals: string;
  readonly response: string;
}

export const NO_MESSAGES: SerializedMessages = { states: "", events: "", removals: "", response: "" };

export class VisibleMessages {
  /** By the indexes of their messages. */
  readonly #selections = new Map<string, SerializedMessages>([["", NO_MESSAGES]]);

  constructor(private readonly messages: readonly PublishedMessage[]) {}

  messagesFor(user: EngineUser): SerializedMessages {
    const indexes: number[] = [];
    for (const [index, { audience }] of this.messages.entries()) if (maySee(user, audience)) indexes.push(index);
    return this.#selections.getOrInsertComputed(indexes.join(), () => joined(indexes.map((at) => this.messages[at]!)));
  }
}

function joined(messages: readonly PublishedMessage[]): SerializedMessages {
  const texts = { states: [] as string[], events: [] as string[], removals: [] as string[] };
  for (const message of messages) texts[partOf(message)].push(message.text);
  return { states: texts.states.join(), events: texts.events.join(), removals: texts.removals.join(), response: "" };
}

function partOf(message: PublishedMessage): "states" | "events" | "removals" {
  if (message.kind === "event") return "events";
  return message.isRemoved ? "removals" : "states";
}
