// The limits on what clients may ask of an engine, and the variables that set them.
//
// The defaults are far above what a busy trader needs, so only a fault or an attack reaches them; a load test raises
// them. A rate holds for each user, over all connections and HTTP requests, and allows a burst of two seconds' worth.
// docs/configuration.md has the same table, and a test compares the two.

import { MAX_DEPTH } from "../../../protocol/limits.ts";
import type { AnyEnvironment } from "../../environment.ts";
import { UNAUTHORIZED_PER_SECOND } from "../default-limits.ts";

interface EngineLimit {
  readonly variable: string;
  readonly default: number;
  /** Least and greatest value, both allowed. */
  readonly range: readonly [number, number];
  readonly unit: string;
  readonly meaning: string;
}

const MEBIBYTE = 1 << 20;

export const ENGINE_LIMITS = {
  connections: {
    variable: "MKT_ENGINE_MAX_CONNECTIONS",
    default: 2_000,
    range: [1, 100_000],
    unit: "connections",
    meaning: "WebSocket connections in all",
  },
  connectionsPerUser: {
    variable: "MKT_ENGINE_MAX_CONNECTIONS_PER_USER",
    default: 500,
    range: [1, 100_000],
    unit: "connections",
    meaning: "WebSocket connections of each user; personas of one entity share a user",
  },
  requestsPerSecond: {
    variable: "MKT_ENGINE_MAX_REQUESTS_PER_SECOND",
    default: 5_000,
    range: [1, 10_000_000],
    unit: "messages/s",
    meaning: "WebSocket messages and HTTP requests of each user",
  },
  unauthorizedPerSecond: {
    variable: "MKT_ENGINE_MAX_UNAUTHORIZED_PER_SECOND",
    default: UNAUTHORIZED_PER_SECOND,
    range: [1, 10_000_000],
    unit: "answers/s",
    meaning: "401 answers over HTTP to each address; above it 429",
  },
  refusalsPerSecond: {
    variable: "MKT_ENGINE_MAX_REFUSALS_PER_SECOND",
    default: 500,
    range: [1, 10_000_000],
    unit: "requests/s",
    meaning: "rejected requests of each user",
  },
  bytesPerSecond: {
    variable: "MKT_ENGINE_MAX_BYTES_PER_SECOND",
    default: 4 * MEBIBYTE,
    range: [1024, 4096 * MEBIBYTE],
    unit: "bytes/s",
    meaning: "bytes that each user sends",
  },
  frameBytes: {
    variable: "MKT_ENGINE_MAX_FRAME_BYTES",
    default: MEBIBYTE,
    range: [1024, 64 * MEBIBYTE],
    unit: "bytes",
    meaning: "size of a WebSocket frame or HTTP body from a client",
  },
  depth: {
    variable: "MKT_ENGINE_MAX_DEPTH",
    default: MAX_DEPTH,
    range: [4, 256],
    unit: "levels",
    meaning: "nested arrays and objects in one message",
  },
  values: {
    variable: "MKT_ENGINE_MAX_VALUES",
    default: 10_000,
    range: [100, 1_000_000],
    unit: "values",
    meaning: "values in one message, arrays and objects included",
  },
  sendQueueBytes: {
    variable: "MKT_ENGINE_MAX_SEND_QUEUE_BYTES",
    default: 16 * MEBIBYTE,
    range: [65_536, 1024 * MEBIBYTE],
    unit: "bytes",
    meaning: "send queue of one connection",
  },
  totalSendQueueBytes: {
    variable: "MKT_ENGINE_MAX_TOTAL_SEND_QUEUE_BYTES",
    default: 256 * MEBIBYTE,
    range: [65_536, 65_536 * MEBIBYTE],
    unit: "bytes",
    meaning: "all send queues together; above it the connection with the longest is cut off",
  },
  snapshotSeconds: {
    variable: "MKT_ENGINE_MAX_SNAPSHOT_SECONDS",
    default: 60,
    range: [1, 86_400],
    unit: "s",
    meaning: "how long a connection may take to read its snapshot",
  },
  openOrdersPerUser: {
    variable: "MKT_ENGINE_MAX_OPEN_ORDERS_PER_USER",
    default: 20_000,
    range: [1, 10_000_000],
    unit: "orders",
    meaning: "orders of each user that are open at once, held ones included",
  },
  openOrdersPerBook: {
    variable: "MKT_ENGINE_MAX_OPEN_ORDERS_PER_BOOK",
    default: 50_000,
    range: [1, 10_000_000],
    unit: "orders",
    meaning: "orders of each contract that are open at once, held ones included",
  },
} as const satisfies Record<string, EngineLimit>;

export type EngineLimitVariable = (typeof ENGINE_LIMITS)[keyof typeof ENGINE_LIMITS]["variable"];

export type EngineLimits = { readonly [name in keyof typeof ENGINE_LIMITS]: number };

export const DEFAULT_ENGINE_LIMITS: EngineLimits = limitsOf((limit) => limit.default);

/** What is wrong with the value of a variable. */
export interface SettingFault {
  readonly variable: string;
  readonly message: string;
}

const PREFIX = "MKT_ENGINE_MAX_";

/** An empty value counts as not set. A variable with the prefix that names no limit is a fault, since it limits nothing. */
export function readEngineLimits(
  environment: AnyEnvironment,
): { readonly limits: EngineLimits } | { readonly faults: readonly SettingFault[] } {
  const known = new Set<string>(Object.values(ENGINE_LIMITS).map(({ variable }) => variable));
  const faults: SettingFault[] = Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && environment[name] && !known.has(name))
    .map((variable) => ({ variable, message: `there is no such limit; one of ${[...known].join(", ")}` }));
  const limits = limitsOf((limit) => {
    const text = environment[limit.variable];
    if (text === undefined || text === "") return limit.default;
    const [least, greatest] = limit.range;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= greatest) return value;
    const message = `must be a whole number from ${least} to ${greatest} (${limit.unit}), and is "${text}"`;
    faults.push({ variable: limit.variable, message });
    return limit.default;
  });
  return faults.length > 0 ? { faults } : { limits };
}

function limitsOf(valueOf: (limit: EngineLimit) => number): EngineLimits {
  const entries = Object.entries(ENGINE_LIMITS).map(([name, limit]) => [name, valueOf(limit)]);
  return Object.fromEntries(entries) as EngineLimits;
}
