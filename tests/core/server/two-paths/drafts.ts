// A request before it is sent: the message as a value, its text and bytes, and the head. An oddity changes one of them.

import type { Draw } from "./draw.ts";

/** The revisions that a client may name. `none`: no header, no envelope. */
export type Era = "none" | "2025-03-26" | "2025-06-18" | "2025-11-25" | "2026-07-28";

export type Json = Record<string, unknown>;

export interface Draft {
  era: Era;
  /** JSON-RPC method, for counting. */
  kind: string;
  message: unknown;
  text: string;
  bytes: Uint8Array<ArrayBuffer>;
  headers: [name: string, value: string][];
  method: string;
  /** Path and query. */
  target: string;
  address: string;
}

/** What is unusual about a request. Oddities of one request are applied in the order of their stages. */
export interface Oddity {
  readonly name: string;
  readonly stage: "message" | "text" | "bytes" | "head";
  readonly weight: number;
  readonly apply: (draft: Draft, draw: Draw) => void;
}

/** Makes oddities of one stage. */
export const oddityAt = (stage: Oddity["stage"]) => (name: string, weight: number, apply: Oddity["apply"]): Oddity => ({
  name,
  stage,
  weight,
  apply,
});

export const STAGES = ["message", "text", "bytes", "head"] as const;

/** A number that JSON.stringify can't write, such as 1e999: textOf puts it into the text as it is. */
export function rawNumber(digits: string): string {
  return `@@${digits}@@`;
}

/** The JSON text of a message. */
export function textOf(message: unknown): string {
  return (JSON.stringify(message) ?? "").replaceAll(/"@@([^"@]+)@@"/g, "$1");
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** An object that may be changed; undefined if the value is none. */
export function objectIn(value: unknown, ...path: readonly string[]): Json | undefined {
  let found = value;
  for (const name of path) found = typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined;
  return typeof found === "object" && found !== null && !Array.isArray(found) ? found as Json : undefined;
}

/** Adds a copy of the value as an own property, also for the name __proto__, as JSON.parse does. */
export function setOwn(object: Json | undefined, name: string, value: unknown): void {
  if (object === undefined) return;
  const copy: unknown = structuredClone(value);
  Object.defineProperty(object, name, { value: copy, enumerable: true, configurable: true, writable: true });
}

export function setHeader(draft: Draft, name: string, value: string | null): void {
  draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  if (value !== null) draft.headers.push([name, value]);
}
