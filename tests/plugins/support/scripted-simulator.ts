// A control API over real HTTP that answers as a test tells it: for refusals and faults that a real simulator can't be made
// to give on purpose. Its default answers fit the protocol.

import {
  simulationStatus,
  SIMULATOR_PATHS,
  spotResponse,
  startSimulationResponse,
  stopSimulationResponse,
  triggerEventResponse,
} from "../../../protocol/index.ts";
import { atEnd } from "../../support/at-end.ts";

const NOW = "2030-07-01T12:00:00.000Z";

function persona(id: string, strategy: string) {
  return {
    id,
    strategy,
    userId: `${id}-user`,
    entityId: "alpha",
    state: "trading",
    connected: true,
    workingOrders: 2,
    orders: 9,
    changes: 5,
    cancels: 3,
    rejected: 1,
    trades: 4,
    volumeMw: 20,
    netPositionMw: -5,
    positions: [{ contractId: "base-1", netPositionMw: -5 }],
    cash: 1234.5,
    profitAndLoss: -7.25,
    tradingResult: -7.25,
    physicalResult: null,
    surplus: 12.5,
    lossLimit: 5_000_000,
    stoppedUntil: null,
    stoppedForLosses: 0,
  };
}

export const STATUS = simulationStatus.parse({
  status: "running",
  preset: "calm",
  seed: 7,
  speed: 10,
  startedAt: NOW,
  simulatedTime: NOW,
  failure: null,
  personas: [persona("zic-1", "zic"), persona("zip-1", "zip"), persona("zic-2", "zic")],
  totals: {
    personas: 3,
    connected: 3,
    workingOrders: 6,
    orders: 27,
    cancels: 9,
    rejected: 3,
    trades: 8,
    volumeMw: 40,
    physicalResult: 0,
    surplus: 37.5,
    stoppedForLosses: 0,
  },
  metrics: { smithsAlpha: 4.5, allocativeEfficiency: 97.5, twoSidedBooks: 100, meanSpread: 1.25 },
});

export const EVENT = triggerEventResponse.shape.event.parse({
  id: "event-1",
  type: "heat_wave",
  node: null,
  size: 2,
  startedAt: NOW,
  endsAt: "2030-07-02T12:00:00.000Z",
  remaining: 1,
});

function node(name: string, price: number) {
  return { node: name, price, regime: "base", time: NOW, history: [{ time: NOW, price, regime: "spike" }] };
}

export const SPOT = spotResponse.parse({
  status: "running",
  nodes: [node("NORTH", 3150), node("WEST", -420)],
  congested: true,
  events: [EVENT],
});

const ANSWERS: Readonly<Record<string, unknown>> = {
  [`POST ${SIMULATOR_PATHS.start}`]: startSimulationResponse.parse({ ...STATUS, changed: true }),
  [`POST ${SIMULATOR_PATHS.stop}`]: stopSimulationResponse.parse({
    ...STATUS,
    status: "stopped",
    changed: true,
    ordersCancelled: 6,
    personasDisconnected: 3,
  }),
  [`GET ${SIMULATOR_PATHS.status}`]: STATUS,
  [`GET ${SIMULATOR_PATHS.spot}`]: SPOT,
  [`POST ${SIMULATOR_PATHS.events}`]: triggerEventResponse.parse({ event: EVENT }),
};

interface SeenRequest {
  /** Method and path with its query. */
  readonly line: string;
  readonly userId: string | null;
  readonly authorization: string | null;
  readonly body: unknown;
}

/** `line` is that of SeenRequest. */
type Reply = (line: string) => Response | Promise<Response>;

/** Ends with the test, or with the file, that made it. */
export class ScriptedSimulator {
  readonly requests: SeenRequest[] = [];
  #reply: Reply | null = null;
  readonly #server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => this.#answer(request) });
  readonly url = `http://127.0.0.1:${this.#server.port}`;

  /** From now on every request gets this answer. */
  replies(reply: Reply): void {
    this.#reply = reply;
  }

  refuses(status: number, code: string, message: string): void {
    this.replies(() => Response.json({ error: { code, message } }, { status }));
  }

  /** Ends every connection without answering open requests. */
  async breakDown(): Promise<void> {
    await this.#server.stop(true);
  }

  constructor() {
    atEnd(() => this.breakDown());
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const text = await request.text();
    const line = `${request.method} ${pathname}${search}`;
    this.requests.push({
      line,
      userId: request.headers.get("X-Mkt-User"),
      authorization: request.headers.get("Authorization"),
      body: text === "" ? undefined : JSON.parse(text),
    });
    if (this.#reply !== null) return await this.#reply(line);
    const answer = ANSWERS[`${request.method} ${pathname}`];
    if (answer !== undefined) return Response.json(answer);
    return Response.json({ error: { code: "not_found", message: `no route ${pathname}` } }, { status: 404 });
  }
}
