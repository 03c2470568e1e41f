// What a window and the worker that all windows share say to each other (stream-hub.ts, stream-link.ts).

import type { StreamStatus } from "./stream-source.ts";

export type ToWorker =
  /** The first message, and whenever other books are shown. `since`: the position of the window's last update. */
  | { readonly kind: "follow"; readonly contracts: readonly string[]; readonly since: string | null }
  /** An update has come. */
  | { readonly kind: "got" }
  /** The network is back, or the window is seen again: now is the time to try. */
  | { readonly kind: "hurry" }
  /** The last message. */
  | { readonly kind: "leave" };

export interface ToWindow {
  readonly status: StreamStatus;
  /** JSON of an Update, which the window answers with `got`; null: there is only the status. */
  readonly text: string | null;
}
