// The WebSocket connection to the backend, for tools. pubsub-client.ts implements it.

import type { RequestOutcome } from "../../protocol/client/pending-requests.ts";
import type { Action, ActionRequest, ActionResult, ClockSetting, Permission } from "../../protocol/index.ts";

export const CONNECTION_STATUSES = ["disconnected", "connecting", "connected", "reconnecting"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** The acting user, and the engine. */
export interface Session {
  readonly userId: string;
  readonly entityId: string | null;
  readonly capabilities: readonly (Permission | string)[];
  readonly engineId: string;
  readonly epoch: number;
}

/** After a disconnect. */
export interface Followers {
  /** Other replicas of this server that are running. */
  readonly others: number;
  /** Those of them that have disconnected as well. */
  readonly followed: number;
}

export interface PubSub {
  readonly status: ConnectionStatus;
  /** Kept while a lost connection is being restored; null when disconnected. */
  readonly session: Session | null;
  /**
   * Whether there should be a connection, for GET /ready: there was one, MKT_AUTO_CONNECT is set, or the replicas are to be
   * connected; and nobody has disconnected since.
   */
  readonly isWanted: boolean;
  /** Whether the snapshot lacks modules that could not be read. A later reconnect reads them again. */
  readonly incomplete: boolean;
  /** Milliseconds of market time; local time until an engine has sent its own. */
  marketTime(): number;
  /**
   * Connects, and resolves when the snapshot is whole. If the user is connected already it resolves at once.
   * Throws ToolError: `already_connected`, `forbidden`, `not_found`, `backend_unavailable`, `backend_error`.
   */
  connect(userId: string, signal?: AbortSignal): Promise<Session>;
  /**
   * Ends the connection and every wait, until the next connect; also those of all replicas, if there are any. Throws ToolError
   * `backend_unavailable` if these can't be told. `isFault`: nobody asked for it, so MKT_AUTO_CONNECT still wants a connection.
   */
  disconnect(options?: { readonly isFault: boolean }): Promise<Followers | void>;
  /** The number of calls of `disconnect`. */
  readonly disconnects: number;
  /**
   * Sends one request and waits for its confirmation, at most MKT_CONFIRM_TIMEOUT_MS. Throws only the reason of
   * `options.signal`, if that aborts first. A request that was sent stays sent: a repeat with its operationId gives the
   * outcome.
   */
  request<Name extends Action>(
    action: Name,
    payload: ActionRequest<Name>,
    options?: RequestOptions,
  ): Promise<RequestOutcome<ActionResult<Name>>>;
  /** For status reports. */
  facts(): ConnectionFacts;
  /** Whether `connect` itself makes sure that the backend's two addresses are one engine. */
  readonly checksEngine?: boolean;
}

export interface RequestOptions {
  /** A repeat with the same id gets the first answer and changes nothing. A new id if absent. */
  readonly operationId?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface ConnectionFacts {
  readonly status: ConnectionStatus;
  readonly url: string;
  readonly userId: string | null;
  readonly entityId: string | null;
  readonly engineId: string | null;
  readonly epoch: number | null;
  /** The engine's market time; null when disconnected. */
  readonly marketTime: string | null;
  /** How market time follows real time; null when disconnected. */
  readonly clock: ClockSetting | null;
  /** ISO time of the last change of the status; null before the first connect. */
  readonly since: string | null;
  readonly reconnects: number;
  /** Messages that could not be read. Each makes the client reconnect and load a whole snapshot. */
  readonly unreadableMessages: number;
  readonly incomplete: boolean;
  /** What prevents a connection now; null while connected, and if nobody wants one. */
  readonly lastError: string | null;
  /** The last time that a connection was lost, also if it has been restored since; null if none was. */
  readonly lastDisconnect: { readonly time: string; readonly reason: string } | null;
}
