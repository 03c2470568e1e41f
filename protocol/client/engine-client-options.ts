// What an EngineClient is made with, and what it tells its listener.

import type { Logger } from "@logtape/logtape";
import type { Action, EventMessage, StateMessage, Welcome } from "../index.ts";
import type { EngineClock } from "./engine-clock.ts";
import type { LinkEnd, LinkTimings } from "./engine-link.ts";
import type { FrameReader, ReceivedMessage, Unreadable } from "./frame-reader.ts";
import type { BookOf } from "./module-reduction.ts";
import type { ReconnectionTimings, RetryPolicy } from "./reconnection.ts";

export interface EngineClientOptions {
  /** Address of the engine's WebSocket. */
  readonly url: string;
  /** The id of the only engine to work with; null or absent: any. */
  readonly engineId?: string | null;
  readonly userId: string;
  /** Null: the engine asks for none. */
  readonly token: string | null;
  /** Whether the engine cancels this user's orders when the connection ends. */
  readonly cancelOnDisconnect?: boolean;
  /** The last event that the listener has; a new connection continues after it. */
  readonly resumePoint?: () => { readonly epoch: number; readonly sequence: number } | undefined;
  readonly reader: Pick<FrameReader, "read">;
  readonly clock: EngineClock;
  readonly timings: EngineClientTimings;
  readonly policy: ClientPolicy;
  readonly log: Logger;
  readonly listener: EngineListener;
}

export interface EngineClientTimings extends LinkTimings, ReconnectionTimings {
  /** Replaces `openMs` while requests wait for their response. */
  readonly pendingOpenMs?: number;
  /** Lifetime of a tolerant connection after its first unreadable message. */
  readonly readAgainMs?: number;
}

export interface ClientPolicy extends RetryPolicy {
  /** How long the engine may still carry out a request after it was sent, in milliseconds of engine time. */
  readonly validForMs: (action: Action) => number;
  /**
   * How long a request waits for its response, in milliseconds. It survives reconnections, and is sent again on each new
   * connection under the same ids: the engine then answers it without repeating it. Null: it settles with its connection.
   */
  readonly requestTimeoutMs: number | null;
  /**
   * Until the snapshot is whole, ignore what can't be read and what comes before the welcome. By default such a message
   * ends the connection (reconnection.ts).
   */
  readonly lenientSnapshot?: boolean;
}

/** Calls come in the order of the engine's messages, and never after `close`. */
export interface EngineListener {
  /** A connection is accepted; its snapshot follows, and replaces everything known so far. */
  welcomed?(welcome: Welcome): void;
  /** True: the frame only repeats what is known, and is ignored as a whole. */
  isRepetition?(messages: readonly ReceivedMessage[]): boolean;
  /** A module, in the snapshot or later: sent as such, or what an event says about it. */
  state(message: StateMessage): void;
  /** The ENGINE modules that the listener has. If absent, changes of books are not reduced. */
  readonly bookOf?: BookOf;
  /**
   * `state`: what the event says about a module, which `state` is called with next; null if nothing, or if the snapshot
   * already contains the event. False: the event's number can't be right, so the message counts as unreadable.
   */
  event?(message: EventMessage, state: StateMessage | null): boolean;
  /** The engine can't send these events again. False: as for `event`. */
  gap?(from: number, to: number): boolean;
  /** The snapshot is whole, and requests can be sent. */
  synchronized(welcome: Welcome): void;
  /** All messages of a frame that came after the snapshot; `state` and `event` have been called for each. */
  frame?(messages: readonly ReceivedMessage[]): void;
  /** A tolerant connection skips this message. */
  unreadable?(message: Unreadable): void;
  /** No pending request matches this response. */
  unmatchedResponse?(): void;
  /** A connection or an attempt has ended. Not called for `close`. */
  ended(end: LinkEnd, willRetry: boolean): void;
}
