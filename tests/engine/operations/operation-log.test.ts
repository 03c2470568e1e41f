// The operation log, compared with a plain one: a Map with whole answers.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Answer } from "../../../engine/api/market-engine.ts";
import type { Fingerprint } from "../../../engine/api/fingerprint.ts";
import { ANY_CONTENT } from "../../../engine/operations/fingerprint.ts";
import { type HashKey, KeyedHash } from "../../../engine/operations/keyed-hash.ts";
import { MAX_REJECTED, OperationLog, type OperationsPart } from "../../../engine/operations/operation-log.ts";
import { orderModule } from "../../../engine/modules/order-modules.ts";
import { confirmed, type OperationOutcome } from "../../../engine/operations/operation-outcome.ts";
import { OperationRing, type SavedPage } from "../../../engine/operations/operation-ring.ts";
import type { ContractState, Order } from "../../../engine/state/market-state.ts";
import type { EntityState, UserState } from "../../../engine/state/party-state.ts";
import { DAY_MS } from "../../../protocol/time-units.ts";
import { codePoint } from "../../support/code-point.ts";
import { size } from "../../support/sizes.ts";
import { weighted } from "../support/weighted-command.ts";

const KEY: HashKey = [1, 2];
const START = Date.parse("2026-01-15T18:00:00Z");

const productOf = (serial: number) => ({ code: `P${serial % 3}`, marketId: "M" });
const contractOf = (serial: number) =>
  ({ serial, id: `N-H${serial}`, bookId: `ENG-N-H${serial}`, product: productOf(serial) }) as ContractState;

const safeMagnitude = fc.oneof(fc.nat(100_000), fc.maxSafeInteger().map(Math.abs));
const operationId = fc.oneof(
  { weight: 8, arbitrary: fc.nat(15).map((count) => `op-${count}`) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint, minLength: 1, maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "4f9d2c1a-7b3e-4d5f-8a6b-0123456789ab",
      "4f9d2c1a-7b3e-4d5f-8a6b-0123456789aB",
      "4f9d2c1a-7b3e-4d5f-8a6b_0123456789ab",
      "4f9d2c1a-7b3e-4d5f-8a6b-0123456789ag",
      "4f9d2c1a-7b3e-4d5f-8a6b-0123456789a",
      "00000000-0000-0000-0000-000000000000",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("ÿ", "Ā", "\ud800", "a".repeat(200), "€".repeat(200)) },
);
/** How long ago: now, or before. */
const ago = fc.oneof(fc.constant(0), fc.nat(1000), fc.nat(4e12));
const order = fc.record({
  key: safeMagnitude,
  clientOrderId: operationId,
  contract: fc.nat(200).map(contractOf),
  entity: fc.nat(3).map((party) => ({ party, definition: { id: `ENTITY-${party}` } }) as EntityState),
  user: fc.nat(2).map((number) => ({ number, id: ["user-0", "user-1", "größer"][number] }) as UserState),
  side: fc.constantFrom(0, 1),
  timeInForce: fc.constantFrom("day", "gtc"),
  createdAgo: ago,
  updatedAgo: ago,
  price: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  quantity: fc.integer({ min: 1, max: 1_000_000_000 }),
  filled: fc.option(
    fc.tuple(
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.oneof(fc.maxSafeInteger(), fc.nat(1000), fc.bigInt({ min: 2n ** 53n, max: 2n ** 60n })),
    ),
    { nil: null },
  ),
  status: fc.constantFrom("working", "partial", "filled", "cancelled", "held"),
  closeReason: fc.constantFrom(null, "filled", "cancelled", "expired", "flushed", "disconnected", "limit_exceeded"),
});
type DrawnOrder = typeof order extends fc.Arbitrary<infer Value> ? Value : never;

/** As it is when an operation confirms it at `now`. */
function orderAt({ createdAgo, updatedAgo, filled, ...drawn }: DrawnOrder, now: number, operationId: string): Order {
  const [filledQuantity, filledValue] = filled ?? [0, 0] as const;
  return {
    ...drawn,
    id: `ORD-${drawn.key}`,
    userId: drawn.user.id,
    clientOrderId: drawn.key % 2 === 0 ? operationId : drawn.clientOrderId,
    createdAt: now - createdAgo,
    updatedAt: now - updatedAgo,
    filledQuantity,
    filledValue,
  } as Order;
}

const fingerprint = fc.constantFrom<Fingerprint>(
  { high: 1, low: 2 },
  { high: 2, low: 1 },
  { high: 2 ** 32 - 1, low: 2 ** 32 - 1 },
  { high: 0, low: 1 },
);
const named = { userId: fc.constantFrom("user-0", "user-1"), operationId, fingerprint };
const otherAnswer = fc.record({ status: fc.constant("ok"), result: fc.dictionary(fc.string(), fc.jsonValue()) });
const rejection = fc.record({
  status: fc.constant("rejected"),
  code: fc.constantFrom("not_found", "invalid_price"),
  message: fc.string({ unit: codePoint, maxLength: 30 }),
});

const step = fc.oneof(
  weighted(8, "order", { ...named, order }),
  weighted(2, "accept", { ...named, answer: otherAnswer }),
  weighted(3, "reject", { ...named, answer: rejection }),
  weighted(3, "wait", { ms: fc.constantFrom(1, 1000, DAY_MS / 3, DAY_MS - 1, DAY_MS) }),
  weighted(1, "restart", { merges: fc.boolean() }),
);

interface Kept {
  readonly fingerprint: Fingerprint;
  readonly answer: string;
  readonly time: number;
}

/** Keeps everything in Maps, oldest first, and looks through them. */
class PlainLog {
  readonly accepted = new Map<string, Kept>();
  readonly rejected = new Map<string, Kept>();

  constructor(readonly mostAccepted: number) {}

  find(name: string, { high, low }: Fingerprint, now: number): string {
    for (const kept of [this.accepted.get(name), this.rejected.get(name)]) {
      if (kept === undefined || now - kept.time >= DAY_MS) continue;
      const isSame = kept.fingerprint.high === high && kept.fingerprint.low === low;
      return isSame ? kept.answer : "conflict";
    }
    return "new";
  }

  add(to: Map<string, Kept>, name: string, kept: Kept): void {
    const [userId] = name.split("/");
    for (const [known, { time }] of this.accepted) if (kept.time - time >= DAY_MS) this.accepted.delete(known);
    this.accepted.delete(name);
    this.rejected.delete(name);
    to.set(name, kept);
    const ofUser = [...to.keys()].filter((known) => known.startsWith(`${userId}/`));
    const most = to === this.accepted ? this.mostAccepted : MAX_REJECTED;
    if (ofUser.length > most) to.delete(ofUser[0]!);
  }
}

/** Asks for every operation that the plain log has. Returns how many answers were repeated. */
function compareAll(log: OperationLog, plain: PlainLog, now: number): number {
  let repeats = 0;
  for (const [name, { fingerprint }] of [...plain.accepted, ...plain.rejected]) {
    const [userId = "", ...operationId] = name.split("/");
    const found = log.find(userId, operationId.join("/"), fingerprint, now);
    if (found.kind === "repeat") repeats += 1;
    expect(found.kind === "repeat" ? JSON.stringify(found.answer) : found.kind)
      .toBe(plain.find(name, fingerprint, now));
  }
  return repeats;
}

/** What a journal keeps of a log: each file has the operations from the end of the one before. */
class SavedLog {
  #files: OperationsPart[][] = [];
  #until = -Infinity;

  save(log: OperationLog, now: number, merges: boolean): void {
    if (merges) [this.#files, this.#until] = [[], -Infinity];
    this.#files.push(JSON.parse(JSON.stringify([...log.checkpoint(this.#until)])));
    this.#until = now;
  }

  restored(log: OperationLog, mostAccepted: number): OperationLog {
    const other = new OperationLog([3, 4], mostAccepted);
    other.restoreNames(JSON.parse(JSON.stringify(log.names())));
    for (const part of this.#files.flat()) other.restore(part);
    return other;
  }
}

function restored(log: OperationLog, mostAccepted: number): OperationLog {
  const saved = new SavedLog();
  saved.save(log, 0, true);
  return saved.restored(log, mostAccepted);
}

describe("the operation log", () => {
  test("answers as a plain one does, byte for byte, also after restores", () => {
    const mostAccepted = 12;
    let repeats = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        let log = new OperationLog(KEY, mostAccepted);
        const plain = new PlainLog(mostAccepted);
        const saved = new SavedLog();
        let now = START;
        for (const step of steps) {
          if (step.kind === "wait") now += step.ms;
          else if (step.kind === "restart") {
            saved.save(log, now, step.merges);
            log = saved.restored(log, mostAccepted);
            repeats += compareAll(log, plain, now);
          } else {
            const { userId, operationId, fingerprint } = step;
            const name = `${userId}/${operationId}`;
            const found = log.find(userId, operationId, fingerprint, now);
            const expected = plain.find(name, fingerprint, now);
            expect(found.kind === "repeat" ? JSON.stringify(found.answer) : found.kind).toBe(expected);
            if (found.kind !== "new") continue;
            const outcome = (step.kind === "order"
              ? confirmed(orderAt(step.order, now, operationId))
              : step.answer) as OperationOutcome;
            const answer = JSON.stringify(answerTo(operationId, outcome));
            const kept = { fingerprint, answer, time: now };
            if (step.kind === "reject") {
              log.rememberRejection(userId, operationId, fingerprint, outcome as Omit<Answer, "operationId">, now);
              plain.add(plain.rejected, name, kept);
            } else {
              log.remember(userId, operationId, fingerprint, outcome, now);
              plain.add(plain.accepted, name, kept);
            }
          }
        }
        repeats += compareAll(log, plain, now);
      }),
      { numRuns: size(50, 5_000) },
    );
    expect(repeats).toBeGreaterThan(size(250, 1_000));
  });

  const outcomeOf = (count: number) => ({ status: "ok" as const, result: { count, note: "“größer”" } });
  const printOf = (count: number) => ({ high: count, low: 7 });

  /** A log of operations of one user, a millisecond apart. */
  function filledLog(operations: number, mostAccepted?: number): OperationLog {
    const log = new OperationLog(KEY, mostAccepted);
    for (let at = 0; at < operations; at++) log.remember("user", `op-${at}`, printOf(at), outcomeOf(at), at);
    return log;
  }

  test("keeps every operation of 24 hours with its whole answer, over many pages", () => {
    const count = size(5_000, 1_200_000);
    const log = filledLog(count);
    const oldest = Math.max(0, count - 1_000_000);
    for (const each of [log, restored(log, 1_000_000)]) {
      for (let at = 0; at < count; at += size(7, 999)) {
        const found = each.find("user", `op-${at}`, printOf(at), DAY_MS - 1);
        if (at < oldest) expect(found.kind).toBe("new");
        else expect(found).toEqual({ kind: "repeat", answer: { operationId: `op-${at}`, ...outcomeOf(at) } });
        if (at >= oldest) expect(each.find("user", `op-${at}`, printOf(at + 1), DAY_MS - 1).kind).toBe("conflict");
      }
      expect(each.find("other", "op-0", printOf(0), 3000).kind).toBe("new");
    }
  });

  test("forgets each operation after exactly 24 hours, and the oldest above its limit", () => {
    const log = filledLog(3000, 2500);
    for (const at of [500, 1000, 2998, 2999]) {
      expect(log.find("user", `op-${at}`, printOf(at), at + DAY_MS - 1).kind).toBe("repeat");
      expect(log.find("user", `op-${at}`, printOf(at), at + DAY_MS).kind).toBe("new");
    }
    expect(log.find("user", "op-499", printOf(499), 3000).kind).toBe("new");
    log.remember("user", "op-1000", printOf(1), outcomeOf(1), DAY_MS + 1500);
    expect(log.find("user", "op-1000", printOf(1), DAY_MS + 1500).kind).toBe("repeat");
    expect(log.find("user", "op-2000", printOf(2000), DAY_MS + 1500).kind).toBe("repeat");
  });

  test("frees the memory of forgotten operations", () => {
    const log = filledLog(3000);
    expect(bytesOf(log)).toBeGreaterThan(100_000);
    log.remember("user", "late", printOf(0), outcomeOf(0), 2 * DAY_MS);
    expect(bytesOf(log)).toBeLessThan(200);
  });

  test("keeps an operation in at most 100 bytes if its id is a UUID and it confirms an order", () => {
    const log = new OperationLog(KEY);
    const count = 5_000;
    const contracts = Array.from({ length: 20 }, (_, serial) => contractOf(40_000 + serial));
    const uuid = (of: number) => `4f9d2c1a-7b3e-4d5f-8a6b-${String(of).padStart(12, "0")}`;
    for (let at = 0; at < count; at++) {
      const drawn = {
        price: -5000 - at,
        quantity: 25_000,
        status: "partial" as const,
        closeReason: null,
        side: 1 as const,
      };
      const filled: [number, number] = [10_000, 10_000 * drawn.price];
      const terms = {
        ...drawn,
        filled,
        timeInForce: "gtc" as const,
        user: { number: 1, id: "user-1" } as UserState,
        createdAgo: 60_000,
        updatedAgo: 0,
      };
      const entity = { party: 1, definition: { id: "ENTITY-1" } } as EntityState;
      const contract = contracts[at % contracts.length]!;
      const [id, key] = [uuid(at), 10_000_001 + 2 * at];
      // Half of them cancel an order that another operation has created.
      const order = orderAt(
        { ...terms, key, entity, contract, clientOrderId: at % 2 === 0 ? uuid(at + count) : id },
        at,
        id,
      );
      log.remember("user-1", id, printOf(at), confirmed(order), at);
    }
    const indexBytes = 8 / 0.375;
    expect(bytesOf(log) / count + indexBytes).toBeLessThan(100);
  });
});

/** Bytes of the operations, without the index over them. */
function bytesOf(log: OperationLog): number {
  const pages = [...log.checkpoint(-Infinity)].flatMap((part) => part.pages);
  return pages.reduce((sum, { columns, bytes }) => sum + columns.length + bytes.length, 0) * 3 / 4;
}

describe("ids with equal hashes", () => {
  class OneHash extends KeyedHash {
    override of(): number {
      return 7;
    }
  }

  test("are never confused, also if all of them have one", () => {
    const ids = fc.array(fc.string({ unit: codePoint, minLength: 1, maxLength: 3 }), { maxLength: 60, size: "max" });
    fc.assert(fc.property(ids, ids, (added, asked) => {
      const ring = new OperationRing(new OneHash(KEY));
      const times = new Map<string, number>();
      for (const [time, id] of added.entries()) {
        ring.remove(id);
        ring.add(id, ANY_CONTENT, time).byte(0);
        times.set(id, time);
        if (time % 3 === 2) {
          for (const [oldest, at] of times) if (at === ring.oldestTime) times.delete(oldest);
          ring.forgetOldest();
        }
      }
      for (const id of [...added, ...asked]) {
        const operation = ring.find(id);
        expect(operation === null ? undefined : ring.timeOf(operation)).toBe(times.get(id));
      }
    }));
  });

  test("exist among a few hundred thousand ids, and each finds its own operation", () => {
    const hash = new KeyedHash([0, 0]);
    const byHash = new Map<number, string>();
    const pairs: [string, string][] = [];
    for (let count = 0; count < 300_000; count++) {
      const id = `op-${count}`;
      const other = byHash.get(hash.of(id));
      if (other !== undefined) pairs.push([other, id]);
      byHash.set(hash.of(id), id);
    }
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.length).toBeLessThan(60);
    const ring = new OperationRing(hash);
    for (const [at, [one, other]] of pairs.entries()) {
      ring.add(one, ANY_CONTENT, 2 * at).byte(0);
      expect(ring.find(other)).toBeNull();
      ring.add(other, ANY_CONTENT, 2 * at + 1).byte(0);
    }
    for (const [at, pair] of pairs.entries()) {
      expect(pair.map((id) => ring.timeOf(ring.find(id)!))).toEqual([2 * at, 2 * at + 1]);
    }
  });

  test("under one key differ under another", () => {
    const ids = Array.from({ length: 100_000 }, (_, count) => `op-${count}`);
    const sameUnder = (key: HashKey) => {
      const hash = new KeyedHash(key);
      return ids.filter((id) => hash.of(id) % 2 ** 10 === 0);
    };
    const chosen = new Set(sameUnder([5, 6]));
    expect(chosen.size).toBeGreaterThan(50);
    // Two independent hashes share a thousandth of them.
    expect(sameUnder([7, 6]).filter((id) => chosen.has(id)).length).toBeLessThan(5);
  });
});

test("pages of a ring keep operations that are far apart in time, and long records", () => {
  const ring = new OperationRing(new KeyedHash(KEY));
  const long = "x".repeat(100_000);
  const times = [START, START + 5, START + 2 ** 32 + 5, START + 2 ** 33, START + 2 ** 33, START + 1];
  for (const [at, time] of times.entries()) ring.add(`op-${at}`, ANY_CONTENT, time).text(`${at}${long}`);
  const saved: SavedPage[] = [...ring.save(-Infinity)];
  const other = new OperationRing(new KeyedHash([8, 9]));
  for (const page of saved) other.restore(page);
  for (const each of [ring, other]) {
    for (const [at, time] of times.entries()) {
      const operation = each.find(`op-${at}`)!;
      expect(each.timeOf(operation)).toBe(time);
      expect(each.recordOf(operation).text()).toBe(`${at}${long}`);
    }
  }
});

function answerTo(operationId: string, outcome: OperationOutcome): Answer {
  if (!("order" in outcome)) return { operationId, ...outcome };
  return { operationId, status: "ok", result: { order: orderModule(outcome.order) } };
}
