// The messages of one execution, as each user may see them.
//
// Cost: each message is serialised once, and each selection of messages is joined once, however many users see that
// selection.

import type { EventMessage, ResponseMessage, StateMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "../../engine/api/market-engine.ts";
import { maySee } from "../../engine/api/visibility.ts";

/** JSON texts separated by commas; empty if there are no messages. */
export interface SerializedMessages {
  readonly states: string;
  readonly events: string;
}

export class VisibleMessages {
  readonly #texts = new Map<StateMessage | EventMessage, string>();
  /** By the indexes of their messages. */
  readonly #selections = new Map<string, SerializedMessages>();

  constructor(private readonly states: readonly StateMessage[], private readonly events: readonly EventMessage[]) {}

  messagesFor(user: EngineUser): SerializedMessages {
    const states = visibleIndexes(user, this.states);
    const events = visibleIndexes(user, this.events);
    const key = `${states.join()};${events.join()}`;
    return this.#selections.getOrInsertComputed(key, () => ({
      states: this.#joined(this.states, states),
      events: this.#joined(this.events, events),
    }));
  }

  /** The same, with a response after the events. */
  messagesWith(user: EngineUser, response: ResponseMessage): SerializedMessages {
    const { states, events } = this.messagesFor(user);
    const text = JSON.stringify(response);
    return { states, events: events === "" ? text : `${events},${text}` };
  }

  #joined(messages: readonly (StateMessage | EventMessage)[], indexes: readonly number[]): string {
    return indexes.map((index) => this.#texts.getOrInsertComputed(messages[index]!, JSON.stringify)).join();
  }
}

function visibleIndexes(user: EngineUser, messages: readonly (StateMessage | EventMessage)[]): number[] {
  const indexes: number[] = [];
  messages.forEach((message, index) => {
    if (maySee(user, message)) indexes.push(index);
  });
  return indexes;
}
