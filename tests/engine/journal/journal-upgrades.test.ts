// A journal of an earlier format, which is made up (fixtures/made-up-format.ts), is upgraded to the market of which the
// version spoke that wrote it, whenever the process that upgrades ends. The journal was recorded from a real engine
// (fixtures/README.md).

import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import { SqliteAuditStore } from "../../../engine/audit/sqlite-audit-store.ts";
import type { EngineRequest } from "../../../engine/api/market-engine.ts";
import type { Engine } from "../../../engine/engine.ts";
import { inspectJournal } from "../../../engine/journal/inspect-journal.ts";
import { FORMAT_VERSION } from "../../../engine/journal/journal-tables.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { upgradeJournal, type UpgradeStep } from "../../../engine/journal/upgrades/journal-upgrades.ts";
import { isUpgradeDecided } from "../../../engine/journal/upgrades/upgrade-files.ts";
import { upgradeDirectory, upgradeStages } from "../../../engine/server/recovery/directory-upgrade.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import type { Said } from "./fixtures/fixture.ts";
import {
  contentOf,
  earlier,
  type Given,
  MADE_UP_FORMAT,
  MADE_UP_STEPS,
  present,
  upgrade,
} from "./fixtures/made-up-format.ts";

const LOG = logger("test");

/** A directory's market, as a start finds it. */
function open<Result>({ directory, said }: Given, look: (engine: Engine, write: Write) => Result): Result {
  const now = () => Date.parse(said.time);
  const store = SqliteJournal.open(directory);
  const audit = SqliteAuditStore.open(directory, { now });
  try {
    const header = () => {
      throw new Error("there is no journal");
    };
    const { engine, journal, leftOrders } = recoverEngine({ store, audit, header, secret: said.secret, now, log: LOG });
    journal.commit();
    expect(leftOrders).toEqual([]);
    expect(audit.after(0, said.audit.length)).toMatchObject(said.audit as never);
    return look(engine, (request) => {
      const { response, audit: lines } = engine.execute(request, now());
      journal.append({ kind: "execute", ...request, cancelOnDisconnect: false, now: now() });
      journal.commit();
      audit.record(lines);
      return response?.status;
    });
  } finally {
    audit.close();
    store.close();
  }
}

type Write = (request: EngineRequest) => string | undefined;

function modulesOf(engine: Engine): Record<string, unknown> {
  const messages = [...engine.snapshot(engine.now)].map(({ text }) => JSON.parse(text));
  return Object.fromEntries(messages.map(({ statePath, state }) => [statePath, state]));
}

/** The modules as the earlier version said them, without what passes with time. */
function expectMarket(engine: Engine, { modules, positions }: Said): void {
  const actual = modulesOf(engine);
  expect(Object.keys(actual).sort()).toEqual(Object.keys(modules).sort());
  for (const [path, { currentTime: _, ...module }] of Object.entries(modules)) {
    // A module may have got more fields.
    expect({ path, ...actual[path] as object }).toMatchObject({ path, ...module });
  }
  for (const [entityId, said] of Object.entries(positions)) {
    const { asOf: _, ...position } = said;
    expect(engine.positions(entityId, engine.now)).toMatchObject(position);
  }
}

/** Clients that resume are told of a gap, and get all numbers above those that were ever sent. */
function expectNewEpoch(engine: Engine, { epoch, sequence }: Said): void {
  expect(engine.epoch).toBeGreaterThan(Math.max(epoch, sequence));
}

/** Each operation's first answer again. */
function expectAnswers(engine: Engine, { exchanges }: Said): void {
  const seen = new Set<string>();
  for (const { userId, operationId, action, payload, response } of exchanges) {
    const isFirst = !seen.has(userId + operationId);
    seen.add(userId + operationId);
    // What did not parse is not remembered. The secret's digest is another one in each epoch.
    if (!isFirst || response["code"] === "invalid_payload" || action === "dev.reset") continue;
    const { response: answer } = engine.execute({ userId, operationId, action, payload } as EngineRequest, engine.now);
    const { result, order, ...rest } = answer ?? {};
    const parsed = order === undefined ? result && JSON.parse(result) : { order: JSON.parse(order) };
    expect({ ...rest, ...(parsed && { result: parsed }) }).toMatchObject(response as never);
  }
}

describe("A journal of an earlier format", () => {
  test("is upgraded to the market that was confirmed, which goes on", () => {
    const given = earlier();
    const { directory, said } = given;
    const before = contentOf(directory);
    upgrade(given);
    expectKept(directory, before);
    const trades = open(given, (engine, write) => {
      expectMarket(engine, said);
      expectNewEpoch(engine, said);
      expectAnswers(engine, said);
      const order = { contractId: "north-base-2099", price: 5000, quantity: 1 };
      const submit = (userId: string, side: number, operationId: string) =>
        write({ userId, operationId, action: "order.submit", payload: { ...order, side } });
      expect([submit("anna", 1, "after-1"), submit("bert", 0, "after-2")]).toEqual(["ok", "ok"]);
      return Object.keys(modulesOf(engine)).filter((path) => path.startsWith("/TRADE/"));
    });
    const traded = Object.keys(said.modules).filter((path) => path.startsWith("/TRADE/"));
    expect(trades.length).toBe(traded.length + 1);
    upgrade(given);
    open(given, (engine) => {
      expect(Object.keys(modulesOf(engine)).filter((path) => path.startsWith("/TRADE/"))).toEqual(trades);
      expectAnswers(engine, said);
    });
  });

  test("with an incomplete last write is upgraded without it, and the plan says so", () => {
    const given = earlier();
    const log = join(given.directory, "journal.sqlite-wal");
    const bytes = readFileSync(log);
    const [header, frame] = [32, 24 + 4096];
    // The next frame, which a power failure cut off.
    writeFileSync(log, Buffer.concat([bytes, bytes.subarray(header, header + 1000)]));
    expect((bytes.length - header) % frame).toBe(0);
    const stages = upgradeStages(given.directory, () => Date.parse(given.said.time), MADE_UP_STEPS);
    let stage = stages.next();
    while (stage.done !== true) stage = stages.next();
    expect(stage.value?.tornWrite).toEqual({
      after: (stage.value?.lastNumber ?? 0) - 1,
      reason: "1000 bytes of an incomplete last write in journal.sqlite-wal",
    });
    open(given, (engine) => expectMarket(engine, given.said));
  });

  test("gets event numbers far above those that were sent, even if the clock is wrong", () => {
    const given = earlier();
    upgradeDirectory(given.directory, { now: () => 0, log: LOG, steps: MADE_UP_STEPS });
    // Under other rules a call may cause fewer events than the earlier engine has sent.
    open(given, (engine) => expect(engine.epoch).toBeGreaterThan(given.said.sequence + 1_000_000));
  });

  test("is whole after a kill at any stage of its upgrade, and the next start ends it", () => {
    const { directory: original, said } = earlier();
    const now = () => Date.parse(said.time);
    const names: string[] = [];
    for (let count = 1;; count++) {
      const directory = temporaryDirectory();
      cpSync(original, directory, { recursive: true });
      const stages = upgradeStages(directory, now, MADE_UP_STEPS);
      let last = stages.next();
      for (let done = 1; done < count && last.done !== true; done++) last = stages.next();
      if (last.done === true) break;
      stages.return(null);
      names.push(last.value);
      const isDecided = isUpgradeDecided(directory);
      // Before, the old journal is as it was. From then on it is for the upgrade alone to end.
      if (!isDecided && last.value !== "ended") {
        expect(contentOf(directory)).toEqual(contentOf(original));
        expect(inspectJournal(directory, MADE_UP_FORMAT).faults).toEqual([]);
      }
      upgrade({ directory, said });
      expect(readdirSync(directory).filter((file) => file.startsWith("upgrade."))).toEqual([]);
      expect(inspectJournal(directory)).toMatchObject({ faults: [], isNew: false });
      expectKept(directory, contentOf(original));
      if (count % 5 === 0) open({ directory, said }, (engine) => expectMarket(engine, said));
    }
    expect(names).toContain("decided");
    expect(names).toContain("placed journal.sqlite");
  });
});

test("A journal of the present format is read as the version read it that wrote it", () => {
  const given = present();
  upgrade(given);
  expect(readdirSync(given.directory).filter((file) => file.startsWith("format-"))).toEqual([]);
  open(given, (engine) => {
    expect([engine.epoch, engine.sequence]).toEqual([given.said.epoch, given.said.sequence]);
    expectMarket(engine, given.said);
    expectAnswers(engine, given.said);
  });
});

test("Upgrades lead over all formats in between, each by its step", () => {
  const [first, second] = [FORMAT_VERSION - 2, FORMAT_VERSION - 1];
  const adding = (step: string): UpgradeStep => (content) => ({
    ...content,
    header: { ...content.header, steps: `${content.header["steps"]} ${step}` },
  });
  const steps = { [first]: adding("first"), [second]: adding("second") };
  const content = { header: { steps: "" }, parts: null, records: [] };
  expect(upgradeJournal(first, content, steps).header).toEqual({ steps: " first second" });
  expect(upgradeJournal(second, content, steps).header).toEqual({ steps: " second" });
  expect(upgradeJournal(FORMAT_VERSION, content, steps)).toBe(content);
  expect(() => upgradeJournal(first, content, { [first]: adding("first") })).toThrow(
    `it has format version ${first}, and the oldest that this mkt reads is ${FORMAT_VERSION}`,
  );
});

/** One folder beside has the old files as they were. */
function expectKept(directory: string, before: Record<string, string>): void {
  const kept = readdirSync(directory).filter((file) => file.startsWith("format-"));
  expect(kept).toHaveLength(1);
  expect(contentOf(join(directory, kept[0] ?? ""))).toEqual(before);
  expect(existsSync(join(directory, "upgrade.lock"))).toBe(false);
}
