// The messages of one execution on their way to many connections. Each message is serialised once, and each selection
// of messages is joined once, however many users may see just that selection.

import type { EngineMessage, EventMessage, StateMessage } from "../../core/protocol/index.ts";
import type { EngineUser } from "../engine/execution.ts";
import { maySee } from "../engine/visibility.ts";

export class Publication {
  readonly #messages: readonly (StateMessage | EventMessage)[];
  readonly #texts: (string | undefined)[] = [];
  readonly #bodies = new Map<string, string>();

  /** States before events: that is their order in a frame. */
  constructor(states: readonly StateMessage[], events: readonly EventMessage[]) {
    this.#messages = [...states, ...events];
  }

  /** What `user` may see of it, serialised and separated by commas; empty where that is nothing. */
  bodyFor(user: EngineUser): string {
    const visible: number[] = [];
    this.#messages.forEach((message, place) => {
      if (maySee(user, message)) visible.push(place);
    });
    const selection = visible.join();
    const known = this.#bodies.get(selection);
    if (known !== undefined) return known;
    const body = visible.map((place) => this.#text(place)).join();
    this.#bodies.set(selection, body);
    return body;
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
