// The messages of one execution on their way to many connections. Each message is serialised once, and each selection
// of messages is put together once, the same string however many users may see just that selection.

import type { EngineMessage, EventMessage, ResponseMessage, StateMessage } from "../../core/protocol/index.ts";
import type { EngineUser } from "../engine/execution.ts";
import { maySee } from "../engine/visibility.ts";

export class Publication {
  readonly #messages: readonly (StateMessage | EventMessage)[];
  readonly #texts: (string | undefined)[] = [];
  /** By the places of the messages in them. */
  readonly #selections = new Map<string, string>();

  /** States before events: that is their order in a frame. */
  constructor(states: readonly StateMessage[], events: readonly EventMessage[]) {
    this.#messages = [...states, ...events];
  }

  /** What `user` may see of it, serialised and separated by commas; empty where that is nothing. */
  messagesFor(user: EngineUser): string {
    const visible: number[] = [];
    this.#messages.forEach((message, place) => {
      if (maySee(user, message)) visible.push(place);
    });
    const selection = visible.join();
    let messages = this.#selections.get(selection);
    if (messages === undefined) {
      messages = visible.map((place) => this.#text(place)).join();
      this.#selections.set(selection, messages);
    }
    return messages;
  }

  /** The same with a response at its end. */
  messagesWith(user: EngineUser, response: ResponseMessage): string {
    const messages = this.messagesFor(user);
    return messages === "" ? JSON.stringify(response) : `${messages},${JSON.stringify(response)}`;
  }

  #text(place: number): string {
    return this.#texts[place] ??= JSON.stringify(this.#messages[place]);
  }
}

/** The messages as frames of at most `size` each. */
export function framesOf(messages: readonly EngineMessage[], size: number): string[] {
  const frames: string[] = [];
  for (let start = 0; start < messages.length; start += size) {
    frames.push(JSON.stringify(messages.slice(start, start + size)));
  }
  return frames;
}
