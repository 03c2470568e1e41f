// The connection to the market as replicas use it, beyond what tools do. pubsub-client.ts implements it.
//
// The buffered events belong to one history. Replicas put events of the same history into the buffer that another process
// had: before a connection (`resumeFrom`), and while the connection is lost (`isQuiet`), but not while the engine is about to
// send the same ones: a frame whose events are all known is ignored together with its states.

import type { History } from "../market/event-content.ts";
import type { PubSub } from "./pubsub.ts";

export interface ReplicaConnection extends PubSub {
  /** The history of the buffered events; null if there is none. */
  readonly history: History | null;
  /** How often an engine had fewer events than before in the same epoch: it has lost some, and will use their numbers again. */
  readonly setbacks: number;
  /** Whether no engine has been asked to send what comes next, so events may come from elsewhere. */
  readonly isQuiet: boolean;
  /**
   * While disconnected: the next connection as the user of this history continues it. In the same turn the caller restores the
   * buffer with events of this history. False: there is a connection or an attempt, and nothing was changed.
   */
  resumeFrom(history: History): boolean;
  /** Whether MKT_ALLOWED_USER_IDS lets this process act as the user. */
  allows(userId: string): boolean;
}
