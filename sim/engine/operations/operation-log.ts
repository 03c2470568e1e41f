// The operations that users have sent, with the first answer to each (design section 7: kept 24 hours for each user).
//
// A forgotten operation would run twice if it is repeated, so the log keeps every accepted one for 24 hours, up to the
// newest MOST_ACCEPTED of each user. The newest of them are kept as they are; older ones are packed in blocks, compressed,
// and found by their ids. A repeat gets the whole first answer either way. A refused operation changed nothing, so
// carrying it out anew is safe: of these the log keeps the newest MOST_REFUSED of each user. Of the content only a
// fingerprint is kept: its length and 64 bits, the same whatever the order of an object's keys.
//
// Cost: O(1), and packing a block now and then; answering a packed one unpacks its block. Memory: some 250 bytes for each
// accepted operation, at most 250 MB for each user.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Execution } from "../api/market-engine.ts";

export type Answer = NonNullable<Execution["response"]>;

export type Lookup =
  | { readonly kind: "new" }
  | { readonly kind: "repeat"; readonly answer: Answer }
  /** The same id came with other content. */
  | { readonly kind: "conflict" };

interface Operation {
  readonly fingerprint: string;
  readonly answer: Answer;
  readonly time: number;
}

/** Operations of one user, older ones first, in JSON values. */
export type OperationsPart =
  | {
    readonly kind: "operations";
    readonly userId: string;
    readonly operations: readonly (readonly [operationId: string, Operation])[];
  }
  | {
    readonly kind: "refusedOperations";
    readonly userId: string;
    readonly operations: readonly (readonly [operationId: string, Operation])[];
  }
  | {
    readonly kind: "packedOperations";
    readonly userId: string;
    readonly operationIds: readonly string[];
    readonly newestTime: number;
    /** Base64. */
    readonly packed: string;
  };

interface Block {
  readonly newestTime: number;
  readonly packed: Uint8Array;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
/** Kept as they are: a repeat seldom comes later. */
const DEFAULT_NEWEST = 1024;
const BLOCK_SIZE = 256;
const MOST_ACCEPTED = 1_000_000;
export const MOST_REFUSED = 1_000;
/** The fingerprint of an operation whose content is unknown: any content is a repeat. */
export const ANY_CONTENT = "*";

export class OperationLog {
  readonly #byUser = new Map<string, UserOperations>();

  constructor(readonly newest: number = DEFAULT_NEWEST, readonly mostAccepted: number = MOST_ACCEPTED) {}

  find(userId: string, operationId: string, fingerprint: string, now: number): Lookup {
    const operation = this.#byUser.get(userId)?.get(operationId);
    if (operation === undefined || isPast(operation.time, now)) return { kind: "new" };
    const isSame = operation.fingerprint === fingerprint || operation.fingerprint === ANY_CONTENT;
    return isSame ? { kind: "repeat", answer: operation.answer } : { kind: "conflict" };
  }

  remember(userId: string, operationId: string, fingerprint: string, answer: Answer, now: number): void {
    const operations = this.#of(userId);
    operations.add(operationId, { fingerprint, answer, time: now });
    operations.forgetPast(now);
  }

  rememberRefusal(userId: string, operationId: string, fingerprint: string, answer: Answer, now: number): void {
    this.#of(userId).addRefused(operationId, { fingerprint, answer, time: now });
  }

  /** What `restore` takes, part by part. */
  *checkpoint(): Generator<OperationsPart, void, undefined> {
    for (const [userId, operations] of this.#byUser) yield* operations.checkpoint(userId);
  }

  restore(part: OperationsPart): void {
    const operations = this.#of(part.userId);
    if (part.kind === "packedOperations") {
      operations.addPacked(part.operationIds, part.newestTime, Uint8Array.fromBase64(part.packed));
    } else if (part.kind === "operations") {
      for (const [id, operation] of part.operations) operations.add(id, operation);
    } else for (const [id, operation] of part.operations) operations.addRefused(id, operation);
  }

  #of(userId: string): UserOperations {
    let operations = this.#byUser.get(userId);
    if (operations === undefined) {
      this.#byUser.set(userId, operations = new UserOperations(this.newest, this.mostAccepted));
    }
    return operations;
  }
}

/** Every accepted operation is in `#newest` or `#packed`, and those in `#packed` are older. */
class UserOperations {
  /** Oldest first. */
  readonly #newest = new Map<string, Operation>();
  /** The block of each, oldest first. */
  readonly #packed = new Map<string, Block>();

  /** Oldest first. */
  readonly #refused = new Map<string, Operation>();

  constructor(readonly newest: number, readonly mostAccepted: number) {}

  get(operationId: string): Operation | undefined {
    const operation = this.#newest.get(operationId) ?? this.#refused.get(operationId);
    if (operation !== undefined) return operation;
    const block = this.#packed.get(operationId);
    return block === undefined ? undefined : unpacked(block).find(([id]) => id === operationId)?.[1];
  }

  /** The latest of all. */
  add(operationId: string, operation: Operation): void {
    this.#newest.delete(operationId);
    this.#packed.delete(operationId);
    this.#refused.delete(operationId);
    this.#newest.set(operationId, operation);
    if (this.#newest.size >= this.newest + BLOCK_SIZE) this.#packOldest();
    if (this.#newest.size + this.#packed.size > this.mostAccepted) this.#forgetOldest();
  }

  /** The latest refused one; the oldest goes if there are too many. */
  addRefused(operationId: string, operation: Operation): void {
    this.#newest.delete(operationId);
    this.#packed.delete(operationId);
    this.#refused.delete(operationId);
    this.#refused.set(operationId, operation);
    if (this.#refused.size <= MOST_REFUSED) return;
    for (const id of this.#refused.keys().take(1)) this.#refused.delete(id);
  }

  addPacked(operationIds: readonly string[], newestTime: number, packed: Uint8Array): void {
    const block = { newestTime, packed };
    for (const id of operationIds) this.#packed.set(id, block);
  }

  forgetPast(now: number): void {
    for (const [id, { newestTime }] of this.#packed) {
      if (!isPast(newestTime, now)) return;
      this.#packed.delete(id);
    }
    for (const [id, { time }] of this.#newest) {
      if (!isPast(time, now)) return;
      this.#newest.delete(id);
    }
  }

  *checkpoint(userId: string): Generator<OperationsPart, void, undefined> {
    const idsByBlock = Map.groupBy(this.#packed.keys(), (id) => this.#packed.get(id));
    for (const [block, operationIds] of idsByBlock) {
      if (block === undefined) continue;
      const { newestTime, packed } = block;
      yield { kind: "packedOperations", userId, operationIds, newestTime, packed: packed.toBase64() };
    }
    const newest = [...this.#newest];
    for (let at = 0; at < newest.length; at += BLOCK_SIZE) {
      yield { kind: "operations", userId, operations: newest.slice(at, at + BLOCK_SIZE) };
    }
    if (this.#refused.size > 0) yield { kind: "refusedOperations", userId, operations: [...this.#refused] };
  }

  /** Some at a time: finding the oldest of a map whose first ones were deleted takes time. */
  #forgetOldest(): void {
    for (const id of this.#packed.keys().take(BLOCK_SIZE)) this.#packed.delete(id);
  }

  #packOldest(): void {
    const oldest = this.#newest.entries().take(BLOCK_SIZE).toArray();
    const newestTime = oldest.at(-1)?.[1].time ?? 0;
    this.addPacked(oldest.map(([id]) => id), newestTime, zstdCompressSync(JSON.stringify(oldest)));
    for (const [id] of oldest) this.#newest.delete(id);
  }
}

function unpacked({ packed }: Block): [operationId: string, Operation][] {
  return JSON.parse(zstdDecompressSync(packed).toString());
}

function isPast(time: number, now: number): boolean {
  return now - time >= KEPT_MS;
}

/**
 * What makes two requests the same: their action and payload. A repeat may have another `validUntil`, and other `bounds`:
 * they belong to the process that sends it.
 */
export function fingerprintOf(action: string, payload: unknown): string {
  const content = isPlainObject(payload) && "bounds" in payload ? { ...payload, bounds: undefined } : payload;
  const text = JSON.stringify([action, content], (_, value: unknown) => isPlainObject(value) ? sorted(value) : value);
  let first = 0x811c9dc5;
  let second = 0x9e3779b1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ (second >>> 15) ^ code, 0x85ebca6b);
  }
  return `${text.length}:${first >>> 0}:${second >>> 0}`;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
