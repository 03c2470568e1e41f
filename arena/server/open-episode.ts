// Opens an episode: an agent's MCP runtime on the market of a world. It is the runtime of every mkt, with the same tools, but
// for its connections, which end in this process, and for its time, which is market time.

import { logger } from "../../common/logger.ts";
import { type Advice, NEUTRAL_ADVICE } from "../../core/advice.ts";
import { BackendAuditStore } from "../../core/audit/backend-audit-store.ts";
import { HttpStateClient } from "../../core/backend/http-state-client.ts";
import { readConfiguration } from "../../core/config/environment.ts";
import { ToolCatalogue } from "../../core/dispatch/catalogue.ts";
import { type Offers, offersOf } from "../../core/dispatch/offers.ts";
import { EventBuffer } from "../../core/market/event-buffer.ts";
import { Snapshot } from "../../core/market/snapshot.ts";
import type { Pack } from "../../core/packs/pack.ts";
import type { Program } from "../../core/runtime.ts";
import { ToolError } from "../../core/error.ts";
import type { Services } from "../../core/tools/context.ts";
import { embeddedRoutes } from "../../engine/embedded/embedded-routes.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { Loss } from "../incidents/stage.ts";
import type { Mandate } from "../scenario/mandate.ts";
import type { Answer } from "../scenario/operating-terms.ts";
import type { World } from "../world/world.ts";
import { arenaPack } from "../pack/arena-pack.ts";
import { CallTime } from "./call-time.ts";
import { type AnsweredCall, EpisodeDispatcher } from "./episode-dispatcher.ts";
import { EpisodePubSub } from "./episode-pubsub.ts";
import { episodeSimulator } from "./episode-simulator.ts";
import { type EpisodeEnd, EpisodeTime } from "./episode-time.ts";
import { untilOver } from "./until-over.ts";

interface EpisodeOptions {
  readonly world: World;
  readonly mandate: Mandate;
  /** Those of its terms. */
  readonly contracts?: readonly TradedContract[];
  /** The agent's until now, in dollars, which its brief tells; null if none is asked for. */
  readonly result?: () => number | null;
  /** Market time at which it ends, in milliseconds since the epoch. */
  readonly endTime: number;
  /** The most that the agent may make. */
  readonly calls: number;
  /** Default: a call takes no market time. */
  readonly callTime?: CallTime;
  /** Those that the scenario offers. */
  readonly packs: readonly Pack[];
  readonly program: Pick<Program, "version" | "instructions">;
  /** Gets the agent's answer to what the scenario asks. */
  readonly onAnswer?: (answer: Answer) => void;
  /** What becomes of the agent's next orders: the answer to each is lost, or the request with it. Oldest first. */
  readonly losses?: Loss[];
  /** Gets each call when it has been answered. */
  readonly onCall?: ((call: AnsweredCall) => void) | undefined;
}

export interface Episode {
  readonly dispatcher: EpisodeDispatcher;
  readonly offers: Offers;
  /** What has ended it; null if it goes on. */
  readonly ended: () => EpisodeEnd;
}

/** Events of each category that an agent can ask for. */
const KEPT_EVENTS = 2_000;
/** Nothing listens there: requests stay in this process. */
const HOST = "arena.invalid";
const NO_TIME = new CallTime({ mode: "turns" }, () => 0);
const CALLER = { address: "in this process" };

export function openEpisode(options: EpisodeOptions): Episode {
  const { world, mandate, contracts = [], result = () => null, endTime, calls, packs: given, program } = options;
  const { onAnswer = () => {}, losses = [], callTime = NO_TIME, onCall = () => {} } = options;
  const { userId } = mandate;
  const configuration = configurationFor(userId);
  const snapshot = new Snapshot();
  const events = new EventBuffer(KEPT_EVENTS);
  const time = new EpisodeTime({ world, endTime, calls, onPassed: () => pubsub.read() });
  const packs = [
    ...given,
    arenaPack({ mandate, contracts, forecast: (contract) => world.forecastOf(contract), result, onAnswer }, time),
  ];
  const advice: Advice = Object.assign({}, NEUTRAL_ADVICE, ...packs.map((pack) => pack.advice));
  const { confirmTimeoutMs } = configuration.backend;
  const pubsub = new EpisodePubSub({
    world,
    userId,
    snapshot,
    events,
    advice,
    losses,
    confirmTimeoutMs,
    timers: time.timers,
    log: logger("pubsub"),
  });
  const routes = embeddedRoutes(world.engine, logger("engine"));
  const send = async (url: string, init: RequestInit) => await routes.fetch(new Request(url, init), CALLER);
  const http = { baseUrl: configuration.backend.baseUrl, token: null, actingUserId: () => userId, send };
  const tools = packs.flatMap((pack) => pack.tools.map((tool) => untilOver(tool, time)));
  const catalogue = new ToolCatalogue(tools, { outputSchemas: configuration.outputSchemas });
  const services: Services = {
    configuration,
    replicas: null,
    redis: () => ({ status: "not_configured" }),
    frozen: () => null,
    freeze: () => Promise.reject(new ToolError("not_configured", "An episode can't be frozen.", "Cancel your orders.")),
    backend: new HttpStateClient(http),
    pubsub,
    snapshot,
    events,
    audit: new BackendAuditStore(http),
    simulator: episodeSimulator(world),
    server: { name: "mkt", ...program, tools: new Set(catalogue.names) },
    advice,
    now: () => world.now,
    log: logger("tools"),
  };
  const dispatcher = new EpisodeDispatcher(catalogue, services, time, callTime, onCall);
  return { dispatcher, offers: offersOf(packs, dispatcher), ended: () => time.ended };
}

function configurationFor(userId: string) {
  const read = readConfiguration({
    MKT_HOST: HOST,
    MKT_USER_ID: userId,
    MKT_ALLOWED_USER_IDS: userId,
    MKT_AUDIT_STORE: "backend",
  });
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}
