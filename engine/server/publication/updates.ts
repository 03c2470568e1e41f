// What one connection has yet to take of the published messages: its class, and its position.

import type { RecentMessages } from "./recent-messages.ts";
import { type SnapshotUpdates, snapshotUpdatesOf } from "./snapshot-updates.ts";
import type { VisibilityClass } from "./visibility-class.ts";

export class Updates {
  #position: number;

  /** Begins after everything that has been published. */
  constructor(private readonly recent: RecentMessages, private readonly group: VisibilityClass) {
    this.#position = recent.end;
  }

  /** The frames of all messages that were not taken yet. */
  takeFrames(): readonly string[] {
    const frames = this.group.framesSince(this.#position);
    this.#position = this.recent.end;
    return frames;
  }

  /** The same messages for a connection that reads its snapshot. */
  takeForSnapshot(): SnapshotUpdates {
    const updates = snapshotUpdatesOf(this.group.messagesSince(this.#position));
    this.#position = this.recent.end;
    return updates;
  }
}
