// A headless simulation with agents in lockstep: while one of them decides, market time stands still. So its answers
// determine the run, and not how long it takes to give them. Agents are in other processes, or in this one.

import { isoTime } from "../../../common/iso-time.ts";
import { errorMessage } from "../../../common/error-message.ts";
import type { MarketDefinition } from "../../../engine/definition/market-definition.ts";
import type { HeadlessReport } from "../../headless/headless-report.ts";
import type { OutsideMarket } from "../../headless/outside-trader.ts";
import { type HeadlessOptions, Simulation } from "../../headless/simulate.ts";
import { entitiesOfOthers, entityDealer, tradersByEntity } from "../../population/traders.ts";
import { EntityOrders } from "../../personas/entity-orders.ts";
import { DEFAULT_LIMITS } from "../../personas/limits.ts";
import { AGENT_PROTOCOL, AgentFailure, type Hello, MAX_ACTIONS, type Welcome } from "./agent-messages.ts";
import { termsOf } from "./agent-observation.ts";
import { type AgentAddress, AgentServer, type ConnectedAgent } from "./agent-server.ts";
import { AgentSession } from "./agent-session.ts";
import { AgentTrader } from "./agent-trader.ts";

export interface AgentOptions {
  readonly address: AgentAddress;
  readonly count: number;
  readonly timeoutMs: number;
  /** Called with the address as soon as agents can connect. `giveUp`: they will not, so the run ends. */
  readonly onListening: (where: string, giveUp: (reason: string) => void) => void;
}

/**
 * Waits for the agents, then runs. Throws AgentFailure, with the agent's id, if an agent can't go on; the run has ended then.
 */
export async function simulateWithAgents(
  simulation: Omit<HeadlessOptions, "outside">,
  { address, count, timeoutMs, onListening }: AgentOptions,
): Promise<HeadlessReport> {
  const faultOf = ({ entityId }: Hello) => entityFault(simulation.definition, entityId);
  const server = new AgentServer({ address, count, timeoutMs, faultOf });
  let reason = "the run has ended";
  try {
    onListening(await server.listen(), (reason) => server.giveUp(reason));
    return await simulateInLockstep(simulation, await server.agents());
  } catch (error) {
    reason = errorMessage(error);
    throw error;
  } finally {
    await server.close(reason);
  }
}

/** Runs with agents that are there, in any kind of channel. At equal times they are woken in this order. */
export async function simulateInLockstep(
  options: Omit<HeadlessOptions, "outside">,
  agents: readonly ConnectedAgent[],
): Promise<HeadlessReport> {
  let traders: readonly AgentTrader[] = [];
  const outside = (market: OutsideMarket) => traders = tradersOf(options.definition, agents, market);
  const simulation = new Simulation({ ...options, outside });
  const runId = crypto.randomUUID();
  const sessions = new Map(traders.map((trader, index) => {
    const channel = agents[index]!.channel;
    channel.send(welcomeOf(trader, simulation, runId));
    trader.takeNews();
    return [trader.id, new AgentSession(trader, channel, simulation)];
  }));
  for (const { id } of simulation.advance()) {
    await named(id, () => sessions.get(id)!.wake());
  }
  for (const [id, session] of sessions) await named(id, () => session.finish());
  return simulation.report();
}

/** Adds the agent's id to an AgentFailure. */
async function named(id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof AgentFailure ? new AgentFailure(`${id}: ${error.message}`) : error;
  }
}

function tradersOf(
  definition: MarketDefinition,
  agents: readonly ConnectedAgent[],
  { startTime, entityOrders, forecaster }: OutsideMarket,
): AgentTrader[] {
  const traders = tradersByEntity(definition.users);
  const deal = agentDealer(definition, agents.flatMap(({ hello: { entityId } }) => entityId ?? []));
  return agents.map(({ hello }) => {
    const entityId = hello.entityId ?? deal("agent");
    const id = `agent-${hello.name}`;
    return new AgentTrader({
      id,
      forecasts: forecaster(id),
      entityId,
      userId: traders.get(entityId)?.[0] ?? "",
      limits: DEFAULT_LIMITS,
      entityOrders: entityOrders.get(entityId) ?? new EntityOrders(),
      wishes: hello,
      startTime,
    });
  });
}

/**
 * Deals entities to agents: those without personas that no agent has named, one by one, as long as there are any; then all
 * without personas in rounds. If every entity is simulated, it deals those.
 */
function agentDealer(definition: MarketDefinition, named: readonly string[]): (strategy: string) => string {
  const ofOthers = entitiesOfOthers(definition);
  const free = ofOthers.filter((id) => !named.includes(id));
  if (ofOthers.length === 0) return entityDealer([...tradersByEntity(definition.users).keys()], definition.entities);
  let count = 0;
  return () => free[count++] ?? ofOthers[(count - 1 - free.length) % ofOthers.length]!;
}

/** Null if agents may trade for the entity. */
function entityFault({ users }: MarketDefinition, entityId: string | undefined): string | null {
  const entities = [...tradersByEntity(users).keys()];
  if (entityId === undefined || entities.includes(entityId)) return null;
  return `entityId: no entity "${entityId}" with a user who may submit orders; use one of ${entities.join(", ")}`;
}

function welcomeOf(
  trader: AgentTrader,
  { experiment, run, spot, startTime, endTime }: Simulation,
  runId: string,
): Welcome {
  const { id, entityId, userId, limits } = trader;
  const { workingOrders, orderLots, contractPositionMw, totalPositionMw } = limits;
  return {
    type: "welcome",
    protocol: AGENT_PROTOCOL,
    agentId: id,
    entityId,
    userId,
    runId,
    start: isoTime(startTime),
    end: endTime === null ? null : isoTime(endTime),
    steps: experiment.steps,
    nodes: [...spot.nodes],
    limits: { workingOrders, orderLots, contractPositionMw, totalPositionMw, actionsPerWake: MAX_ACTIONS },
    contracts: run.contracts.filter((contract) => trader.watches(contract)).map(termsOf),
  };
}
