// What one agent needs to trade through its own mkt, which serves HTTP in this process: an official client, a trader, and
// one who polls events, if the test asks for it.

import type { SeededRandom } from "../../../sim/random/seeded-random.ts";
import { atEnd } from "../../support/at-end.ts";
import { httpServerHere } from "../../support/in-process.ts";
import { succeed, type TestClient } from "../../support/official-client.ts";
import { differenceFrom, type EngineView } from "./engine-view.ts";
import { EventPoller } from "./event-poller.ts";
import { Trader } from "./trader.ts";
import { until } from "../../support/until.ts";

interface TradingPostOptions {
  readonly userId: string;
  readonly env: Readonly<Record<string, string>>;
  readonly random: SeededRandom;
  readonly greatestPauseMs: number;
  /** The wait between two polls. */
  readonly untilPoll: () => Promise<void>;
  readonly answersSinceFault?: () => number;
  readonly mayBeGarbled?: boolean;
}

/** Number of contracts to trade: those with the latest delivery. */
const CONTRACTS = 4;

export class TradingPost {
  /** Null before `poll`. */
  poller: EventPoller | null = null;

  private constructor(readonly client: TestClient, readonly trader: Trader, readonly untilPoll: () => Promise<void>) {}

  static async open(options: TradingPostOptions): Promise<TradingPost> {
    const { env, untilPoll, answersSinceFault = () => 0 } = options;
    const client = await (await httpServerHere({ ...env })).client();
    await connect(client);
    const query = { moduleType: "CONTRACT", limit: 1000, fields: ["deliveryStart", "lot", "tick"] };
    const { modules } = await succeed(client, "mkt_find_modules", query);
    const contractIds = (modules as { id: string; deliveryStart: string; lot: number; tick: number }[])
      .filter(({ lot, tick }) => lot === 1 && tick === 1)
      .sort((a, b) => b.deliveryStart.localeCompare(a.deliveryStart)).slice(0, CONTRACTS).map(({ id }) => id);
    const trader = new Trader({ ...options, client, contractIds, answersSinceFault });
    // After a failure the trader would otherwise keep trading.
    atEnd(() => trader.stop());
    return new TradingPost(client, trader, untilPoll);
  }

  /** Polls events from now on. */
  async poll(): Promise<void> {
    const { latestSequence, epoch } = await succeed(this.client, "mkt_get_recent_events", { limit: 1 });
    const options = { mayMiss: true, pause: this.untilPoll };
    this.poller = new EventPoller(this.client, Number(latestSequence), Number(epoch), options);
  }

  async connected(): Promise<void> {
    await until(() => this.pubsub(), ({ status }) => status === "connected");
  }

  async pubsub(): Promise<Record<string, unknown>> {
    const { connections } = await succeed(this.client, "mkt_connection_status");
    return (connections as { pubsub: Record<string, unknown> }).pubsub;
  }

  /** Connects if it is not connected. During a reconnect it tries at once. */
  async connect(): Promise<void> {
    await connect(this.client);
  }

  /** Waits until every event is known. Throws if mkt then differs from the engine, or an event is unaccounted. */
  async agreesWith(view: EngineView): Promise<void> {
    const { poller } = this;
    if (poller === null) throw new Error("nobody polls events");
    await Promise.race([poller.failed, until(() => poller.since >= view.sequence)]);
    await poller.end();
    const difference = await differenceFrom(view, this.client);
    if (difference !== null) throw new Error(difference);
    if (poller.failures.size > 0) throw new Error(`pages were not read: ${[...poller.failures.keys()].join("; ")}`);
    if (poller.unaccounted !== 0) throw new Error(`${poller.unaccounted} events were neither seen nor missed`);
  }
}

async function connect(client: TestClient): Promise<void> {
  await until(() => client.call("mkt_connect_pubsub"), ({ isError }) => !isError);
}
