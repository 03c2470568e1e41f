// Connections that see the same messages: their users have the same entity, and the same permissions among those that rules
// name.
//
// Frames are made once for each class and position, however many connections of the class are at that position. The
// same text object is sent to all of them. What permissions alone show is joined once for each set of permissions,
// by the class without an entity; the classes with these permissions put what their entities show in between. A
// class whose entity shows nothing more shares the frames. Bun's `publish` would cost no less, and does not tell
// which socket dropped a frame.
//
// Cost: for each set of permissions a look at each message, and joining the texts; for each class a look at the messages that
// its permissions don't show, and copying the text if its entity shows some of them.

import type { EngineUser } from "../../api/market-engine.ts";
import { beginArray, frameOf, type PublishedMessage } from "../../api/messages.ts";
import { maySee, RULE_PERMISSIONS } from "../../api/visibility.ts";
import type { RecentMessages } from "./recent-messages.ts";

/** A frame of this many characters takes no further execution. */
export const FULL_FRAME = 64 << 10;
/**
 * Frames of this many characters together are not copied for a class that sees a few states more: these are sent in a frame
 * before them all, which costs less than the copy. A frame for each would cost a system call for each connection.
 */
const LONG = 16 << 10;
const NO_FRAMES: readonly string[] = [];

/** A message with its place in a frame: the index of the next message, or the length of the frame. */
interface Placed {
  readonly message: PublishedMessage;
  readonly at: number;
}

/** The messages of one frame. */
interface Selection {
  /** Those that permissions show; null if there are none. */
  readonly frame: string | null;
  /** The others. */
  readonly hidden: readonly Placed[];
}

type Viewer = Pick<EngineUser, "entityId" | "permissions">;

export class VisibilityClass {
  /** By position, up to `#end`. */
  readonly #frames = new Map<number, readonly string[]>();
  readonly #selections = new Map<number, readonly Selection[]>();
  #end = 0;

  /** `base`: the class with the same permissions and no entity; null if this is it. */
  constructor(
    private readonly recent: RecentMessages,
    private readonly viewer: Viewer,
    private readonly base: VisibilityClass | null,
  ) {}

  /**
   * The frames of all messages since a position that the class sees. All messages of an execution are in one frame, except for
   * states before long frames.
   */
  framesSince(position: number): readonly string[] {
    if (position === this.recent.end) return NO_FRAMES;
    this.#forgetOld();
    return this.#frames.getOrInsertComputed(position, () => this.#makeFrames(position));
  }

  /** The same messages, as they are. */
  messagesSince(position: number): readonly PublishedMessage[] {
    return this.recent.since(position).flat().filter((message) => this.#sees(message));
  }

  #makeFrames(position: number): readonly string[] {
    if (this.base === null) return this.#selectionsSince(position).flatMap(({ frame }) => frame ?? []);
    const selections = this.base.#selectionsSince(position);
    const own = selections.map(({ hidden }) => hidden.filter(({ message }) => this.#sees(message)));
    const shared = this.base.framesSince(position);
    if (own.every((messages) => messages.length === 0)) return shared;
    const length = shared.reduce((sum, frame) => sum + frame.length, 0);
    if (length >= LONG && own.every(areStates)) return [...framesOf(own.flat()), ...shared];
    return selections.flatMap(({ frame }, at) => framesWith(frame, own[at]!));
  }

  #selectionsSince(position: number): readonly Selection[] {
    this.#forgetOld();
    return this.#selections.getOrInsertComputed(position, () => this.#select(position));
  }

  #select(position: number): readonly Selection[] {
    const selections: Selection[] = [];
    let seen: PublishedMessage[] = [];
    let hidden: Placed[] = [];
    let [at, length] = [1, 0];
    const end = () => {
      if (length > 0) selections.push({ frame: seen.length === 0 ? null : frameOf(seen), hidden });
      [seen, hidden, at, length] = [[], [], 1, 0];
    };
    for (const messages of this.recent.since(position)) {
      // A frame with all messages of one array is the text of that array, so the next array begins the next frame.
      if (length >= FULL_FRAME / 2 && beginArray(messages)) end();
      for (const message of messages) {
        length += message.length;
        if (this.#sees(message)) {
          seen.push(message);
          at += message.length + 1;
        } else hidden.push({ message, at });
      }
      if (length >= FULL_FRAME) end();
    }
    end();
    return selections;
  }

  #forgetOld(): void {
    if (this.#end === this.recent.end) return;
    this.#end = this.recent.end;
    this.#frames.clear();
    this.#selections.clear();
  }

  #sees({ audience }: PublishedMessage): boolean {
    return maySee(this.viewer, audience);
  }
}

/** A frame with further messages. */
function framesWith(frame: string | null, messages: readonly Placed[]): readonly string[] {
  if (messages.length === 0) return frame === null ? [] : [frame];
  if (frame === null) return framesOf(messages);
  return frame.length >= LONG && areStates(messages) ? [...framesOf(messages), frame] : [mixed(frame, messages)];
}

function areStates(messages: readonly Placed[]): boolean {
  return messages.every(({ message }) => message.kind === "state" && message.change === "set");
}

/** Messages in frames of their own. */
function framesOf(messages: readonly Placed[]): readonly string[] {
  const frames: string[] = [];
  let chosen: PublishedMessage[] = [];
  let length = 0;
  for (const { message } of messages) {
    chosen.push(message);
    length += message.length;
    if (length < FULL_FRAME) continue;
    frames.push(frameOf(chosen));
    [chosen, length] = [[], 0];
  }
  if (chosen.length > 0) frames.push(frameOf(chosen));
  return frames;
}

/** The frame with further messages at their places. */
function mixed(frame: string, messages: readonly Placed[]): string {
  const bracket = frame.length - 1;
  const parts: string[] = [];
  let end = 0;
  for (const { message, at } of messages) {
    if (at < bracket) parts.push(frame.slice(end, at), message.text, ",");
    else parts.push(frame.slice(end, bracket), ",", message.text);
    end = Math.min(at, bracket);
  }
  parts.push(frame.slice(end));
  return parts.join("");
}

export class VisibilityClasses {
  /** There are at most as many as users. */
  readonly #classes = new Map<string, VisibilityClass>();

  constructor(private readonly recent: RecentMessages) {}

  of({ entityId, permissions }: Viewer): VisibilityClass {
    const named = RULE_PERMISSIONS.filter((permission) => permissions.has(permission));
    const key = JSON.stringify([entityId, ...named]);
    return this.#classes.getOrInsertComputed(key, () => {
      const viewer = { entityId, permissions: new Set(named) };
      return new VisibilityClass(
        this.recent,
        viewer,
        entityId === null ? null : this.of({ ...viewer, entityId: null }),
      );
    });
  }
}
