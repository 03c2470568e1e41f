// Whatever has happened in a market, its backup can be restored, and the restored market has the same state, the same events
// and the same audit trail, and answers requests as the first one does.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { logger } from "../../../common/logger.ts";
import type { PublishedMessage } from "../../../engine/api/messages.ts";
import { checkBackup, restoreBackup } from "../../../engine/backup/restore.ts";
import { SqliteJournal } from "../../../engine/journal/sqlite-journal.ts";
import { EngineHost } from "../../../engine/server/host/engine-host.ts";
import { openDataDirectory } from "../../../engine/server/recovery/data-directory.ts";
import type { Gap } from "../../../engine/server/publication/event-history.ts";
import { JournalReplay } from "../../../engine/server/recovery/journal-replay.ts";
import { recoverEngine } from "../../../engine/server/recovery/recover-engine.ts";
import { size } from "../../support/sizes.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";
import { randomCalls, randomMarket } from "../journal/random-calls.ts";
import { EPOCH, SECRET, START } from "../support/market.ts";
import { readExecution } from "../support/read-execution.ts";
import { backupsOf, beginBackup, bytesIn, stateAt } from "./backup-of.ts";

const LOG = logger("test");
const HEADER = { engineId: "test-engine", epoch: EPOCH, startedAt: START, definition: randomMarket() };

async function start(directory: string, now: () => number) {
  const { store, audit, guard } = await openDataDirectory(directory, { now, log: LOG, acceptDataLoss: false });
  const recovered = recoverEngine({ store, audit, guard, header: () => HEADER, secret: SECRET, now, log: LOG });
  const host = new EngineHost({ ...recovered, now, log: LOG, timers: { after: () => () => {} } });
  return {
    host,
    store,
    audit,
    /** With a checkpoint. */
    stop: async () => {
      await host.stop();
      await audit.close();
    },
    /** As a kill, with everything that was not written yet. */
    crash: async () => {
      host.flush();
      store.close();
      await audit.close();
    },
  };
}

/** The texts of the events. */
function eventsIn(messages: Iterable<PublishedMessage | Gap>): string[] {
  return [...messages].flatMap((message) =>
    message.kind === "event" ? [message.shared.text.slice(message.start, message.end)] : []
  );
}

/** What a replay of a journal gives after its checkpoint: each event up to record `upTo`, as text. */
function replayed(directory: string, upTo: number): string[] {
  const store = SqliteJournal.open(directory);
  try {
    const { header, checkpoint, records } = store.load()!;
    const messages: PublishedMessage[] = [];
    const applied = (execution: { readonly messages: readonly PublishedMessage[] }) => {
      messages.push(...execution.messages);
    };
    const replay = new JournalReplay(header, { applied, epochBegan: () => {}, leftOut: () => {} });
    if (checkpoint !== null) replay.restore(checkpoint.parts);
    for (const { number, text } of records) if (number <= upTo) replay.apply(number, text);
    return eventsIn(messages);
  } finally {
    store.close();
  }
}

/** The audit trail as JSON, oldest event first. */
async function trailOf({ audit }: Awaited<ReturnType<typeof start>>): Promise<string[]> {
  await audit.sync();
  return (await audit.after(0, 100_000)).map((event) => JSON.stringify(event));
}

test("a market after any life is restored from its backup as it was", async () => {
  let [rejected, late, conflicts] = [0, 0, 0];
  const breaks = fc.array(fc.record({ after: fc.nat(150), kind: fc.constantFrom("stop", "crash") }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(randomCalls(30, 150), breaks, async (calls, ends) => {
      const [directory, folder] = [temporaryDirectory(), temporaryDirectory()];
      let now = START;
      const clock = () => now;
      let engine = await start(directory, clock);
      for (const [place, call] of calls.entries()) {
        now = call.now;
        if (call.kind === "execute") {
          const { response } = readExecution(engine.host.execute(call));
          if (response?.code === "too_late") late += 1;
          if (response?.status === "rejected" && call.action === "order.submit") rejected += 1;
        }
        if (place % 7 === 0) engine.host.flush();
        const end = ends.find(({ after }) => after === place);
        if (end === undefined) continue;
        await (end.kind === "stop" ? engine.stop() : engine.crash());
        engine = await start(directory, clock);
      }
      engine.host.flush();
      const file = join(folder, "backup");
      const source = { host: engine.host, backupSource: { journal: engine.store, audit: engine.audit } };
      writeFileSync(file, await bytesIn(beginBackup(backupsOf(source as never))));
      await checkBackup(file, clock);
      const target = join(folder, "data");
      const { description: { upTo } } = await restoreBackup(file, target, clock);

      const live = eventsIn([...engine.host.readHistory().after(HEADER.epoch, engine.host.engine.sequence)]);
      const trail = await trailOf(engine);
      const again = calls.flatMap((call) => call.kind === "execute" && call.validUntil === undefined ? [call] : []);
      const answers = again.map((call) => readExecution(engine.host.execute(call)).response);
      await engine.crash();
      expect(stateAt(target, upTo)).toEqual(stateAt(directory, upTo));
      expect(replayed(target, upTo)).toEqual(live);

      const restored = await start(target, clock);
      expect(await trailOf(restored)).toEqual(trail);
      for (const [place, call] of again.entries()) {
        const { response } = readExecution(restored.host.execute(call));
        expect(response).toEqual(answers[place]!);
        if (response?.code === "operation_conflict") conflicts += 1;
      }
      await restored.crash();
    }),
    // A life is slow, and shrinking a failure would take minutes.
    { numRuns: size(3, 50), endOnFailure: true },
  );
  expect([rejected > 20, late > 0, conflicts > 0]).toEqual([true, true, true]);
});
