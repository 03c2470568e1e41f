// What a tool's handler is given besides its input.

import type { Advice } from "../advice.ts";
import type { AuditReader } from "../../common/audit/audit-store.ts";
import type { PubSub } from "../backend/pubsub.ts";
import type { StateClient } from "../backend/state-client.ts";
import type { Configuration } from "../config/configuration.ts";
import type { EventReader } from "../market/event-reader.ts";
import type { SnapshotReader } from "../market/snapshot-reader.ts";
import type { Logger } from "../../common/logger.ts";
import type { SimulatorClient } from "../backend/simulator-client.ts";
import type { Elicitor } from "./elicitation.ts";

/** What lives as long as the process; made once and shared by every request. */
export interface Services {
  readonly configuration: Configuration;
  /** The HTTP connection to the backend; usable at any time. */
  readonly backend: StateClient;
  /** The WebSocket connection to the backend. */
  readonly pubsub: PubSub;
  readonly snapshot: SnapshotReader;
  readonly events: EventReader;
  /** Throws `not_configured` on use, naming what is missing, where no store is configured. */
  readonly audit: AuditReader;
  /** The control API of the simulator, over HTTP; usable at any time. */
  readonly simulator: SimulatorClient;
  readonly server: ServerFacts;
  /** What a caller is advised to do after an error of core's. */
  readonly advice: Advice;
  /** The operator's kill switch: null while the market may be changed. */
  readonly frozen: () => Freeze | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

/** That an operator has frozen the market, so that this process changes nothing in it. */
export interface Freeze {
  /** Null if none was given. */
  readonly reason: string | null;
  /** ISO time; null if unknown. */
  readonly since: string | null;
}

export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  /** What an MCP client is told about the server as a whole. */
  readonly instructions: string;
  /** The number of tools that this configuration offers. */
  readonly toolCount: number;
}

export interface ToolContext extends Services {
  /** The name of the token that the client sent; `stdio` or `shell` where it came in by that; null without a token. */
  readonly caller?: string | null;
  /** Asks the person at the client (MKT_CONFIRM); absent if nobody can be asked. */
  readonly elicitor?: Elicitor;
  /** Ends when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far the call has come. */
  readonly progress: (progress: { done: number; total?: number; message?: string }) => Promise<void>;
}

/** The user that this process acts as; null where it is not connected. */
export function actingUser({ pubsub }: Pick<Services, "pubsub">): string | null {
  return pubsub.session?.userId ?? null;
}
