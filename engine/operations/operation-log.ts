// The operations that users have sent, with the first answer to each. It makes requests idempotent: a repeat gets the whole
// first answer.
//
// A forgotten operation would run twice if it is repeated, so the log keeps each accepted one for 24 hours, up to the newest
// MAX_ACCEPTED of each user. A rejected operation changed nothing, so it may safely run again; of these the log keeps the
// newest MAX_REJECTED of each user. The content of a request is kept as a fingerprint only.
//
// Cost: O(1) amortised. Memory: some 80 bytes for an accepted operation whose id is a UUID, and another 17 if it changes or
// cancels an order with another clientOrderId; so some 100 MB for each user at most. Other ids of 36 characters take 20 bytes
// more, ids of 200 characters up to 400, each twice if there is another clientOrderId. Operations of more than 24 hours ago are
// freed when their user has a new one accepted.

import type { Answer } from "../api/market-engine.ts";
import { AnswerRecords } from "./answer-record.ts";
import type { Fingerprint } from "../api/fingerprint.ts";
import { ANY_CONTENT } from "./fingerprint.ts";
import { type HashKey, KeyedHash } from "./keyed-hash.ts";
import type { OperationOutcome } from "./operation-outcome.ts";
import { OperationRing, type SavedPage } from "./operation-ring.ts";
import { isPast, OrderNames, type SavedNames } from "./order-names.ts";

type Lookup =
  | { readonly kind: "new" }
  | { readonly kind: "repeat"; readonly answer: Answer }
  /** The same id came before with other content. */
  | { readonly kind: "conflict" };

/** A part of a checkpoint: what all pages name. */
export interface NamesPart {
  readonly kind: "names";
  readonly names: SavedNames;
}

/** A part of a checkpoint, after its names. The pages of a user come in their order. */
export interface OperationsPart {
  readonly kind: "operations";
  readonly pages: readonly UserPage[];
}

interface UserPage extends SavedPage {
  readonly userId: string;
  readonly isRejected: boolean;
}

interface UserOperations {
  readonly accepted: OperationRing;
  readonly rejected: OperationRing;
}

/** Characters of a part of a checkpoint, at least, if more follow. A part is written at once. */
const PART_LENGTH = 2 ** 17;
const MAX_ACCEPTED = 1_000_000;
export const MAX_REJECTED = 1_000;
const NEW: Lookup = { kind: "new" };
const CONFLICT: Lookup = { kind: "conflict" };

export class OperationLog {
  readonly #byUser = new Map<string, UserOperations>();
  readonly #names = new OrderNames();
  readonly #records = new AnswerRecords(this.#names);
  readonly #hash: KeyedHash;
  /** The last user and the operations of this user. A request asks for them twice. */
  #userId = "";
  #ofUser: UserOperations | null = null;
  /** What the last `find` looked for, if neither ring has it; "" otherwise. It is then added without another search. */
  #absentId = "";

  /** `key`: of the hash of ids. It changes nothing but where ids are in memory. */
  constructor(key: HashKey, readonly mostAccepted: number = MAX_ACCEPTED) {
    this.#hash = new KeyedHash(key);
  }

  find(userId: string, operationId: string, fingerprint: Fingerprint, now: number): Lookup {
    this.#absentId = "";
    const { accepted, rejected } = this.#of(userId);
    const first = accepted.find(operationId);
    const second = rejected.find(operationId);
    if (first === null && second === null) this.#absentId = operationId;
    return (first === null ? null : this.#lookup(accepted, first, operationId, fingerprint, now)) ??
      (second === null ? null : this.#lookup(rejected, second, operationId, fingerprint, now)) ?? NEW;
  }

  remember(
    userId: string,
    operationId: string,
    fingerprint: Fingerprint,
    outcome: OperationOutcome | Omit<Answer, "operationId">,
    now: number,
  ): void {
    const { accepted } = this.#without(userId, operationId);
    while (isPast(accepted.oldestTime, now)) accepted.forgetOldest();
    this.#records.write(accepted.add(operationId, fingerprint, now), operationId, outcome, now);
    if (accepted.size > this.mostAccepted) accepted.forgetOldest();
  }

  rememberRejection(
    userId: string,
    operationId: string,
    fingerprint: Fingerprint,
    answer: OperationOutcome | Omit<Answer, "operationId">,
    now: number,
  ): void {
    const { rejected } = this.#without(userId, operationId);
    this.#records.write(rejected.add(operationId, fingerprint, now), operationId, answer, now);
    if (rejected.size > MAX_REJECTED) rejected.forgetOldest();
  }

  names(): NamesPart {
    return { kind: "names", names: this.#names.save() };
  }

  /** The operations that were answered at `since` or later, in milliseconds since the epoch. */
  *checkpoint(since: number): Generator<OperationsPart, void, undefined> {
    let pages: UserPage[] = [];
    let length = 0;
    for (const page of this.#savedPages(since)) {
      pages.push(page);
      length += page.columns.length + page.bytes.length;
      if (length < PART_LENGTH) continue;
      yield { kind: "operations", pages };
      pages = [];
      length = 0;
    }
    if (pages.length > 0) yield { kind: "operations", pages };
  }

  restoreNames({ names }: NamesPart): void {
    this.#names.restore(names);
  }

  /** Takes parts of checkpoints in their order. They may have operations twice, and more than are kept. */
  restore({ pages }: OperationsPart): void {
    for (const page of pages) {
      const { accepted, rejected } = this.#of(page.userId);
      (page.isRejected ? rejected : accepted).restore(page);
      while (accepted.size > this.mostAccepted) accepted.forgetOldest();
      while (rejected.size > MAX_REJECTED) rejected.forgetOldest();
    }
  }

  *#savedPages(since: number): Generator<UserPage, void, undefined> {
    for (const [userId, { accepted, rejected }] of this.#byUser) {
      for (const page of accepted.save(since)) yield { userId, isRejected: false, ...page };
      for (const page of rejected.save(since)) yield { userId, isRejected: true, ...page };
    }
  }

  /** Null if the ring no longer keeps the operation. */
  #lookup(
    ring: OperationRing,
    operation: number,
    operationId: string,
    { high, low }: Fingerprint,
    now: number,
  ): Lookup | null {
    const time = ring.timeOf(operation);
    if (isPast(time, now)) return null;
    const first = ring.fingerprintOf(operation);
    const isSame = (first.high === high && first.low === low) ||
      (first.high === ANY_CONTENT.high && first.low === ANY_CONTENT.low);
    if (!isSame) return CONFLICT;
    return { kind: "repeat", answer: this.#records.read(ring.recordOf(operation), operationId, time) };
  }

  /** The rings of a user, neither of which then has the operation. */
  #without(userId: string, operationId: string): UserOperations {
    const isAbsent = operationId === this.#absentId && userId === this.#userId && operationId !== "";
    this.#absentId = "";
    const user = this.#of(userId);
    if (!isAbsent) {
      user.accepted.remove(operationId);
      user.rejected.remove(operationId);
    }
    return user;
  }

  #of(userId: string): UserOperations {
    if (this.#ofUser !== null && userId === this.#userId) return this.#ofUser;
    let user = this.#byUser.get(userId);
    if (user === undefined) {
      user = { accepted: new OperationRing(this.#hash), rejected: new OperationRing(this.#hash) };
      this.#byUser.set(userId, user);
    }
    this.#userId = userId;
    return this.#ofUser = user;
  }
}
