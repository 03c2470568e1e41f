// Updates of the stream, as the server sends them.

import type { Update } from "../../web/contract/update.ts";

/** One that goes on after the one before, with the events that are given. */
export function update(given: Partial<Update>): Update {
  const { epoch = 7, events = [] } = given;
  const sequence = events.at(-1)?.sequence ?? 0;
  const nothing = { isWhole: false, continues: true, missed: 0, contracts: [], unlisted: [], books: [] };
  return { sequence, position: `${epoch}.${sequence}`, epoch, events, ...nothing, ...given };
}
