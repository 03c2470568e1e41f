// Connections that see the same messages: their users have the same entity, and the same permissions among those that rules
// name.
//
// Frames are made once for each class and position, however many connections of the class are at that position. The same
// text object is sent to all of them. What permissions alone show is joined once for each set of permissions, by the class
// without an entity; the classes with these permissions put what their entities show in between. A class whose entity shows
// nothing more shares the frames.
//
// Cost: for each set of permissions a look at each message, and joining the texts; for each class a look at the messages that
// its permissions don't show, and copying the text if its entity shows some of them.

import type { EngineUser } from "../../engine/api/market-engine.ts";
import type { PublishedMessage } from "../../engine/api/messages.ts";
import { maySee, RULE_PERMISSIONS } from "../../engine/api/visibility.ts";
import type { RecentMessages } from "./recent-messages.ts";

/** A frame of this many characters takes no further execution. */
export const FULL_FRAME = 64 << 10;
/**
 * A text of this many characters is not copied for a class that sees a few states more: these are sent in a frame before it.
 * Copying more costs more than another frame does.
 */
const LONG_TEXT = 16 << 10;
const NO_FRAMES: readonly string[] = [];

/** The messages of some executions that are sent while a snapshot is read; JSON texts separated by commas. */
export interface SnapshotUpdates {
  /** States and removals, which must come before the end of the snapshot. */
  readonly states: string;
  readonly events: string;
}

/** The messages of one frame. */
interface Selection {
  /** Those that permissions show: JSON texts, each with a comma after it. */
  readonly text: string;
  /** The others, each with its place in the text. */
  readonly hidden: readonly { readonly message: PublishedMessage; readonly at: number }[];
  /** Of the text alone; null if it is empty. */
  readonly frame: string | null;
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
   * states before a long text.
   */
  framesSince(position: number): readonly string[] {
    if (position === this.recent.end) return NO_FRAMES;
    this.#forgetOld();
    return this.#frames.getOrInsertComputed(position, () => this.#makeFrames(position));
  }

  /** The same messages for a connection that reads its snapshot. */
  snapshotUpdatesSince(position: number): SnapshotUpdates {
    const seen = this.recent.since(position).flat().filter((message) => this.#sees(message));
    const joined = (kind: PublishedMessage["kind"]) =>
      seen.filter((message) => message.kind === kind).map(({ text }) => text).join();
    return { states: joined("state"), events: joined("event") };
  }

  #makeFrames(position: number): readonly string[] {
    if (this.base === null) return this.#selectionsSince(position).flatMap(({ frame }) => frame ?? []);
    const selections = this.base.#selectionsSince(position);
    const seesMore = selections.some(({ hidden }) => hidden.some(({ message }) => this.#sees(message)));
    return seesMore ? selections.flatMap((selection) => this.#framesOf(selection)) : this.base.framesSince(position);
  }

  #framesOf({ text, hidden, frame }: Selection): readonly string[] {
    const own = hidden.filter(({ message }) => this.#sees(message));
    if (own.length === 0) return frame === null ? [] : [frame];
    if (frame === null) return [frameOf(own)];
    if (text.length >= LONG_TEXT && own.every(({ message }) => message.kind === "state" && !message.isRemoved)) {
      return [frameOf(own), frame];
    }
    return [mixed(text, own)];
  }

  #selectionsSince(position: number): readonly Selection[] {
    this.#forgetOld();
    return this.#selections.getOrInsertComputed(position, () => this.#select(position));
  }

  #select(position: number): readonly Selection[] {
    const selections: Selection[] = [];
    let texts: string[] = [];
    let hidden: { message: PublishedMessage; at: number }[] = [];
    let [shownLength, length] = [0, 0];
    const end = () => {
      if (length === 0) return;
      const text = texts.length === 0 ? "" : `${texts.join()},`;
      selections.push({ text, hidden, frame: text === "" ? null : `[${text.slice(0, -1)}]` });
      [texts, hidden, shownLength, length] = [[], [], 0, 0];
    };
    for (const messages of this.recent.since(position)) {
      for (const message of messages) {
        length += message.text.length;
        if (this.#sees(message)) {
          texts.push(message.text);
          shownLength += message.text.length + 1;
        } else hidden.push({ message, at: shownLength });
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

function frameOf(messages: Selection["hidden"]): string {
  return `[${messages.map(({ message }) => message.text).join()}]`;
}

/** A frame of a text and of messages at their places in it. */
function mixed(text: string, messages: Selection["hidden"]): string {
  const parts = ["["];
  let end = 0;
  for (const { message, at } of messages) {
    parts.push(text.slice(end, at), message.text, ",");
    end = at;
  }
  // Without the last comma.
  if (end < text.length) parts.push(text.slice(end, -1));
  else parts.pop();
  parts.push("]");
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
