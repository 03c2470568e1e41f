// An agent for tests: a real socket, and a function that decides.

import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { builtInMarket } from "../../../../engine/definition/built-in-market.ts";
import type { Experiment } from "../../../../sim/experiment/experiment.ts";
import { presetExperiment } from "../../../../sim/experiment/read-experiment.ts";
import type {
  Action,
  ActionResult,
  Answer,
  Hello,
  MktMessage,
  Next,
  Observe,
} from "../../../../sim/outside/agents/agent-messages.ts";
import type { AgentAddress } from "../../../../sim/outside/agents/agent-server.ts";
import { type AgentOptions, simulateWithAgents } from "../../../../sim/outside/agents/simulate-with-agents.ts";
import { atEnd } from "../../../support/at-end.ts";
import { HOUR, seldomRevised } from "../../headless/support.ts";

interface Decision {
  readonly actions?: readonly Action[];
  readonly next?: Omit<Partial<Next>, "type">;
  readonly leaves?: boolean;
}

export interface AgentPlan {
  readonly hello?: Partial<Hello>;
  readonly decide?: (observation: Observe, count: number) => Decision | Promise<Decision>;
  readonly onAnswer?: (results: readonly ActionResult[]) => void;
  /** Further actions after an answer; without them the agent says `next`. */
  readonly further?: () => readonly Action[] | undefined;
}

/** `where`: a port, or the path of a Unix socket. */
export function connectTo(where: string): Socket {
  const port = /(\d+)$/.exec(where)?.[1];
  const socket = where.includes("/") ? connect(where) : connect(Number(port), "127.0.0.1");
  atEnd(() => void socket.destroy());
  return socket;
}

/** Takes part until the connection ends. Returns every message it was sent. */
export async function playAgent(
  where: string,
  { hello, decide = () => ({}), onAnswer, further }: AgentPlan,
): Promise<MktMessage[]> {
  const socket = connectTo(where);
  const send = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
  const messages: MktMessage[] = [];
  let observations = 0;
  let next: Decision["next"] = {};
  send({ type: "hello", protocol: 1, name: "tester", ...hello });
  for await (const line of createInterface({ input: socket })) {
    const message = JSON.parse(line) as MktMessage;
    messages.push(message);
    if (message.type === "observe") {
      const decision = await decide(message as Observe, observations++);
      if (decision.leaves) {
        send({ type: "leave" });
        continue;
      }
      next = decision.next;
      if (decision.actions === undefined) send({ type: "next", ...next });
      else send({ type: "act", actions: decision.actions });
    }
    if (message.type === "answer") {
      onAnswer?.((message as Answer).results);
      const actions = further?.();
      send(actions ? { type: "act", actions } : { type: "next", ...next });
    }
  }
  return messages;
}

/** Of the given type. */
export function only<Type extends MktMessage["type"]>(
  messages: readonly MktMessage[],
  type: Type,
): (MktMessage & { readonly type: Type })[] {
  return messages.filter((message) => message.type === type) as (MktMessage & { readonly type: Type })[];
}

/** A bid and an ask around the forecast in the first open book, in place of all open orders. */
export function quotesAround({ orders, books }: Observe): Action[] {
  const book = books.find(({ isOpen }) => isOpen);
  const cancels = orders.map(({ orderId }): Action => ({ kind: "cancel", orderId }));
  if (book === undefined) return cancels;
  const { contractId, forecast } = book;
  const quote = (side: "BUY" | "SELL", price: number): Action => ({
    kind: "submit",
    contractId,
    side,
    price: Math.round(price),
    quantity: 5,
  });
  return [...cancels, quote("BUY", 0.997 * forecast), quote("SELL", 1.003 * forecast)];
}

/** What each agent was told, but for the id of the run. */
export function withoutRunId(told: readonly (readonly object[])[]): object[][] {
  return told.map((messages) => messages.map((message) => "runId" in message ? { ...message, runId: "" } : message));
}

export function lasting(length: Partial<Experiment>) {
  const thin = seldomRevised(presetExperiment("thin"), HOUR);
  return { definition: builtInMarket(), experiment: { ...thin, seed: 7, hours: 0.25, ...length } };
}

interface Hosted extends Partial<AgentOptions> {
  readonly length?: Partial<Experiment>;
}

/** A run that waits for one agent, by default. */
export function host(onListening: AgentOptions["onListening"], { length = {}, ...options }: Hosted = {}) {
  const address = { port: 0 };
  return simulateWithAgents(lasting(length), { address, count: 1, timeoutMs: 600_000, onListening, ...options });
}

/** The report of a run, and what each of its agents was sent. */
export async function play(
  plans: readonly AgentPlan[],
  length: Partial<Experiment> = {},
  address: AgentAddress = { port: 0 },
) {
  const playing: Promise<MktMessage[]>[] = [];
  const start = (where: string) => void playing.push(...plans.map((plan) => playAgent(where, plan)));
  const report = await host(start, { address, count: plans.length, length });
  return { report, messages: await Promise.all(playing) };
}

export function submission(changes: object = {}): Action {
  return { kind: "submit", contractId: "NORTH-DA-BASE-2026-03-03", side: "BUY", price: 100, quantity: 1, ...changes };
}
