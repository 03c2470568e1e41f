// An engine that welcomes clients and sends a snapshot, but responds to a request only when the test wants it to. A real engine
// can't be made to do that.

import type { ClientMessage, EngineMessage } from "../../protocol/index.ts";
import type { ModuleType } from "../../protocol/modules/registry.ts";
import { atEnd } from "./at-end.ts";
import { wholeModule } from "./modules.ts";
import { ENGINE_TIME, type ScriptedConnection, ScriptedEngine } from "./scripted-engine.ts";

const CONTRACT_IDS = { contractId: "c", productCode: "P", marketId: "m" };

const DELIVERY = {
  node: "N",
  deliveryStart: "2099-01-01T00:00:00.000Z",
  deliveryEnd: "2099-01-02T00:00:00.000Z",
  hours: 24,
};
const STEPS = { lot: 1, tick: 1, minimumPrice: -50000, maximumPrice: 500000 };
const OWNER = { entityId: "aurora", userId: "anna" };
const TERMS = { price: 1, quantity: 1, remainingQuantity: 1 };

/** One open market with one contract, its book and one working order. */
const STATES = [
  state("MARKET", "m", { code: "M", timezone: "UTC", nodes: ["N"], status: "open" }),
  state("CONTRACT", "c", { ...CONTRACT_IDS, productId: "p", engineId: "e", ...DELIVERY, ...STEPS, status: "listed" }),
  state("ENGINE", "e", { ...CONTRACT_IDS, totalWorkingOrders: 1 }),
  state("ORDER", "o", { ...CONTRACT_IDS, engineId: "e", ...OWNER, ...TERMS, status: "working" }),
];

function state(type: ModuleType, id: string, data: Record<string, unknown>): EngineMessage {
  return { statePath: `/${type}/${id}`, state: { ...wholeModule(type, data), id } };
}

type Request = Extract<ClientMessage, { kind: "request" }>;
type Result = Record<string, unknown>;

/** `resultOf` gives the result of a request; null, which is the default: it gets no response. */
export function startSilentEngine(resultOf: (request: Request) => Result | null | Promise<Result> = () => null) {
  const engine = new ScriptedEngine();
  atEnd(() => engine.stop());
  const requests: Request[] = [];
  const respond = async (connection: ScriptedConnection, request: Request) => {
    const { requestId, operationId } = request;
    const result = await resultOf(request);
    if (result !== null) connection.send({ kind: "response", requestId, operationId, status: "ok", result });
  };
  const attend = async (connection: ScriptedConnection) => {
    const capabilities = ["Market.View", "Market.Operate", "Order.Submit"];
    await connection.admit(STATES, { entityId: "aurora", capabilities });
    void answerPings(connection);
    for (;;) {
      const request = await connection.next("request");
      requests.push(request);
      void respond(connection, request);
    }
  };
  void (async () => {
    for (;;) void attend(await engine.connection());
  })();
  return {
    /** The requests that arrived. */
    requests,
    environmentFor: (userId: string): Record<string, string> => ({
      MKT_HOST: `127.0.0.1:${engine.port}`,
      MKT_BASE_URL: `http://127.0.0.1:${engine.port}`,
      MKT_USER_ID: userId,
    }),
  };
}

async function answerPings(connection: ScriptedConnection): Promise<void> {
  for (;;) {
    await connection.next("ping");
    connection.send({ kind: "pong", time: ENGINE_TIME });
  }
}
