// The messages of one execution on their way to many connections. Each message is serialised once, and each selection
// of messages makes one frame, the same string however many users may see just that selection.

import type { EngineMessage, EventMessage, ResponseMessage, StateMessage } from "../../core/protocol/index.ts";
import type { EngineUser } from "../engine/execution.ts";
import { maySee } from "../engine/visibility.ts";

interface Frame {
  /** The messages, serialised and separated by commas. */
  readonly body: string;
  /** Null until it is asked for. */
  text: string | null;
}

export class Publication {
  readonly #messages: readonly (StateMessage | EventMessage)[];
  readonly #texts: (string | undefined)[] = [];
  /** By the places of the messages in them. */
  readonly #frames = new Map<string, Frame>();

  /** States before events: that is their order in a frame. */
  constructor(states: readonly StateMessage[], events: readonly EventMessage[]) {
    this.#messages = [...states, ...events];
  }

  /** The frame of what `user` may see of it; null where that is nothing. */
  frameFor(user: EngineUser): string | null {
    const frame = this.#frameOf(user);
    if (frame.body === "") return null;
    return frame.text ??= `[${frame.body}]`;
  }

  /** The same with a response at its end. */
  frameWith(user: EngineUser, response: ResponseMessage): string {
    const { body } = this.#frameOf(user);
    return body === "" ? `[${JSON.stringify(response)}]` : `[${body},${JSON.stringify(response)}]`;
  }

  #frameOf(user: EngineUser): Frame {
    const visible: number[] = [];
    this.#messages.forEach((message, place) => {
      if (maySee(user, message)) visible.push(place);
    });
    const selection = visible.join();
    let frame = this.#frames.get(selection);
    if (frame === undefined) {
      const body = visible.map((place) => this.#text(place)).join();
      this.#frames.set(selection, frame = { body, text: null });
    }
    return frame;
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
