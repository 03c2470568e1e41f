import { describe, expect, test } from "bun:test";
import type { LatencyFigures } from "../../load/tally.ts";
import { type LoadPlan, LoadRun } from "../../load/load-run.ts";
import { loadReportText } from "../../load/report-text.ts";
import type { Operation, Outcome, Target, TradedContract } from "../../load/operation.ts";

const PRICES = { minimumPrice: -100, maximumPrice: 10_000, referencePrice: 3_000 };
const CONTRACT: TradedContract = { id: "C-1", lot: 0.5, tick: 5, ...PRICES };
const MIX = { submit: 55, cancel: 35, modify: 10 };
const PLAN: LoadPlan = { connections: 2, ratePerSecond: 200, seconds: 0.5, mix: MIX, seed: 1, contractIds: [] };
const NEVER = { stopped: new Promise(() => {}), onProgress: () => {} };

type Answer = (operation: Operation, number: number) => Outcome | Promise<Outcome>;

/** Confirms every order, unless `answer` says otherwise, and keeps the open ones. */
class ScriptedTarget implements Target {
  readonly reconnects = 0;
  readonly received: Operation[] = [];
  readonly open = () => Promise.resolve();
  readonly openOrders = new Set<string>();
  isClosed = false;

  constructor(readonly answer: Answer | null = null, readonly listed: readonly TradedContract[] = [CONTRACT]) {}

  contracts(): Promise<readonly TradedContract[]> {
    return Promise.resolve(this.listed);
  }

  send(_connection: number, operation: Operation, settle: (outcome: Outcome) => void): void {
    const number = this.received.push(operation);
    const outcome = this.answer?.(operation, number) ?? this.confirm(operation, number);
    if (outcome instanceof Promise) void outcome.then(settle);
    else settle(outcome);
  }

  confirm(operation: Operation, number: number): Outcome {
    const id = operation.kind === "submit" ? `O-${number}` : operation.orderId;
    if (operation.kind === "cancel") this.openOrders.delete(id);
    else this.openOrders.add(id);
    return { kind: "confirmed", order: { id, isOpen: operation.kind !== "cancel", averagePrice: null } };
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

test("sends as many requests as are asked for, in the asked mix, and leaves no open order", async () => {
  const target = new ScriptedTarget();
  const report = await LoadRun.run(target, { ...PLAN, ratePerSecond: 2_000 }, NEVER);
  const { requests, cleanUp } = report;
  expect(requests.confirmed + requests.notSent).toBe(1_000);
  expect(requests.unknown).toBe(0);
  const { submit = 0, cancel = 0, modify = 0 } = requests.sent;
  expect(submit + cancel + modify).toBe(requests.confirmed);
  for (const [sent, share] of [[submit, 0.55], [cancel, 0.35], [modify, 0.1]] as const) {
    expect(Math.abs(sent / requests.confirmed - share)).toBeLessThan(0.08);
  }
  expect(cleanUp).toEqual({ cancelled: expect.any(Number), closedAlready: 0, left: 0 });
  expect(cleanUp.cancelled).toBeGreaterThan(0);
  expect([...target.openOrders]).toEqual([]);
  expect(target.isClosed).toBe(true);
  expect(loadReportText(report)).toContain("refused       none");
});

test("sends what is due although nothing is answered yet", async () => {
  const all = Promise.withResolvers<void>();
  const target = new ScriptedTarget((operation, number) => {
    if (number === 100) all.resolve();
    return all.promise.then(() => target.confirm(operation, number));
  });
  const { requests } = await LoadRun.run(target, PLAN, NEVER);
  expect(requests.confirmed).toBe(100);
});

test("counts a latency from when the request was due: a stall makes all requests late that were due meanwhile", async () => {
  const target = new ScriptedTarget((_operation, number) => {
    // The first request stops this process, and so everything that it sends, for 300 ms.
    const end = performance.now() + (number === 1 ? 300 : 0);
    while (performance.now() < end);
    return undefined as unknown as Outcome;
  });
  const { requests } = await LoadRun.run(target, PLAN, NEVER);
  const latency = requests.latencyMs.all as LatencyFigures;
  expect(latency.max).toBeGreaterThan(290);
  // 60 of 100 requests were due in these 300 ms.
  for (const { p50 } of [latency, requests.lateMs as LatencyFigures]) expect(p50).toBeGreaterThan(30);
});

test("the same seed sends the same, and another seed something else", async () => {
  const sentWith = async (seed: number) => {
    const target = new ScriptedTarget();
    const report = await LoadRun.run(target, { ...PLAN, seed }, NEVER);
    return target.received.slice(0, report.requests.confirmed);
  };
  const first = await sentWith(7);
  expect(first.slice(0, 50)).toEqual((await sentWith(7)).slice(0, 50));
  expect(first.slice(0, 50)).not.toEqual((await sentWith(8)).slice(0, 50));
});

test("a signal ends the sending, and the orders are cancelled all the same", async () => {
  const target = new ScriptedTarget();
  const stop = Promise.withResolvers<void>();
  const onProgress = () => target.received.length > 50 && stop.resolve();
  const report = await LoadRun.run(target, { ...PLAN, seconds: 3_600 }, { stopped: stop.promise, onProgress });
  expect(report.interrupted).toBe(true);
  expect(report.cleanUp.left).toBe(0);
  expect([...target.openOrders]).toEqual([]);
  expect(loadReportText(report)).toStartWith("interrupted after");
});

describe("what comes of the requests", () => {
  test("is counted by code", async () => {
    const target = new ScriptedTarget((_operation, number) => {
      if (number % 5 === 0) return { kind: "refused", code: "limit_exceeded" };
      if (number % 5 === 1) return { kind: "failed", code: "internal" };
      if (number % 5 === 2) return { kind: "unknown" };
      return { kind: "not_sent" };
    });
    const { requests, cleanUp } = await LoadRun.run(target, PLAN, NEVER);
    const outcomes = {
      confirmed: 0,
      refused: { limit_exceeded: 20 },
      failed: { internal: 20 },
      unknown: 20,
      notSent: 40,
    };
    expect(requests).toMatchObject({ ...outcomes, sent: { submit: 60, cancel: 0, modify: 0 } });
    expect(requests.latencyMs.all?.count).toBe(60);
    expect(requests.latencyMs.cancel).toBeNull();
    // Nobody knows whether these orders are in the market.
    expect(cleanUp.left).toBe(20);
  });

  test("an order that may still be open is cancelled at the end, and one that is closed is not named again", async () => {
    const refusals = new Map<string, number>();
    const target = new ScriptedTarget((operation, number) => {
      if (operation.kind === "submit") return target.confirm(operation, number);
      refusals.set(operation.orderId, (refusals.get(operation.orderId) ?? 0) + 1);
      return { kind: "refused", code: "not_cancellable" };
    });
    const { cleanUp } = await LoadRun.run(target, PLAN, NEVER);
    expect(Math.max(...refusals.values())).toBe(1);
    expect(cleanUp).toMatchObject({ cancelled: 0, left: 0 });
    expect(cleanUp.closedAlready).toBeGreaterThan(0);
  });
});

test("rates and counts are those of what was sent, in the time in which it was sent", async () => {
  const target = new ScriptedTarget((operation, number) =>
    number % 4 === 0
      ? { kind: "not_sent" }
      : number % 4 === 1
      ? { kind: "unknown" }
      : number % 4 === 2
      ? { kind: "refused", code: "market_closed" }
      : target.confirm(operation, number)
  );
  const report = await LoadRun.run(
    target,
    { ...PLAN, ratePerSecond: 400, mix: { submit: 1, cancel: 0, modify: 0 } },
    NEVER,
  );
  const { requests, seconds, sentPerSecond, confirmedPerSecond } = report;
  expect([requests.sent["submit"], requests.confirmed, requests.unknown, requests.notSent]).toEqual([150, 50, 50, 50]);
  expect(sentPerSecond * seconds).toBeCloseTo(150, 6);
  expect(confirmedPerSecond * seconds).toBeCloseTo(50, 6);
  expect(report.contractIds).toEqual(["C-1"]);
});

test("at the end an order is cancelled, has closed already, or may be left, and so may an order of unknown outcome", async () => {
  const outcomes: Outcome[] = [
    { kind: "refused", code: "not_cancellable" },
    { kind: "unknown" },
    { kind: "failed", code: "internal" },
    { kind: "not_sent" },
  ];
  let cancels = 0;
  const target = new ScriptedTarget((operation, number) => {
    if (operation.kind === "submit") return number === 3 ? { kind: "unknown" } : target.confirm(operation, number);
    return outcomes[cancels++] ?? target.confirm(operation, number);
  });
  const plan = { ...PLAN, connections: 1, ratePerSecond: 20, mix: { submit: 1, cancel: 0, modify: 0 } };
  const report = await LoadRun.run(target, plan, NEVER);
  // Nine of ten orders are known: one has closed, three cancels are uncertain, five are carried out.
  expect(report.cleanUp).toEqual({ cancelled: 5, closedAlready: 1, left: 4 });
  expect(loadReportText(report)).toEndWith("at the end    5 orders cancelled, 1 had closed already, 4 may be left");
});

describe("orders", () => {
  test("have prices in ticks within the contract's range and quantities in lots", async () => {
    const narrow = { ...CONTRACT, minimumPrice: 2_991, maximumPrice: 3_012 };
    const target = new ScriptedTarget(null, [narrow]);
    await LoadRun.run(target, PLAN, NEVER);
    for (const operation of target.received) {
      if (operation.kind === "cancel") continue;
      expect(operation.price % 5).toBe(0);
      expect(operation.price).toBeGreaterThanOrEqual(2_995);
      expect(operation.price).toBeLessThanOrEqual(3_010);
      if (operation.kind === "submit") expect([0.5, 1, 1.5, 2, 2.5]).toContain(operation.quantity);
    }
  });

  test("follow the prices of the run's own trades", async () => {
    const target = new ScriptedTarget((_operation, number) => ({
      kind: "confirmed",
      order: { id: `O-${number}`, isOpen: false, averagePrice: 4_000 },
    }));
    await LoadRun.run(target, PLAN, NEVER);
    const last = target.received.at(-1);
    expect(last?.kind === "submit" && Math.abs(last.price - 4_000)).toBeLessThanOrEqual(50);
  });
});

test.each([
  ["contract C-2 is not listed", [CONTRACT], ["C-2"]],
  ["no contract is listed", [], []],
])("a run that can't begin says why, %s, and closes its connections", async (message, listed, contractIds) => {
  const target = new ScriptedTarget(null, listed);
  await expect(LoadRun.run(target, { ...PLAN, contractIds }, NEVER)).rejects.toThrow(message);
  expect(target.isClosed).toBe(true);
});
