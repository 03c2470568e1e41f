// Messages of several calls share a text, which is made when it is first read. No message depends on when that is.

import { expect, test } from "bun:test";
import { frameOf, type PublishedMessage } from "../../engine/api/messages.ts";
import { Engine } from "../../engine/engine.ts";
import { SeededRandom } from "../../sim/random/seeded-random.ts";
import { SEED } from "../support/seed.ts";
import { size } from "../support/sizes.ts";
import { CallGenerator, oddMarket } from "./support/call-generator.ts";
import { EPOCH, SECRET, START } from "./support/market.ts";

const SEEDS = size(1, 100);
const CALLS = 1_500;
const MOST_UNREAD = 400;

function newEngine(): Engine {
  return new Engine(oddMarket(), { epoch: EPOCH, now: START, engineId: "test", secret: SECRET });
}

function textsOf(messages: readonly PublishedMessage[]): string[] {
  return messages.map(({ text }) => text);
}

test("a message has the same text after its call and after later calls, and frames are arrays of these texts", () => {
  let sharedByCalls = 0;
  for (let seed = SEED; seed < SEED + SEEDS; seed++) {
    const [early, late, generator, random] = [
      newEngine(),
      newEngine(),
      new CallGenerator(seed),
      new SeededRandom(seed),
    ];
    let unread: PublishedMessage[] = [];
    let expected: string[] = [];
    let calls = 0;
    for (let count = 0; count < CALLS; count++) {
      const call = generator.next();
      const execution = call(early);
      generator.took(execution);
      expected.push(...textsOf(execution.messages));
      unread.push(...call(late).messages);
      calls += 1;
      if (calls < MOST_UNREAD && random.integer(0, 99) > 0) continue;
      sharedByCalls = Math.max(sharedByCalls, calls - new Set(unread.map(({ shared }) => shared)).size);
      const from = random.integer(0, unread.length);
      const part = random.integer(0, 1) === 0 ? unread.slice(from) : unread.filter(({ kind }) => kind === "event");
      if (part.length > 0) expect(frameOf(part)).toBe(`[${textsOf(part).join()}]`);
      expect(textsOf(unread)).toEqual(expected);
      [unread, expected, calls] = [[], [], 0];
    }
    expect(textsOf(unread)).toEqual(expected);
  }
  expect(sharedByCalls).toBeGreaterThan(10);
});
