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
  readonly #states: readonly StateMessage[];
  readonly #events: readonly EventMessage[];
  readonly #texts = new Map<StateMessage | EventMessage, string>();
  /** By the indexes of their messages. */
  readonly #selections = new Map<string, SerializedMessages>();

  constructor(states: readonly StateMessage[], events: readonly EventMessage[]) {
    this.#states = states;
    this.#events = events;
  }

  messagesFor(user: EngineUser): SerializedMessages {
    const states = visibleIndexes(user, this.#states);
    const events = visibleIndexes(user, this.#events);
    const key = `${states.join()};${events.join()}`;
    let selection = this.#selections.get(key);
    if (selection === undefined) {
      selection = { states: this.#joined(this.#states, states), events: this.#joined(this.#events, events) };
      this.#selections.set(key, selection);
    }
    return selection;
  }

  /** The same, with a response after the events. */
  messagesWith(user: EngineUser, response: ResponseMessage): SerializedMessages {
    const { states, events } = this.messagesFor(user);
    const text = JSON.stringify(response);
    return { states, events: events === "" ? text : `${events},${text}` };
  }

  #joined(messages: readonly (StateMessage | EventMessage)[], indexes: readonly number[]): string {
    return indexes.map((index) => this.#text(messages[index]!)).join();
  }

  #text(message: StateMessage | EventMessage): string {
    let text = this.#texts.get(message);
    if (text === undefined) this.#texts.set(message, text = JSON.stringify(message));
    return text;
  }
}

function visibleIndexes(user: EngineUser, messages: readonly (StateMessage | EventMessage)[]): number[] {
  const indexes: number[] = [];
  messages.forEach((message, index) => {
    if (maySee(user, message)) indexes.push(index);
  });
  return indexes;
}
