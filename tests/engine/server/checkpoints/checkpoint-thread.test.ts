import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../../../common/logger.ts";
import { stateFilesIn } from "../../support/checkpoints.ts";
import { inspectJournal } from "../../../../engine/journal/inspect-journal.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { until } from "../../../support/until.ts";
import { BUYER } from "../harness.ts";
import { run, turn } from "./running-engine.ts";

function recordedLog(): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const note = (text: string, facts: object = {}) => void lines.push(`${text} ${JSON.stringify(facts)}`);
  return { log: { debug: note, info: note, warn: note, error: note } as unknown as Logger, lines };
}

const savedIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith("checkpoint of the state saved"));

describe("an engine whose checkpoints a thread makes", () => {
  test("has every order after a restart, from the last of several, and deletes what a checkpoint replaces", async () => {
    const directory = temporaryDirectory();
    const { log, lines } = recordedLog();
    const engine = await run(directory, 100, log);
    await until(() => {
      if (savedIn(lines).length < 3) engine.buy(40);
      return savedIn(lines).length >= 3;
    }, "three checkpoints");
    await until(() => stateFilesIn(directory).length === 1, "one file");
    const orders = engine.orders();
    await engine.abandon();
    const checkpoint = inspectJournal(directory).readable?.checkpoint;
    expect(checkpoint?.upTo).toBeGreaterThan(200);
    expect(stateFilesIn(directory)).toEqual([checkpoint?.state.file ?? "none"]);
    const again = await run(directory, 100, log);
    expect(again.orders()).toEqual(orders);
    // The operationIds of every checkpoint are known, so none is taken for another request.
    for (let sent = 1; sent <= orders.length; sent += 30) {
      const request = {
        userId: BUYER,
        operationId: `b-${sent}`,
        action: "order.cancel",
        payload: { orderId: "ORD-1" },
      };
      expect(again.host.execute(request).response).toMatchObject({ code: "operation_conflict" });
    }
    await again.stop();
  });

  test("stops in order while one is being made, with a checkpoint of everything", async () => {
    const directory = temporaryDirectory();
    const { log } = recordedLog();
    const engine = await run(directory, 2000, log);
    engine.buy(3000);
    await turn();
    const orders = engine.orders();
    await engine.stop();
    const [file, ...others] = stateFilesIn(directory);
    expect([others, file?.endsWith("-stop")]).toEqual([[], true]);
    const again = await run(directory, 2000, log);
    expect(again.orders()).toEqual(orders);
    await again.stop();
  });

  test("goes on if one can't be made, says so, keeps the calls, and tries again later", async () => {
    const directory = temporaryDirectory();
    const filling = await run(directory, Infinity);
    filling.buy(50);
    await filling.stop();
    const [name = ""] = stateFilesIn(directory);
    const paths = [name, `${name}.copy`].map((each) => join(directory, each));
    const whole = readFileSync(paths[0]!, "utf8");
    const writeBoth = (text: string) => paths.forEach((path) => writeFileSync(path, text));

    const { log, lines } = recordedLog();
    const engine = await run(directory, 100, log, 50);
    writeBoth(whole.replace('"kind"', '"knid"'));
    const failures = () => lines.filter((line) => line.startsWith("could not save a checkpoint"));
    await until(() => {
      engine.buy(20);
      return failures().length > 0;
    }, "a failure");
    expect(failures()[0]).toContain("part 1 of the checkpoint has the wrong checksum");
    expect(savedIn(lines)).toEqual([]);
    writeBoth(whole);
    await until(() => {
      engine.buy(20);
      return savedIn(lines).length > 0;
    }, "a checkpoint");
    const orders = engine.orders();
    await engine.abandon();
    const again = await run(directory, 100, log);
    expect(again.orders()).toEqual(orders);
    await again.stop();
  });
});
