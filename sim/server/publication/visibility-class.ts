// Connections that see the same messages: their users have the same entity, and the same permissions among those that rules
// name.
//
// Frames are made once for each class and position, however many connections of the class are at that position. The same
// text object is sent to all of them. A class whose entity shows nothing more shares the frames of the class with the same
// permissions and no entity. So in a busy market with many entities, frames are made only for the few entities whose orders
// have just changed.
//
// Cost: a look at each message for each class, then joining the texts of the classes that see more than others.

import type { EngineUser } from "../../engine/api/market-engine.ts";
import type { PublishedMessage } from "../../engine/api/messages.ts";
import { maySee, RULE_PERMISSIONS } from "../../engine/api/visibility.ts";
import type { RecentMessages } from "./recent-messages.ts";

/** A frame of this many characters takes no further execution. */
export const FULL_FRAME = 64 << 10;
const NO_FRAMES: readonly string[] = [];

/** The messages of some executions that are sent while a snapshot is read; JSON texts separated by commas. */
export interface SnapshotUpdates {
  /** States and removals, which must come before the end of the snapshot. */
  readonly states: string;
  readonly events: string;
}

type Viewer = Pick<EngineUser, "entityId" | "permissions">;

export class VisibilityClass {
  /** By position, up to `#end`. */
  readonly #frames = new Map<number, readonly string[]>();
  #end = 0;

  /** `base`: the class with the same permissions and no entity; null if this is it. */
  constructor(
    private readonly recent: RecentMessages,
    private readonly viewer: Viewer,
    private readonly base: VisibilityClass | null,
  ) {}

  /** The frames of all messages since a position that the class sees; all messages of an execution are in one frame. */
  framesSince(position: number): readonly string[] {
    const { end } = this.recent;
    if (position === end) return NO_FRAMES;
    if (this.#end !== end) {
      this.#frames.clear();
      this.#end = end;
    }
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
    const groups = this.recent.since(position);
    if (this.base !== null && !this.#seesMoreThanBase(groups)) return this.base.framesSince(position);
    const frames: string[] = [];
    let texts: string[] = [];
    let length = 0;
    for (const messages of groups) {
      for (const message of messages) {
        if (!this.#sees(message)) continue;
        texts.push(message.text);
        length += message.text.length;
      }
      if (length < FULL_FRAME) continue;
      frames.push(`[${texts.join()}]`);
      texts = [];
      length = 0;
    }
    if (texts.length > 0) frames.push(`[${texts.join()}]`);
    return frames;
  }

  #seesMoreThanBase(groups: readonly (readonly PublishedMessage[])[]): boolean {
    const { base } = this;
    return groups.some((messages) => messages.some((message) => this.#sees(message) && !base!.#sees(message)));
  }

  #sees({ audience }: PublishedMessage): boolean {
    return maySee(this.viewer, audience);
  }
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
