// Deliberate faults of the engine that the simulation must find. A fault replaces a method of a real part during a run, or
// wraps the simulated journal in a faulty one. The product contains none of this code.

import type { EngineUser } from "../../../engine/api/market-engine.ts";
import { OperationLog } from "../../../engine/operations/operation-log.ts";
import { Engine } from "../../../engine/engine.ts";
import { DeadlineTimer } from "../../../engine/server/host/deadline-timer.ts";
import { EventHistory } from "../../../engine/server/publication/event-history.ts";
import { CancelOnDisconnectOrders } from "../../../engine/server/host/cancel-on-disconnect.ts";
import { SendQueue } from "../../../engine/server/connections/send-queue.ts";
import { VisibilityClasses } from "../../../engine/server/publication/visibility-class.ts";
import { JournalWriter } from "../../../engine/journal/journal-writer.ts";
import type { JournalStore, LoadedJournal } from "../../../engine/journal/journal.ts";
import { CreditLedger } from "../../../engine/market/credit-ledger.ts";
import { NO_SLOT, type Side } from "../../../engine/market/order-book.ts";
import { PriceTimeBook } from "../../../engine/market/price-time-book.ts";
import type { SimulatedDisk, SimulatedJournal } from "./disk.ts";
import type { SimulationOptions } from "./simulation.ts";

/** Breaks a part of the engine, and returns a function that repairs it. */
type BreakPart = () => () => void;

export interface Fault {
  /** What is wrong, as a sentence. */
  readonly name: string;
  readonly breakPart?: BreakPart;
  readonly journal?: SimulationOptions["journal"];
}

/** Runs `work` with a fault in place. */
export async function withFault<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> {
  const repair = fault.breakPart?.();
  try {
    return await work();
  } finally {
    repair?.();
  }
}

export const FAULTS: readonly Fault[] = [
  {
    name: "An operationId is forgotten as soon as it is answered",
    breakPart: replacing(OperationLog.prototype, "find", () => () => ({ kind: "new" })),
  },
  {
    name: "An operationId with other content gets the first answer",
    breakPart: replacing(
      OperationLog.prototype,
      "find",
      (find) =>
        function (this: OperationLog, userId, operationId, fingerprint, now) {
          const known = find.call(this, userId, operationId, fingerprint, now);
          return known.kind === "conflict" ? { kind: "new" } : known;
        },
    ),
  },
  {
    name: "An answer is sent before its command is synced",
    breakPart: replacing(JournalWriter.prototype, "commit", (commit) => {
      const behind = new WeakSet<JournalWriter>();
      return function (this: JournalWriter) {
        if (behind.delete(this)) commit.call(this);
        else behind.add(this);
      };
    }),
  },
  {
    name: "The disk reports a sync that it has not done",
    journal: (journal) => {
      const afterSync = <Result>(work: () => Result) => {
        journal.sync();
        return work();
      };
      return lying(journal, {
        sync: () => {},
        recordsAfter: (after) => afterSync(() => journal.recordsAfter(after)),
        writeCheckpoint: (checkpoint) => afterSync(() => journal.writeCheckpoint(checkpoint)),
      });
    },
  },
  {
    name: "A disk failure is ignored",
    journal: (journal) => {
      const ignoringFailure = (work: () => void) => {
        try {
          work();
        } catch (error) {
          if (!String(error).includes("the disk failed") && !String(error).includes("closed")) throw error;
        }
      };
      return lying(journal, {
        append: (records) => ignoringFailure(() => journal.append(records)),
        sync: () => ignoringFailure(() => journal.sync()),
        useCheckpoint: (checkpoint) => ignoringFailure(() => journal.useCheckpoint(checkpoint)),
        deleteReplaced: () => {
          ignoringFailure(() => void journal.deleteReplaced());
          return false;
        },
      });
    },
  },
  {
    name: "The whole record before a torn one is cut off too",
    journal: (journal) =>
      lying(journal, {
        load: () => {
          const loaded = journal.load();
          return loaded === null || loaded.tornWrite === null
            ? loaded
            : { ...loaded, records: [...loaded.records].slice(0, -1) };
        },
      }),
  },
  {
    name: "A torn record is accepted as whole",
    journal: (journal, disk) => lying(journal, { load: () => withTornRecord(journal, disk) }),
  },
  {
    name: "Records that a checkpoint already holds are applied again",
    journal: (journal, disk) => lying(journal, { load: () => withRecordsOfCheckpoint(journal.load(), disk) }),
  },
  {
    name: "A checkpoint leaves out the operations",
    breakPart: replacing(Engine.prototype, "rememberedOperations", () => () => []),
  },
  {
    name: "A checkpoint leaves out the orders' maxNotional",
    breakPart: changingCheckpoint("orders", (order) => order.with(MAX_NOTIONAL, null)),
  },
  {
    name: "A checkpoint leaves out the entities' net quantities",
    breakPart: changingCheckpoint("entityPositions", (position) => position.with(NET_QUANTITY, 0)),
  },
  {
    name: "A checkpoint leaves out which orders have cancelOnDisconnect",
    breakPart: replacing(CancelOnDisconnectOrders.prototype, "all", () => () => []),
  },
  {
    name: "Scheduled changes are not written to the journal",
    breakPart: replacing(JournalWriter.prototype, "append", (append) =>
      function (this: JournalWriter, call) {
        if (call.kind !== "advance") append.call(this, call);
      }),
  },
  {
    name: "Scheduled changes wait for the next request",
    breakPart: replacing(DeadlineTimer.prototype, "set", () => () => {}),
  },
  {
    name: "The number of the newest event is not restored from a checkpoint",
    breakPart: changingCheckpoint("numbers", (numbers) => ({ ...numbers, sequence: numbers.epoch })),
  },
  {
    name: "Each start begins a new epoch",
    journal: (journal, disk) =>
      lying(journal, {
        load: () => {
          const loaded = journal.load();
          if (loaded === null || disk.header === null) return loaded;
          disk.header = { ...disk.header, epoch: disk.header.epoch + 1_000_000_000 };
          return { ...loaded, header: disk.header };
        },
      }),
  },
  {
    name: "Credit is checked on the resting side only",
    breakPart: replacing(
      CreditLedger.prototype,
      "availableCreditIn",
      (availableCreditIn) =>
        function (this: CreditLedger, contract) {
          const available = availableCreditIn.call(this, contract);
          return (party, counterparty, price) => {
            if (party === counterparty) return 0;
            const limits = [...this.limits(counterparty, party)];
            const documentation = this.documentation(counterparty, party);
            this.replaceLimits(counterparty, party, [{
              limitType: "mw",
              contract: null,
              limit: 1e6,
              marginPercent: 100,
            }]);
            this.setDocumentation(counterparty, party, "docs_in_place");
            const oneSided = available(party, counterparty, price);
            this.replaceLimits(counterparty, party, limits);
            this.setDocumentation(counterparty, party, documentation);
            return oneSided;
          };
        },
    ),
  },
  {
    name: "A request is executed after its validUntil",
    breakPart: replacing(Engine.prototype, "execute", (execute) =>
      function (this: Engine, request, now) {
        return execute.call(this, { ...request, validUntil: undefined }, now);
      }),
  },
  {
    name: "Time priority is reversed within a price level",
    breakPart: together(
      replacing(PriceTimeBook.prototype, "first", (first) =>
        function (this: PriceTimeBook, side) {
          return isWalking ? first.call(this, side) : walkOf(this, side)[0] ?? NO_SLOT;
        }),
      replacing(PriceTimeBook.prototype, "next", (next) =>
        function (this: PriceTimeBook, slot) {
          if (isWalking) return next.call(this, slot);
          const walk = walkOf(this, this.sideOf(slot));
          return walk[walk.indexOf(slot) + 1] ?? NO_SLOT;
        }),
    ),
  },
  {
    name: "A resuming connection misses the first event",
    breakPart: replacing(EventHistory.prototype, "after", (after) =>
      function* (this: EventHistory, sequence, newest) {
        let skipped = false;
        for (const message of after.call(this, sequence, newest)) {
          if (message.kind === "gap" || skipped) yield message;
          else skipped = true;
        }
      }),
  },
  {
    name: "Events that can't be sent again are not announced as a gap",
    breakPart: replacing(EventHistory.prototype, "after", (after) =>
      function* (this: EventHistory, sequence, newest) {
        for (const message of after.call(this, sequence, newest)) if (message.kind !== "gap") yield message;
      }),
  },
  {
    name: "A slow consumer loses frames",
    breakPart: replacing(SendQueue.prototype, "add", (add) =>
      function (this: SendQueue, frame) {
        if (this.socket.getBufferedAmount() === 0) add.call(this, frame);
      }),
  },
  {
    name: "Every user is sent everyone's credit",
    breakPart: replacing(
      VisibilityClasses.prototype,
      "of",
      (of) =>
        function (this: VisibilityClasses, viewer) {
          return of.call(this, seeingAll(viewer));
        },
    ),
  },
  {
    name: "cancelOnDisconnect is ignored when a connection ends",
    breakPart: releasing((owner) => owner === null),
  },
  {
    name: "cancelOnDisconnect is ignored at a restart",
    breakPart: releasing((owner) => owner !== null),
  },
];

/** Replaces a method of a prototype. */
function replacing<Part extends object, Name extends keyof Part>(
  part: Part,
  name: Name,
  replacement: (original: Part[Name]) => Part[Name],
): BreakPart {
  return () => {
    const original = part[name];
    part[name] = replacement(original);
    return () => {
      part[name] = original;
    };
  };
}

type Items = { orders: readonly unknown[]; entityPositions: readonly unknown[]; numbers: { readonly epoch: number } };

/** Index of maxNotional in a checkpointed order. */
const MAX_NOTIONAL = 4;

/** Index of the net quantity in a checkpointed position. */
const NET_QUANTITY = 2;

/** Changes the items of one section in every checkpoint. */
function changingCheckpoint<Section extends keyof Items>(
  section: Section,
  change: (item: Items[Section]) => unknown,
): BreakPart {
  return replacing(Engine.prototype, "checkpoint", (checkpoint) =>
    function (this: Engine) {
      return [...checkpoint.call(this)].map((part) => {
        if (part.kind !== "state") return part;
        const sections = part.sections.map(([name, items]) =>
          [name, name === section ? items.map((item) => change(item as never)) : items] as never
        );
        return { ...part, sections };
      });
    });
}

function together(...faults: BreakPart[]): BreakPart {
  return () => {
    const repairs = faults.map((breakPart) => breakPart());
    return () => repairs.forEach((repair) => repair());
  };
}

function seeingAll<User extends Pick<EngineUser, "permissions">>(user: User): User {
  return { ...user, permissions: new Set([...user.permissions, "Scope.Global"]) };
}

function lying(journal: SimulatedJournal, lies: Partial<JournalStore>): JournalStore {
  return {
    load: () => journal.load(),
    create: (header) => journal.create(header),
    append: (records) => journal.append(records),
    sync: () => journal.sync(),
    recordsAfter: (after) => journal.recordsAfter(after),
    writeCheckpoint: (checkpoint) => journal.writeCheckpoint(checkpoint),
    useCheckpoint: (checkpoint) => journal.useCheckpoint(checkpoint),
    deleteReplaced: () => journal.deleteReplaced(),
    removeReplacedFile: () => journal.removeReplacedFile(),
    close: () => journal.close(),
    ...lies,
  };
}

/** Loads the torn record without a look at its checksum, and leaves it on the disk. */
function withTornRecord(journal: SimulatedJournal, disk: SimulatedDisk): LoadedJournal | null {
  const torn = disk.records.find((record) => record.torn);
  const loaded = journal.load();
  if (torn === undefined || loaded === null) return loaded;
  disk.records.push(torn);
  return { ...loaded, records: [...loaded.records, torn], lastNumber: torn.number, tornWrite: null };
}

function withRecordsOfCheckpoint(loaded: LoadedJournal | null, disk: SimulatedDisk): LoadedJournal | null {
  if (loaded === null || loaded.checkpoint === null) return loaded;
  const { upTo } = loaded.checkpoint;
  return { ...loaded, records: [...disk.history.filter(({ number }) => number <= upTo), ...loaded.records] };
}

let isWalking = false;

/** The slots of a side, the best level first, within a level the youngest first. */
function walkOf(book: PriceTimeBook, side: Side): number[] {
  isWalking = true;
  const levels: number[][] = [];
  for (let slot = book.first(side); slot !== NO_SLOT; slot = book.next(slot)) {
    const level = levels.at(-1);
    if (level === undefined || book.priceOf(level[0] ?? NO_SLOT) !== book.priceOf(slot)) levels.push([slot]);
    else level.unshift(slot);
  }
  isWalking = false;
  return levels.flat();
}

/** Cancels only the orders of some owners. */
function releasing(isReleased: (owner: unknown) => boolean): BreakPart {
  return replacing(
    CancelOnDisconnectOrders.prototype,
    "takeOrdersOf",
    (takeOrdersOf) =>
      function (this: CancelOnDisconnectOrders<unknown>, owner) {
        const orderIds = takeOrdersOf.call(this, owner);
        return isReleased(owner) ? orderIds : [];
      },
  );
}
