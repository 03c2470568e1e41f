// What an engine sends: messages as JSON texts with their audience.
//
// The text of a message is made once, by the engine. Everyone who may see the message is sent this text. Calls write their
// messages into one text, with commas between them. So those that follow one another can be sent as one piece of it.

import type { ModuleType } from "../../protocol/modules/registry.ts";
import type { Permission } from "../../protocol/index.ts";

/** Who may see a message: everyone, or holders of a permission and users of some entities. */
export interface Audience {
  /** Null: everyone. */
  readonly permission: Permission | null;
  readonly entityIds: readonly string[];
}

export const EVERYONE: Audience = { permission: null, entityIds: [] };

/**
 * A text that holds messages, separated by commas. It may be read once the call that writes it has ended; reading it earlier
 * may spoil it. If the first message begins after one character, the text is an array of messages, with its brackets.
 */
export interface SharedText {
  readonly text: string;
}

/** The place of a message in a shared text. */
abstract class TextPiece {
  constructor(readonly shared: SharedText, readonly start: number, readonly end: number) {}

  /** The message of the protocol. Each reading makes a string. */
  get text(): string {
    return this.shared.text.slice(this.start, this.end);
  }

  /** Characters of the text. */
  get length(): number {
    return this.end - this.start;
  }
}

/** The state of a module, or its removal. */
export class PublishedState extends TextPiece {
  readonly kind = "state";

  constructor(
    readonly type: ModuleType,
    readonly id: string,
    readonly change: "set" | "removed",
    readonly audience: Audience,
    shared: SharedText,
    start = 0,
    end = shared.text.length,
  ) {
    super(shared, start, end);
  }
}

export class PublishedEvent extends TextPiece {
  readonly kind = "event";

  constructor(
    readonly sequence: number,
    readonly audience: Audience,
    shared: SharedText,
    start = 0,
    end = shared.text.length,
  ) {
    super(shared, start, end);
  }
}

export type PublishedMessage = PublishedState | PublishedEvent;

/** A frame: an array of messages. If these are all messages of an array, the frame is its text, and nothing is copied. */
export function frameOf(messages: readonly PublishedMessage[]): string {
  const texts = joinableTexts(messages);
  const [{ shared, start }, { end }] = [messages[0]!, messages.at(-1)!];
  if (texts.length === 1 && start === 1 && end === shared.text.length - 1) return shared.text;
  // With the brackets in the first and the last text, the long text is made once and not copied.
  texts[0] = `[${texts[0]}`;
  texts[texts.length - 1] += "]";
  return texts.join();
}

/** Whether the first message of an array of messages is among these. */
export function beginArray(messages: readonly PublishedMessage[]): boolean {
  return messages.some(({ start }) => start === 1);
}

/** The texts of messages, to be joined by commas: those that follow one another in a shared text are one text. */
export function joinableTexts(messages: readonly PublishedMessage[]): string[] {
  const texts: string[] = [];
  let last: PublishedMessage | null = null;
  let start = 0;
  for (const message of messages) {
    if (last !== null && message.shared === last.shared && message.start === last.end + 1) {
      last = message;
      continue;
    }
    if (last !== null) texts.push(last.shared.text.slice(start, last.end));
    last = message;
    start = message.start;
  }
  if (last !== null) texts.push(last.shared.text.slice(start, last.end));
  return texts;
}
