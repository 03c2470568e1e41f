// Everything that one agent needs to trade through an mkt of its own: the compiled executable over HTTP, an official
// client, a trader and a follower of events, which has yet to be started.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { atEnd } from "../../support/at-end.ts";
import { connectHttp, succeed, type TestClient } from "../../support/clients.ts";
import { startHttpServer } from "../../support/executable.ts";
import { differenceFrom, type EngineView } from "./engine-view.ts";
import { EventFollower } from "./event-follower.ts";
import { Trader } from "./trader.ts";
import { until } from "../../support/until.ts";

export interface TradingPostOptions {
  readonly userId: string;
  readonly env: Readonly<Record<string, string>>;
  readonly random: SeededRandom;
  readonly greatestPauseMs: number;
  /** Between two polls of the follower. */
  readonly pollPauseMs: number;
  readonly calmForMs?: () => number;
  readonly mayBeGarbled?: boolean;
}

/** Contracts whose delivery begins well after any test. */
const CONTRACTS = 4;

export class TradingPost {
  private constructor(
    readonly client: TestClient,
    readonly trader: Trader,
    readonly follower: EventFollower,
  ) {}

  static async open(options: TradingPostOptions): Promise<TradingPost> {
    const { env, pollPauseMs, calmForMs = () => 0 } = options;
    const server = await startHttpServer({ ...env });
    const client = await connectHttp("v2", server.url);
    await connect(client);
    const { modules } = await succeed(client, "mkt_find_modules", {
      moduleType: "CONTRACT",
      limit: 1000,
      includeData: true,
    });
    const contractIds = (modules as { id: string; deliveryStart: string; lot: number; tick: number }[])
      .filter(({ lot, tick }) => lot === 1 && tick === 1)
      .sort((a, b) => b.deliveryStart.localeCompare(a.deliveryStart)).slice(0, CONTRACTS).map(({ id }) => id);
    const trader = new Trader({ ...options, client, contractIds, calmForMs });
    // A failed test leaves the trader at work.
    atEnd(() => trader.stop());
    return new TradingPost(client, trader, new EventFollower(client, pollPauseMs));
  }

  async connected(): Promise<void> {
    await until(() => this.pubsub(), ({ status }) => status === "connected");
  }

  async pubsub(): Promise<Record<string, unknown>> {
    const { connections } = await succeed(this.client, "mkt_connection_status");
    return (connections as { pubsub: Record<string, unknown> }).pubsub;
  }

  /** Connects where it is not connected; while a lost connection is coming back, tries at once. */
  async connect(): Promise<void> {
    await connect(this.client);
  }

  /** Waits until mkt shows what the engine has, and the follower has been told of every event; throws where it does not. */
  async agreesWith(view: EngineView): Promise<void> {
    await until(() => this.follower.since >= view.sequence);
    await this.follower.stop();
    const difference = await differenceFrom(view, this.client);
    if (difference !== null) throw new Error(difference);
    if (this.follower.unaccounted !== 0) {
      throw new Error(`${this.follower.unaccounted} events were neither seen nor missed`);
    }
  }
}

async function connect(client: TestClient): Promise<void> {
  await until(() => client.call("mkt_connect_pubsub"), ({ isError }) => !isError);
}
