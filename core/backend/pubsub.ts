// The WebSocket connection to the backend, as tools see it. pubsub-client.ts implements it.

import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { Action, ActionRequest, ActionResult, Permission } from "../../protocol/index.ts";

export type ConnectionStatus = "disconnected" | "connecting" | "connected" | "reconnecting";

/** Who acts, and on which engine. */
export interface Session {
  readonly userId: string;
  readonly entityId: string | null;
  readonly capabilities: readonly (Permission | string)[];
  readonly engineId: string;
  readonly epoch: number;
}

export interface PubSub {
  readonly status: ConnectionStatus;
  /** Kept while a lost connection is coming back; null when disconnected. */
  readonly session: Session | null;
  /** Whether the snapshot lacks modules that could not be read; a connection that reads them again is on its way. */
  readonly incomplete: boolean;
  /** Milliseconds of engine time; the local clock until an engine has told its own. */
  engineTime(): number;
  /**
   * Connects, and resolves when the whole snapshot is there. As the user that is connected already it resolves at once.
   * Throws ToolError: `already_connected`, `forbidden`, `not_found`, `backend_unavailable`, `backend_error`.
   */
  connect(userId: string, signal?: AbortSignal): Promise<Session>;
  /** Ends the connection and every wait; it stays down until the next connect. */
  disconnect(): Promise<void>;
  /** How often `disconnect` was called. */
  readonly disconnects: number;
  /** Sends one request and waits for its confirmation, at most MKT_CONFIRM_TIMEOUT_MS. Never throws. */
  request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    options?: RequestOptions,
  ): Promise<RequestOutcome<ActionResult<Name>>>;
  /** Facts for mkt_connection_status. */
  facts(): ConnectionFacts;
}

export interface RequestOptions {
  /** A repeat with the same id gets the first answer and changes nothing; a new one is made where absent. */
  readonly operationId?: string;
}

export interface ConnectionFacts {
  readonly status: ConnectionStatus;
  readonly url: string;
  readonly userId: string | null;
  readonly entityId: string | null;
  readonly engineId: string | null;
  readonly epoch: number | null;
  /** ISO time since when the status holds; null before the first connect. */
  readonly since: string | null;
  readonly reconnects: number;
  /** Messages that could not be read: each lets the connection begin anew, with a whole snapshot. */
  readonly unreadableMessages: number;
  readonly incomplete: boolean;
  readonly lastError: string | null;
}
