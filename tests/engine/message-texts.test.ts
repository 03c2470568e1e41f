// The texts that the engine writes directly, beside those of the plain recorder: module objects, JSON.stringify and the
// rules of visibility. And an engine to which nobody listens, beside one with messages.

import { expect, test } from "bun:test";
import { Engine } from "../../engine/engine.ts";
import type { Execution } from "../../engine/api/market-engine.ts";
import type { PublishedMessage } from "../../engine/api/messages.ts";
import type { Recorder } from "../../engine/transaction/recorder.ts";
import { size } from "../support/sizes.ts";
import { CallGenerator, oddMarket } from "./support/call-generator.ts";
import { EPOCH, SECRET, START } from "./support/market.ts";
import { PlainRecorder } from "./support/plain-recorder.ts";
import { wholeCheckpoint } from "./support/checkpoints.ts";

/** The one of a short run makes every outcome of a call; most seeds seldom find the market closed. */
const SEEDS = size([18], Array.from({ length: 166 }, (_, at) => at + 1));
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

function newEngine(recorder?: Recorder | null): Engine {
  return new Engine(oddMarket(), { ...OPTIONS, recorder });
}

/** Calls `compare` with the executions of each call by three engines. Returns how many messages and outcomes of each kind. */
function play(compare: (one: Execution, plain: Execution, silent: Execution) => void): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const seed of SEEDS) {
    const engines = [newEngine(), newEngine(new PlainRecorder()), newEngine(null)] as const;
    const [engine, ...others] = engines;
    const generator = new CallGenerator(seed);
    for (let calls = 0; calls < CALLS_OF_A_SEED; calls++) {
      const call = generator.next();
      const executions = [call(engine), call(engines[1]), call(engines[2])] as const;
      const [execution] = executions;
      generator.took(execution);
      compare(...executions);
      for (const other of others) {
        expectSame([other.sequence, other.nextDeadline()], [engine.sequence, engine.nextDeadline()]);
        if (calls % COMPARED_EVERY === 0) expect(stateOf(other, generator.now)).toBe(stateOf(engine, generator.now));
      }
      for (const { text } of execution.messages) {
        count(/^{"kind":"event","sequence":\d+,"type":"([a-z.]+)"/.exec(text)?.[1] ?? text.split("/")[1] ?? "");
      }
      count(execution.response?.code ?? execution.response?.status ?? "none");
    }
  }
  return counts;
}

/** A message but for where its text is. */
function placeless({ shared: _, start: _start, end: _end, ...message }: PublishedMessage) {
  return { ...message };
}

/** As toEqual, which is slow if nothing differs. */
function expectSame(value: unknown, expected: unknown): void {
  if (!Bun.deepEquals(value, expected)) expect(value).toEqual(expected);
}

function stateOf(engine: Engine, now: number): string {
  return JSON.stringify([wholeCheckpoint(engine), [...engine.snapshot(now)].map(({ text }) => text)]);
}

/** Every kind of message and outcome that the calls must make. */
const KINDS = [
  ...["MARKET", "CONTRACT", "ENTITY", "USER", "CREDIT", "ENGINE", "QUEUE", "ORDER", "TRADE", "FILL"],
  ...["new.order", "change.order", "cancel.order", "expire.order", "hold.order", "release.order", "reject.order"],
  ...["new.fill", "new.trade", "change.book", "change.spot", "halt.market", "resume.market", "change.market"],
  ...["new.contract", "change.contract", "remove.contract", "change.credit", "change.documentation", "change.user"],
  ...["ok", "forbidden", "not_found", "invalid_payload", "invalid_quantity", "invalid_price", "market_closed"],
  ...["not_cancellable", "not_modifiable", "too_late", "no_entity", "contract_expired", "limit_exceeded"],
];

test(
  "the engine's texts and audiences are those of module objects, JSON.stringify and the rules, byte for byte",
  () => {
    const counts = play((one, plain, silent) => {
      expect(one.messages.length).toBe(plain.messages.length);
      for (const [at, message] of one.messages.entries()) {
        const expected = plain.messages[at];
        if (message.text !== expected?.text) expect(message.text).toBe(expected?.text ?? "");
        expectSame(placeless(message), placeless(expected!));
      }
      expectSame({ ...one, messages: [] }, { ...plain, messages: [] });
      // An engine to which nobody listens makes no message and no audit event, and changes in the same way.
      expectSame([silent.messages, silent.audit], [[], ""]);
      const { result: _, order: _order, ...response } = one.response ?? {};
      const { result: _result, order: _repeated, ...unheard } = silent.response ?? {};
      const isForClosedOrder = one.trace?.kind === "rejected" && one.trace.closedOrder !== undefined;
      // Nothing else is left unsaid.
      const expected = isForClosedOrder ? { ...response, message: undefined } : response;
      expectSame([silent.closedOrders, silent.trace, unheard], [one.closedOrders, one.trace, expected]);
    });
    const rare = KINDS.filter((kind) => (counts.get(kind) ?? 0) < size(5, 100));
    expect(rare).toEqual([]);
  },
);
