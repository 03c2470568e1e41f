// The connection to one agent, as the session sees it.

import type { MktMessage } from "./agent-messages.ts";

export interface AgentChannel {
  send(message: MktMessage): void;
  /** The next message, as parsed from JSON. Throws AgentFailure if there is none. */
  receive(): Promise<unknown>;
  /** Sends what is left, then ends the connection. */
  close(): Promise<void>;
}

/** An agent has ended its connection, sent something invalid, or stayed silent for too long: the run can't go on. */
export class AgentFailure extends Error {}
