// An engine under load, over its WebSocket protocol: each connection acts as one of the users, in turn. The engine cancels the
// orders of a connection that ends (cancelOnDisconnect), so even a killed load run leaves none.
//
// The first connection reads the snapshot, from which the contracts are taken. From then on all connections read only what
// answers them.

import { logger } from "../common/logger.ts";
import { steadyNow } from "../common/steady-now.ts";
import { EngineClient } from "../protocol/client/engine-client.ts";
import type { EngineListener } from "../protocol/client/engine-client-options.ts";
import { EngineClock } from "../protocol/client/engine-clock.ts";
import { reasonOf } from "../protocol/client/engine-link.ts";
import { FrameReader } from "../protocol/client/frame-reader.ts";
import type { RequestOutcome } from "../protocol/client/pending-requests.ts";
import { type ModuleData, moduleSchema } from "../protocol/modules/registry.ts";
import { parseStatePath } from "../protocol/state-path.ts";
import { LightReader } from "./light-reader.ts";
import { ANSWER_LIMIT_MS, type Operation, type Outcome, type Target, type TradedContract } from "./operation.ts";

interface EngineTargetOptions {
  readonly url: string;
  readonly connections: number;
  readonly users: readonly string[];
  /** Null: the engine asks for none. */
  readonly tokenOf: (userId: string) => string | null;
  /** Prefix of all operationIds: no other run has the same. */
  readonly runId: string;
}

const TIMINGS = {
  pingMs: 5_000,
  silenceMs: 30_000,
  openMs: 15_000,
  answerMs: 30_000,
  synchronizeMs: 60_000,
  closeMs: 1_000,
  firstRetryMs: 200,
  longestRetryMs: 2_000,
};
const POLICY = {
  retriesFirstAttempt: false,
  finalRefusals: 1,
  requestTimeoutMs: ANSWER_LIMIT_MS,
  validForMs: () => ANSWER_LIMIT_MS,
};
/** Connections that are opened at the same time. */
const OPENED_TOGETHER = 20;

export class EngineTarget implements Target {
  readonly #clients: EngineClient[] = [];
  readonly #reader = new FrameReader(logger("load"));
  readonly #contracts = new Map<string, ModuleData<"CONTRACT">>();
  /** By contract. */
  readonly #books = new Map<string, ModuleData<"ENGINE">>();
  #operations = 0;
  reconnects = 0;

  constructor(private readonly options: EngineTargetOptions) {}

  async open(): Promise<void> {
    const { connections } = this.options;
    await this.#connect(0);
    for (let from = 1; from < connections; from += OPENED_TOGETHER) {
      const together = Math.min(OPENED_TOGETHER, connections - from);
      await Promise.all(Array.from({ length: together }, (_, at) => this.#connect(from + at)));
    }
  }

  contracts(until: number): Promise<readonly TradedContract[]> {
    const open = [...this.#contracts.values()]
      .filter(({ status, deliveryStart }) => status === "listed" && Date.parse(deliveryStart) > until)
      .toSorted((one, other) => Date.parse(one.deliveryStart) - Date.parse(other.deliveryStart));
    return Promise.resolve(open.map(({ id, lot, tick, minimumPrice, maximumPrice }) => {
      const referencePrice = referencePriceOf(this.#books.get(id));
      return { id, lot, tick, minimumPrice, maximumPrice, referencePrice };
    }));
  }

  send(connection: number, operation: Operation, settle: (outcome: Outcome) => void): void {
    const client = this.#clients[connection]!;
    const ids = { operationId: `${this.options.runId}-${++this.#operations}` };
    const settled = (outcome: RequestOutcome) => settle(outcomeOf(outcome));
    if (!sendOperation(client, operation, ids, settled)) settle({ kind: "not_sent" });
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  /** Resolves when the connection's snapshot is whole. Throws if the connection fails before. */
  async #connect(connection: number): Promise<void> {
    const { url, users, tokenOf } = this.options;
    const userId = users[connection % users.length]!;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const reader = new LightReader(this.#reader, connection === 0);
    const listener: EngineListener = {
      state: ({ statePath, state }) => this.#learn(statePath, state),
      synchronized: () => {
        reader.readsAll = false;
        resolve();
      },
      ended: (end, willRetry) => {
        if (willRetry) this.reconnects += 1;
        reject(new Error(`user ${userId} can't connect to ${url}: ${reasonOf(end)}`));
      },
    };
    const client = new EngineClient({
      url,
      userId,
      token: tokenOf(userId),
      cancelOnDisconnect: true,
      reader,
      clock: new EngineClock(steadyNow),
      timings: TIMINGS,
      policy: POLICY,
      log: logger("load"),
      listener,
    });
    this.#clients[connection] = client;
    client.open();
    await promise;
  }

  #learn(statePath: string, state: Readonly<Record<string, unknown>> | null): void {
    if (state === null) return;
    const type = parseStatePath(statePath)?.type;
    if (type === "CONTRACT") {
      const contract = moduleSchema(type).parse(state);
      this.#contracts.set(contract.id, contract);
    } else if (type === "ENGINE") {
      const book = moduleSchema(type).parse(state);
      this.#books.set(book.contractId, book);
    }
  }
}

function referencePriceOf(book: ModuleData<"ENGINE"> | undefined): number | null {
  if (book === undefined) return null;
  const { bestBid, bestAsk, lastPrice } = book;
  return bestBid !== null && bestAsk !== null ? (bestBid + bestAsk) / 2 : lastPrice;
}

function sendOperation(
  client: EngineClient,
  operation: Operation,
  ids: { readonly operationId: string },
  settle: (outcome: RequestOutcome) => void,
): boolean {
  switch (operation.kind) {
    case "submit": {
      const { contractId, side, price, quantity } = operation;
      return client.send("order.submit", { contractId, side, price, quantity, timeInForce: "gtc" }, ids, settle);
    }
    case "cancel":
      return client.send("order.cancel", { orderId: operation.orderId }, ids, settle);
    case "modify":
      return client.send("order.modify", { orderId: operation.orderId, price: operation.price }, ids, settle);
  }
}

function outcomeOf(outcome: RequestOutcome): Outcome {
  switch (outcome.kind) {
    case "ok":
      return confirmed(outcome.result["order"]);
    case "rejected":
      return { kind: "refused", code: outcome.code };
    case "error":
      return { kind: "failed", code: outcome.code };
    case "timeout":
      return { kind: "unknown" };
    case "not_connected":
      return { kind: "not_sent" };
  }
}

function confirmed(value: unknown): Outcome {
  const order = moduleSchema("ORDER").safeParse(value);
  if (!order.success) return { kind: "failed", code: "unreadable_answer" };
  const { id, closeReason, averagePrice } = order.data;
  return { kind: "confirmed", order: { id, isOpen: closeReason === null, averagePrice } };
}
