// What holds for every journal store; a store is opened again as after a stop, or as after a kill.

import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalRecord, JournalStore } from "../../../sim/journal/journal.ts";
import { MemoryDisk, MemoryJournal } from "../../../sim/journal/memory-journal.ts";
import { SqliteJournal } from "../../../sim/journal/sqlite-journal.ts";
import { EPOCH, smallMarket, START } from "../support/market.ts";

const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: smallMarket() };

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

/** Each gives a function that opens a store where the last one was. */
const STORES: Record<string, () => () => JournalStore> = {
  MemoryJournal: () => {
    const disk = new MemoryDisk();
    return () => new MemoryJournal(disk);
  },
  SqliteJournal: () => {
    const directory = mkdtempSync(join(tmpdir(), "mkt-journal-"));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    return () => SqliteJournal.open(join(directory, "deeper"));
  },
};

function records(from: number, to: number): JournalRecord[] {
  return Array.from({ length: to - from + 1 }, (_, at) => ({ number: from + at, text: `"récord ${from + at} 📈"` }));
}

function contentOf(store: JournalStore) {
  const loaded = store.load();
  if (loaded === null) return null;
  const { image, ...rest } = loaded;
  return {
    ...rest,
    image: image && { upTo: image.upTo, parts: [...image.parts] },
    records: [...loaded.records],
  };
}

describe.each(Object.keys(STORES))("%s", (name) => {
  function place(): () => JournalStore {
    const open = STORES[name]?.();
    if (open === undefined) throw new Error(`no store ${name}`);
    return () => {
      const store = open();
      cleanups.push(() => store.close());
      return store;
    };
  }

  test("is new until it is created, and then has its header", () => {
    const open = place();
    const store = open();
    expect(store.load()).toBeNull();
    store.create(HEADER);
    store.close();
    expect(contentOf(open())).toEqual({
      header: HEADER,
      image: null,
      records: [],
      lastNumber: 0,
      cut: null,
    });
  });

  test("keeps what was synced, in order, over pages and restarts", () => {
    const open = place();
    let store = open();
    store.create(HEADER);
    for (const [from, to] of [[1, 3], [4, 1500], [1501, 2500]] as const) {
      store.append(records(from, to));
      store.sync();
      store.close();
      store = open();
      expect(contentOf(store)).toMatchObject({ records: records(1, to), lastNumber: to, cut: null });
    }
  });

  test("loses what was not synced, and goes on after it", () => {
    const open = place();
    const store = open();
    store.create(HEADER);
    store.append(records(1, 2));
    store.sync();
    store.append(records(3, 4));
    store.close();
    const next = open();
    expect(contentOf(next)?.records).toEqual(records(1, 2));
    next.append(records(3, 3));
    next.sync();
    next.close();
    expect(contentOf(open())?.records).toEqual(records(1, 3));
  });

  test("takes no record out of its place", () => {
    const store = place()();
    store.create(HEADER);
    expect(() => store.append(records(2, 2))).toThrow(/record 2 can't follow record 0/);
  });

  test("has the newest image, and the records after it", () => {
    const open = place();
    const store = open();
    store.create(HEADER);
    store.append(records(1, 10));
    store.sync();
    store.saveImage({ upTo: 10, parts: ["old", "image"] });
    store.append(records(11, 20));
    store.sync();
    store.saveImage({
      upTo: 20,
      parts: (function* () {
        yield "one";
        yield "two";
      })(),
    });
    store.append(records(21, 22));
    store.sync();
    store.close();
    expect(contentOf(open())).toEqual({
      header: HEADER,
      image: { upTo: 20, parts: ["one", "two"] },
      records: records(21, 22),
      lastNumber: 22,
      cut: null,
    });
  });

  test("goes on counting after an image with no record behind it", () => {
    const open = place();
    const store = open();
    store.create(HEADER);
    store.append(records(1, 5));
    store.sync();
    store.saveImage({ upTo: 5, parts: [] });
    store.close();
    const next = open();
    expect(contentOf(next)).toMatchObject({ lastNumber: 5, records: [] });
    next.append(records(6, 6));
    next.sync();
  });
});
