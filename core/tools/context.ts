// What a tool's handler gets besides its input.

import type { Advice } from "../advice.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import type { PubSub } from "../backend/pubsub.ts";
import type { StateClient } from "../backend/state-client.ts";
import type { Configuration } from "../config/configuration.ts";
import type { EventFilter, EventReader } from "../market/event-reader.ts";
import type { SnapshotReader } from "../market/snapshot-reader.ts";
import type { Logger } from "../../common/logger.ts";
import type { SimulatorClient } from "../backend/simulator-client.ts";
import type { Client } from "./client.ts";
import type { Elicitor } from "./elicitation.ts";
import type { Freeze } from "./freeze.ts";
import type { Progress } from "./progress.ts";
import type { RedisFacts, Replicas } from "./replicas.ts";

/** Created once and shared by every request of the process. */
export interface Services {
  readonly configuration: Configuration;
  /** The backend over HTTP; needs no connect step. */
  readonly backend: StateClient;
  /** The backend over WebSocket. */
  readonly pubsub: PubSub;
  readonly snapshot: SnapshotReader;
  readonly events: EventReader;
  /** Throws ToolError `not_configured`, with the missing variables, if no store is configured. */
  readonly audit: AuditReader;
  /** The control API of the simulator over HTTP; needs no connect step. */
  readonly simulator: SimulatorClient;
  readonly server: ServerFacts;
  /** The hints of core's own errors. */
  readonly advice: Advice;
  /** What this process shares with its replicas; null if it is alone (MKT_REDIS_URL is not set). */
  readonly replicas: Replicas | null;
  /** For status reports. */
  readonly redis: () => RedisFacts;
  /** The operator's kill switch; null if changes are allowed. */
  readonly frozen: () => Freeze | null;
  /**
   * Pulls the kill switch of this server and its replicas. Throws ToolError `not_configured` or `backend_unavailable`; its
   * message says what is frozen nevertheless.
   */
  readonly freeze: (reason: string) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  /** The MCP instructions: what a client should know about the server as a whole. */
  readonly instructions: string;
  /** The names of the tools that are offered. */
  readonly tools: ReadonlySet<string>;
}

/** The longest wait of `waitForEvent`, seconds. */
export const MAX_WAIT_SECONDS = 30;

/** What the session of a browser may do, or a program with a token by the routes of pages. `view` only reads. */
export type Access = "view" | "control";

export interface ToolContext extends Omit<Services, "replicas"> {
  /** The name of the client's token, `stdio`, or `shell`; null over HTTP without a token. */
  readonly caller?: string | null;
  /** Absent if the call comes by no route of a page: it may do what the server offers. */
  readonly access?: Access | undefined;
  /** For the confirmation of a call (MKT_CONFIRM); absent if nobody can be asked. A tool asks by its `question` instead. */
  readonly elicitor?: Elicitor;
  /** The client that made the call; for tools and prompts with `usesClient`. */
  readonly client: Client;
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /**
   * Reports progress to a client that asked for it; does nothing otherwise. Steps that do not rise, or that come more often
   * than four times a second, are dropped. Never throws.
   */
  readonly progress: Progress;
  /**
   * Resolves when the next matching event is in the buffer, when events may be lost, after `seconds`, when this process
   * begins to shut down, or when the connection to the market ends. The call then reads the buffer, which has all events
   * of the same frame. While it waits it counts as no running call. False: it did not wait, because too many calls wait, the
   * process is shutting down, or the connection is being restored.
   * Throws if the client cancels the call, and ToolError `not_connected` if the connection has ended.
   */
  readonly waitForEvent: (filter: EventFilter, seconds: number) => Promise<boolean>;
}

/** The user that this process acts as; null if it is not connected. */
export function actingUser({ pubsub }: Pick<Services, "pubsub">): string | null {
  return pubsub.session?.userId ?? null;
}
