// The operations of one user. The newest accepted ones are kept unpacked. Older ones are packed in compressed blocks,
// and found by their ids. Reading a packed operation unpacks its block.
//
// Invariant: every accepted operation is in `#newest` or `#packed`, and those in `#packed` are older.

import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Answer } from "../api/market-engine.ts";

interface Operation {
  readonly fingerprint: string;
  readonly answer: Answer;
  /** When it was answered, in milliseconds since the epoch. */
  readonly time: number;
}

type Entries = readonly (readonly [operationId: string, operation: Operation])[];

/** Operations of one user in a checkpoint, older ones first. */
export type OperationsPart =
  | { readonly kind: "operations" | "rejectedOperations"; readonly userId: string; readonly operations: Entries }
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
const BLOCK_SIZE = 256;
export const MAX_REJECTED = 1_000;

/** Whether an operation that was answered at `time` is no longer kept. */
export function isPast(time: number, now: number): boolean {
  return now - time >= KEPT_MS;
}

export class UserOperations {
  /** Oldest first. */
  readonly #newest = new Map<string, Operation>();
  /** The block of each packed operation, oldest first. */
  readonly #packed = new Map<string, Block>();
  /** Oldest first. */
  readonly #rejected = new Map<string, Operation>();

  constructor(readonly newest: number, readonly mostAccepted: number) {}

  get(operationId: string): Operation | undefined {
    const operation = this.#newest.get(operationId) ?? this.#rejected.get(operationId);
    if (operation !== undefined) return operation;
    const block = this.#packed.get(operationId);
    return block === undefined ? undefined : unpacked(block).find(([id]) => id === operationId)?.[1];
  }

  /** Adds the latest accepted operation. */
  add(operationId: string, operation: Operation): void {
    this.#delete(operationId);
    this.#newest.set(operationId, operation);
    if (this.#newest.size >= this.newest + BLOCK_SIZE) this.#packOldest();
    if (this.#newest.size + this.#packed.size > this.mostAccepted) this.#forgetOldest();
  }

  /** Adds the latest rejected operation, and forgets the oldest if there are too many. */
  addRejected(operationId: string, operation: Operation): void {
    this.#delete(operationId);
    this.#rejected.set(operationId, operation);
    if (this.#rejected.size <= MAX_REJECTED) return;
    for (const id of this.#rejected.keys().take(1)) this.#rejected.delete(id);
  }

  /** Forgets the accepted operations of more than 24 hours ago. */
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
    if (this.#rejected.size > 0) yield { kind: "rejectedOperations", userId, operations: [...this.#rejected] };
  }

  restore(part: OperationsPart): void {
    if (part.kind === "packedOperations") {
      this.#addPacked(part.operationIds, part.newestTime, Uint8Array.fromBase64(part.packed));
    } else if (part.kind === "operations") {
      for (const [id, operation] of part.operations) this.add(id, operation);
    } else {
      for (const [id, operation] of part.operations) this.addRejected(id, operation);
    }
  }

  #delete(operationId: string): void {
    this.#newest.delete(operationId);
    this.#packed.delete(operationId);
    this.#rejected.delete(operationId);
  }

  #addPacked(operationIds: readonly string[], newestTime: number, packed: Uint8Array): void {
    const block = { newestTime, packed };
    for (const id of operationIds) this.#packed.set(id, block);
  }

  /** Forgets a whole block at once, since finding the first entry of a map is slow after its first ones were deleted. */
  #forgetOldest(): void {
    for (const id of this.#packed.keys().take(BLOCK_SIZE)) this.#packed.delete(id);
  }

  #packOldest(): void {
    const oldest = this.#newest.entries().take(BLOCK_SIZE).toArray();
    const newestTime = oldest.at(-1)?.[1].time ?? 0;
    this.#addPacked(oldest.map(([id]) => id), newestTime, zstdCompressSync(JSON.stringify(oldest)));
    for (const [id] of oldest) this.#newest.delete(id);
  }
}

function unpacked({ packed }: Block): [operationId: string, Operation][] {
  return JSON.parse(zstdDecompressSync(packed).toString());
}
