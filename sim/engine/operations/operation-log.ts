// The operations that users have sent, with the first answer to each. It makes requests idempotent: a repeat gets the whole
// first answer.
//
// A forgotten operation would run twice if it is repeated, so the log keeps each accepted one for 24 hours, up to the newest
// MAX_ACCEPTED of each user. A rejected operation changed nothing, so it may safely run again; of these the log keeps the
// newest MAX_REJECTED of each user. The content of a request is kept as a fingerprint only.
//
// Cost: O(1) amortised; packing a block takes longer. Memory: some 250 bytes for each accepted operation, so at most 250 MB
// for each user.

import type { Answer } from "../api/market-engine.ts";
import { isPast, type OperationsPart, UserOperations } from "./user-operations.ts";

export type Lookup =
  | { readonly kind: "new" }
  | { readonly kind: "repeat"; readonly answer: Answer }
  /** The same id came before with other content. */
  | { readonly kind: "conflict" };

/** Most repeats come soon, so the newest accepted operations are kept unpacked. */
const DEFAULT_NEWEST = 1024;
const MAX_ACCEPTED = 1_000_000;
/** The fingerprint of an operation whose content is unknown: any content is a repeat. */
export const ANY_CONTENT = "*";

export class OperationLog {
  readonly #byUser = new Map<string, UserOperations>();

  /** `newest`: how many accepted operations of each user are kept unpacked. */
  constructor(readonly newest: number = DEFAULT_NEWEST, readonly mostAccepted: number = MAX_ACCEPTED) {}

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

  rememberRejection(userId: string, operationId: string, fingerprint: string, answer: Answer, now: number): void {
    this.#of(userId).addRejected(operationId, { fingerprint, answer, time: now });
  }

  *checkpoint(): Generator<OperationsPart, void, undefined> {
    for (const [userId, operations] of this.#byUser) yield* operations.checkpoint(userId);
  }

  /** Takes the parts of a checkpoint in their order. */
  restore(part: OperationsPart): void {
    this.#of(part.userId).restore(part);
  }

  #of(userId: string): UserOperations {
    return this.#byUser.getOrInsertComputed(userId, () => new UserOperations(this.newest, this.mostAccepted));
  }
}
