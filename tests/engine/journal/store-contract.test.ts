import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { JournalRecord, JournalStore, NewCheckpoint } from "../../../engine/journal/journal.ts";
import { MemoryDisk, MemoryJournal } from "../support/memory-journal.ts";
import { newCheckpoint } from "../support/checkpoints.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";
import { atEnd } from "../../support/at-end.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

/** Each makes a new disk, and returns how to open a store on it. */
const STORES: Record<string, () => () => JournalStore> = {
  MemoryJournal: () => {
    const disk = new MemoryDisk();
    return () => new MemoryJournal(disk);
  },
  SqliteJournal: () => {
    const directory = join(temporaryDirectory(), "deeper");
    return () => SqliteJournal.open(directory);
  },
};

function records(from: number, to: number): JournalRecord[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({ number: from + at, text: `"récord ${from + at} 📈"` }));
}

/** A new journal with the records up to `to`, each in a commit of its own. */
function begun(open: () => JournalStore, to: number): JournalStore {
  const store = open();
  store.create(HEADER);
  for (const record of records(1, to)) {
    store.append([record]);
    store.sync();
  }
  return store;
}

function replaceUpTo(store: JournalStore, checkpoint: NewCheckpoint): void {
  store.useCheckpoint(store.writeCheckpoint(checkpoint));
  while (store.deleteReplaced());
}

function contentOf(store: JournalStore) {
  const loaded = store.load();
  if (loaded === null) return null;
  const { checkpoint, ...rest } = loaded;
  return {
    ...rest,
    checkpoint: checkpoint && { upTo: checkpoint.upTo, parts: [...checkpoint.parts] },
    records: [...loaded.records],
  };
}

describe.each(Object.entries(STORES))("%s", (_, makePlace) => {
  function place() {
    const openStore = makePlace();
    return () => {
      const store = openStore();
      atEnd(() => store.close());
      return store;
    };
  }

  test("is new until it is created, then has its header, and refuses a record with the wrong number", () => {
    const open = place();
    const store = open();
    expect(store.load()).toBeNull();
    store.create(HEADER);
    expect(() => store.append(records(2, 2))).toThrow(/record 2 can't follow record 0/);
    store.close();
    expect(contentOf(open())).toEqual({
      header: HEADER,
      checkpoint: null,
      records: [],
      lastNumber: 0,
      tornWrite: null,
    });
  });

  test("keeps synced records in order, over pages and restarts", () => {
    const open = place();
    let store = open();
    store.create(HEADER);
    for (const [from, to] of [[1, 3], [4, 1500], [1501, 2500]] as const) {
      store.append(records(from, to));
      store.sync();
      store.close();
      store = open();
      expect(contentOf(store)).toMatchObject({ records: records(1, to), lastNumber: to, tornWrite: null });
    }
  });

  test("loses records that were not synced, and continues after the last synced one", () => {
    const open = place();
    const store = begun(open, 2);
    store.append(records(3, 4));
    store.close();
    const next = open();
    expect(contentOf(next)?.records).toEqual(records(1, 2));
    next.append(records(3, 3));
    next.sync();
    next.close();
    expect(contentOf(open())?.records).toEqual(records(1, 3));
  });

  test("keeps the newest checkpoint and the records after it", () => {
    const open = place();
    const store = begun(open, 10);
    replaceUpTo(store, newCheckpoint(10, ["old", "checkpoint"]));
    store.append(records(11, 20));
    store.sync();
    replaceUpTo(store, newCheckpoint(20, ["one", "two"]));
    store.append(records(21, 22));
    store.sync();
    store.close();
    expect(contentOf(open())).toEqual({
      header: HEADER,
      checkpoint: { upTo: 20, parts: ["one", "two"] },
      records: records(21, 22),
      lastNumber: 22,
      tornWrite: null,
    });
  });

  test("continues the numbers after a checkpoint without later records", () => {
    const open = place();
    const store = begun(open, 5);
    replaceUpTo(store, newCheckpoint(5, []));
    store.close();
    const next = open();
    expect(contentOf(next)).toMatchObject({ lastNumber: 5, records: [] });
    next.append(records(6, 6));
    next.sync();
  });
});
