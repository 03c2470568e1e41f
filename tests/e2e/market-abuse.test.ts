// What an authenticated client may do to the market and its records, on the compiled executable: orders without end, and
// very many crossed orders that a change of credit lets trade.

import { expect, test } from "bun:test";
import { type RunningEngineProcess } from "../support/executable.ts";
import { keepBusy, LoadClient, type LoadResponse } from "../support/load-client.ts";
import { size } from "../support/sizes.ts";
import { NORTH, startMarket, WEST } from "./support/market.ts";
import { until } from "../support/until.ts";

const CROSSED = size(600, 10_000);
const OUTSTANDING = 50;
/** Rate limits for tests that send thousands of requests at once. */
const UNHURRIED = {
  MKT_ENGINE_MAX_REQUESTS_PER_SECOND: "1000000",
  MKT_ENGINE_MAX_REFUSALS_PER_SECOND: "1000000",
  MKT_ENGINE_MAX_BYTES_PER_SECOND: "1000000000",
};

const start = (env: Record<string, string>): Promise<RunningEngineProcess> =>
  startMarket({ env: { LOG_LEVEL: "error", ...env } });

const connect = ({ webSocketUrl }: RunningEngineProcess, userId: string, onFrame?: (text: string) => void) =>
  new LoadClient(webSocketUrl, userId, { onFrame }).welcomed();

let operations = 0;

async function ok(client: LoadClient, action: string, payload: unknown): Promise<void> {
  expect(await client.request(action, payload, `operation-${++operations}`)).toMatchObject({ status: "ok" });
}

async function codeOf(client: LoadClient, payload: unknown): Promise<string | undefined> {
  const response = await client.request("order.submit", payload, `operation-${++operations}`);
  return response?.code ?? response?.status;
}

/** Sends requests, OUTSTANDING at a time, and returns the responses. */
async function sendAll(client: LoadClient, payloads: readonly unknown[]): Promise<(LoadResponse | null)[]> {
  const rest = payloads.entries();
  const answers: (LoadResponse | null)[] = [];
  const next = () => {
    const { value, done } = rest.next();
    return done ? null : { action: "order.submit", payload: value[1], operationId: `${client.userId}-${value[0]}` };
  };
  await keepBusy(client, OUTSTANDING, next, (_id, answer) => answers.push(answer));
  return answers;
}

const order = (side: 0 | 1, price: number, quantity = 1, contractId = NORTH) => ({ contractId, side, price, quantity });

const tradesIn = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + text.split(`"type":"new.trade"`).length - 1, 0);

test("open orders are accepted up to the limits of a user and of a book, and no further", async () => {
  const engine = await start({ MKT_ENGINE_MAX_OPEN_ORDERS_PER_USER: "3", MKT_ENGINE_MAX_OPEN_ORDERS_PER_BOOK: "4" });
  const [anna, bert] = [await connect(engine, "anna"), await connect(engine, "bert")];
  for (let count = 0; count < 3; count++) expect(await codeOf(anna, order(0, 100))).toBe("ok");
  expect(await codeOf(anna, order(0, 100))).toBe("limit_exceeded");
  expect(await codeOf(bert, order(0, 100))).toBe("ok");
  expect(await codeOf(bert, order(0, 100))).toBe("limit_exceeded");
  expect(await codeOf(bert, order(0, 100, 5, WEST))).toBe("ok");
  await ok(anna, "order.cancel", { orderId: "ORD-1" });
  expect(await codeOf(bert, order(0, 100))).toBe("ok");
});

test(
  `${CROSSED} crossed orders all trade once credit and documents are set, and another trader gets every response`,
  async () => {
    const engine = await start(UNHURRIED);
    const seen: string[] = [];
    const [anna, cleo, bert] = [
      await connect(engine, "anna", (text) => seen.push(text)),
      await connect(engine, "cleo"),
      await connect(engine, "bert"),
    ];
    const half = Array.from({ length: CROSSED / 2 }, (_, at) => at);
    const answers = await Promise.all([
      sendAll(anna, half.map((at) => order(0, 50 + at % 40))),
      sendAll(cleo, half.map((at) => order(1, 49 - at % 40))),
    ]);
    expect(answers.flat().filter((answer) => answer?.status === "ok")).toHaveLength(CROSSED);
    expect(tradesIn(seen)).toBe(0);

    let isOver = false;
    const witness = (async () => {
      const codes = new Set<string | undefined>();
      do codes.add(await codeOf(bert, order(0, 1, 5, WEST))); while (!isOver);
      return codes;
    })();
    const pairs = [["aurora", "cirrus", anna], ["cirrus", "aurora", cleo]] as const;
    for (const [entityId, counterpartyId, client] of pairs) {
      const pair = { entityId, counterpartyId };
      await ok(client, "credit.setLimit", { ...pair, limitType: "mw", scope: "total", limit: 1e9 });
      await ok(client, "credit.setDocumentation", { ...pair, status: "docs_in_place" });
    }
    isOver = true;
    expect([...await witness]).toEqual(["invalid_price"]);
    await until(() => tradesIn(seen) >= CROSSED / 2);
    expect(tradesIn(seen)).toBe(CROSSED / 2);
  },
);
