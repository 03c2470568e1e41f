// The greeting of `mkt demo` on stderr: what runs, and how to connect a client.

import { type Invocation, shellLine } from "../../common/own-invocation.ts";
import type { ClockSetting } from "../../protocol/index.ts";

export interface DemoFacts {
  readonly version: string;
  readonly market: { readonly entities: number; readonly users: number; readonly contracts: number };
  /** Host and port of the engine. */
  readonly engineAddress: string;
  /** Null on stdio. */
  readonly url: string | null;
  readonly toolCount: number;
  readonly userId: string;
  /** Users whose companies have no simulated traders. */
  readonly ownUserIds: readonly string[];
  /** How a user starts this program. */
  readonly invocation: Invocation;
  readonly clock: ClockSetting & { readonly marketTime: number };
  /** Preset of the simulation; null: none runs. */
  readonly preset: string | null;
  /** The dashboard's address as it is shown; null: there is none. */
  readonly dashboard: string | null;
}

export function demoGreeting(facts: DemoFacts): string {
  const { version, market: { entities, users, contracts }, engineAddress, url, toolCount, userId } = facts;
  const { ownUserIds, invocation } = facts;
  return [
    `mkt ${version} demo: a whole market in one process`,
    `  market   ${entities} entities, ${users} users, ${contracts} contracts`,
    `  engine   http://${engineAddress}, ws://${engineAddress}/ws`,
    `  mcp      ${url === null ? "stdio" : `${url}/mcp`}, ${toolCount} tools, acting as ${userId}`,
    ...(ownUserIds.length === 0 ? [] : [`  trade    ${whoTrades(ownUserIds)}`]),
    `  sim      ${describeSimulation(facts)}`,
    "",
    ...(url === null ? [] : howToConnect(url, invocation, ownUserIds[0] ?? userId)),
    ...(facts.dashboard === null ? [] : [`Or look at the market yourself: ${facts.dashboard}`, ""]),
  ].join("\n");
}

/** As `as willow-trader-1 or juniper-trader-1: each has a company without simulated traders`. */
export function whoTrades(userIds: readonly string[]): string {
  const choice = [userIds.slice(0, -1).join(", "), userIds.at(-1)].filter(Boolean).join(" or ");
  return `as ${choice}: each has a company without simulated traders`;
}

function describeSimulation({ preset, clock }: DemoFacts): string {
  const what = preset === null ? "stopped; mkt_sim_start starts it" : `traders by preset ${preset}`;
  return clock.mode === "real" ? what : `${what}; market time ${describeClock(clock)}`;
}

function describeClock({ mode, speed, marketTime }: DemoFacts["clock"]): string {
  const time = new Date(marketTime).toISOString();
  return mode === "lockstep" ? `stands still at ${time}` : `passes ${speed} times as fast, from ${time}`;
}

function howToConnect(url: string, { command, args }: Invocation, traderId: string): string[] {
  return [
    "Connect Claude Code:",
    `  claude mcp add --transport http mkt ${url}/mcp`,
    "Or print the configuration of another CLIENT, such as cursor, vscode or codex:",
    `  MCP_HTTP_PORT=${new URL(url).port} ${shellLine([command, ...args, "client-config", "CLIENT", "--demo"])}`,
    "",
    `Then ask it to connect to the market as ${traderId}, show the order book, and place a test order.`,
    "",
  ];
}
