// The texts that the engine writes directly, beside those of the plain recorder: module objects, JSON.stringify and the
// rules of visibility. And an engine to which nobody listens, beside one with messages.

import { expect, test } from "bun:test";
import { Engine } from "../../engine/engine.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import type { PublishedMessage } from "../../engine/api/messages.ts";
import type { TextRecorder } from "../../engine/transaction/recorder.ts";
import { size } from "../support/sizes.ts";
import { CallGenerator, oddMarket } from "./support/call-generator.ts";
import { EPOCH, SECRET, START } from "./support/market.ts";
import { PlainRecorder } from "./support/plain-recorder.ts";

/** The two of a short run make every outcome of a call; most seeds never find the market closed. */
const SEEDS = size([5, 7], Array.from({ length: 166 }, (_, at) => at + 1));
const CALLS_OF_A_SEED = 3_000;
/** Calls between two comparisons of whole states. */
const COMPARED_EVERY = 250;

const OPTIONS = {
  epoch: EPOCH,
  now: START,
  engineId: "test",
  secret: SECRET,
  retention: { closedOrders: 60, trades: 40 },
};

function newEngine(recorder?: TextRecorder | null): Engine {
  return new Engine(oddMarket(), { ...OPTIONS, recorder });
}

/** Calls `compare` with each call's executions, and now and then `compareStates`. Returns the messages by type. */
function play(others: () => Engine, compare: (one: Execution, other: Execution) => void): Map<string, number> {
  const counts = new Map<string, number>();
  for (const seed of SEEDS) {
    const [engine, other, generator] = [newEngine(), others(), new CallGenerator(seed)];
    for (let count = 0; count < CALLS_OF_A_SEED; count++) {
      const call = generator.next();
      const execution = call(engine);
      generator.took(execution);
      compare(execution, call(other));
      expect([other.sequence, other.nextDeadline()]).toEqual([engine.sequence, engine.nextDeadline()]);
      for (const { text } of execution.messages) {
        const type = /^{"kind":"event","sequence":\d+,"type":"([a-z.]+)"/.exec(text)?.[1] ?? text.split("/")[1] ?? "";
        counts.set(type, (counts.get(type) ?? 0) + 1);
      }
      const outcome = execution.response?.code ?? execution.response?.status ?? "none";
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (count % COMPARED_EVERY !== 0) continue;
      expect(stateOf(other, generator.now)).toBe(stateOf(engine, generator.now));
    }
  }
  return counts;
}

/** A message but for where its text is. */
function placeless({ shared: _, start: _start, end: _end, ...message }: PublishedMessage) {
  return { ...message };
}

function stateOf(engine: Engine, now: number): string {
  return JSON.stringify([[...engine.checkpoint()], [...engine.snapshot(now)].map(({ text }) => text)]);
}

test(
  "the engine's texts and audiences are those of module objects, JSON.stringify and the rules, byte for byte",
  () => {
    const counts = play(() => newEngine(new PlainRecorder()), (one, other) => {
      expect(one.messages.length).toBe(other.messages.length);
      for (const [at, message] of one.messages.entries()) {
        const expected = other.messages[at];
        if (message.text !== expected?.text) expect(message.text).toBe(expected?.text ?? "");
        expect(placeless(message)).toEqual(placeless(expected!));
      }
      expect({ ...one, messages: [] }).toEqual({ ...other, messages: [] });
    });
    // The calls must make every kind of message, and every outcome.
    const least = size(5, 100);
    for (
      const type of [
        ...["MARKET", "CONTRACT", "ENTITY", "USER", "CREDIT", "ENGINE", "QUEUE", "ORDER", "TRADE", "FILL"],
        ...["new.order", "change.order", "cancel.order", "expire.order", "hold.order", "release.order", "reject.order"],
        ...["new.fill", "new.trade", "change.book", "change.spot", "halt.market", "resume.market", "change.market"],
        ...[
          "new.contract",
          "change.contract",
          "remove.contract",
          "change.credit",
          "change.documentation",
          "change.user",
        ],
        ...["ok", "forbidden", "not_found", "invalid_payload", "invalid_quantity", "invalid_price", "market_closed"],
        ...["not_cancellable", "not_modifiable", "too_late", "no_entity", "contract_expired", "limit_exceeded"],
      ]
    ) {
      const count = counts.get(type) ?? 0;
      expect({ type, isFrequent: count >= least, count }).toEqual({ type, isFrequent: true, count });
    }
  },
  600_000,
);

test("an engine to which nobody listens makes no message and no audit event, and changes in the same way", () => {
  play(() => newEngine(null), (one, other) => {
    expect(other.messages).toEqual([]);
    expect(other.audit).toBe("");
    const { result: _, order: _order, ...response } = one.response ?? {};
    const { result: _result, order: _repeated, ...silent } = other.response ?? {};
    const isForClosedOrder = one.trace?.kind === "rejected" && one.trace.closedOrder !== undefined;
    // Nothing else is left unsaid.
    const expected = isForClosedOrder ? { ...response, message: undefined } : response;
    expect([other.closedOrders, other.trace, silent]).toEqual([one.closedOrders, one.trace, expected]);
  });
}, 600_000);
