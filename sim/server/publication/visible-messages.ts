// The messages of one execution on their way to many connections. Each message is serialised once, and each selection
// of messages is put together once, the same string however many users may see just that selection.

import type { EventMessage, ResponseMessage, StateMessage } from "../../../protocol/index.ts";
import type { EngineUser } from "../../engine/api/market-engine.ts";
import { maySee } from "../../engine/api/visibility.ts";

/** Messages, serialised and separated by commas; empty if there are none. */
export interface SerializedMessages {
  readonly states: string;
  readonly events: string;
}

export class VisibleMessages {
  readonly #states: readonly StateMessage[];
  readonly #events: readonly EventMessage[];
  readonly #texts = new Map<StateMessage | EventMessage, string>();
  /** By the places of the messages in them. */
  readonly #selections = new Map<string, SerializedMessages>();

  constructor(states: readonly StateMessage[], events: readonly EventMessage[]) {
    this.#states = states;
    this.#events = events;
  }

  /** What `user` may see of it. */
  messagesFor(user: EngineUser): SerializedMessages {
    const states = visible(user, this.#states);
    const events = visible(user, this.#events);
    const key = `${states.join()};${events.join()}`;
    let selection = this.#selections.get(key);
    if (selection === undefined) {
      selection = { states: this.#together(this.#states, states), events: this.#together(this.#events, events) };
      this.#selections.set(key, selection);
    }
    return selection;
  }

  /** The same with a response after its events. */
  messagesWith(user: EngineUser, response: ResponseMessage): SerializedMessages {
    const { states, events } = this.messagesFor(user);
    const text = JSON.stringify(response);
    return { states, events: events === "" ? text : `${events},${text}` };
  }

  #together(messages: readonly (StateMessage | EventMessage)[], places: readonly number[]): string {
    return places.map((place) => this.#text(messages[place]!)).join();
  }

  #text(message: StateMessage | EventMessage): string {
    let text = this.#texts.get(message);
    if (text === undefined) this.#texts.set(message, text = JSON.stringify(message));
    return text;
  }
}

function visible(user: EngineUser, messages: readonly (StateMessage | EventMessage)[]): number[] {
  const places: number[] = [];
  messages.forEach((message, place) => {
    if (maySee(user, message)) places.push(place);
  });
  return places;
}
