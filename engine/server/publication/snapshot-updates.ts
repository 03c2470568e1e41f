// What happens while a connection reads its snapshot. The snapshot must be true as of its end, so all modules that change
// meanwhile are sent again before the end. Events follow after it.
//
// Some changes are told by events only: those that carry a module, and change.book (protocol/client/module-reduction.ts). A
// changed book must be read again, because the event has only the changed levels.

import { carriedModule, type EventMessage } from "../../../protocol/index.ts";
import type { PublishedMessage } from "../../api/messages.ts";

export interface SnapshotUpdates {
  /** States and removals of modules: JSON texts separated by commas. */
  readonly states: string;
  /** JSON texts separated by commas. */
  readonly events: string;
  /** Ids of contracts whose books must be read again. */
  readonly books: readonly string[];
}

export function snapshotUpdatesOf(messages: readonly PublishedMessage[]): SnapshotUpdates {
  const states: string[] = [];
  const events: string[] = [];
  const books: string[] = [];
  for (const message of messages) {
    if (message.kind === "state") {
      states.push(message.text);
      continue;
    }
    events.push(message.text);
    const { type, data }: EventMessage = JSON.parse(message.text);
    const module = carriedModule(type);
    if (module !== undefined) states.push(JSON.stringify({ statePath: `/${module}/${data["id"]}`, state: data }));
    if (type === "change.book") books.push(String(data["contractId"]));
  }
  return { states: states.join(), events: events.join(), books };
}
