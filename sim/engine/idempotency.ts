// The operations that users have sent, with the first answer to each (design section 7: kept 24 hours for each user).
//
// Memory is bounded: of each user the newest `capacity` operations are kept, so that one user's flood displaces none of
// another's. An operation that has been displaced is new again; at 100 operations a second that is after eight minutes.
// Of the content only a fingerprint is kept: its length and 64 bits, the same whatever the order of an object's keys.

import type { Execution } from "./execution.ts";

export type Answer = NonNullable<Execution["response"]>;

export type Lookup =
  | { readonly kind: "new" }
  | { readonly kind: "repeat"; readonly answer: Answer }
  /** The same id came with other content. */
  | { readonly kind: "conflict" };

export interface Operation {
  readonly fingerprint: string;
  readonly answer: Answer;
  readonly time: number;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const DEFAULT_CAPACITY = 50_000;

export class OperationLog {
  /** By user, then by operationId, oldest first. */
  readonly #byUser = new Map<string, Map<string, Operation>>();

  constructor(readonly capacity: number = DEFAULT_CAPACITY) {}

  /** The users' operations, oldest first: what `restore` takes. */
  entries(): Iterable<[userId: string, operations: ReadonlyMap<string, Operation>]> {
    return this.#byUser;
  }

  /** Takes a user's operations back, older ones first. */
  restore(userId: string, operations: Iterable<[operationId: string, operation: Operation]>): void {
    const known = this.#byUser.get(userId);
    if (known === undefined) this.#byUser.set(userId, new Map(operations));
    else for (const [operationId, operation] of operations) known.set(operationId, operation);
  }

  find(userId: string, operationId: string, fingerprint: string, now: number): Lookup {
    const operation = this.#byUser.get(userId)?.get(operationId);
    if (operation === undefined || isPast(operation, now)) return { kind: "new" };
    return operation.fingerprint === fingerprint ? { kind: "repeat", answer: operation.answer } : { kind: "conflict" };
  }

  remember(userId: string, operationId: string, fingerprint: string, answer: Answer, now: number): void {
    let operations = this.#byUser.get(userId);
    if (operations === undefined) this.#byUser.set(userId, operations = new Map());
    operations.delete(operationId);
    operations.set(operationId, { fingerprint, answer, time: now });
    for (const [id, oldest] of operations) {
      if (operations.size <= this.capacity && !isPast(oldest, now)) break;
      operations.delete(id);
    }
  }
}

/** What makes two requests the same: their action and payload. */
export function fingerprintOf(action: string, payload: unknown): string {
  const text = JSON.stringify([action, payload], (_, value: unknown) => isPlainObject(value) ? sorted(value) : value);
  let first = 0x811c9dc5;
  let second = 0x9e3779b1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ (second >>> 15) ^ code, 0x85ebca6b);
  }
  return `${text.length}:${first >>> 0}:${second >>> 0}`;
}

function isPast(operation: Operation, now: number): boolean {
  return now - operation.time >= KEPT_MS;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
