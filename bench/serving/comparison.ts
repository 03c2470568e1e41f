// mkt and its peers on the same cases, and mkt on the other forms of a request.

import { aligned, duration, grouped, threeDigits } from "../table.ts";
import type { Fleet } from "./fleet.ts";
import { OTHER_FORMS, USUAL } from "./messages.ts";
import { measureInTurn, measureRound, median, ratiosOf, type Round, type RoundLength, type Side } from "./rounds.ts";
import { isEcho, type ServerName, serversOf } from "./servers.ts";

const WARM_UP = { milliseconds: 300, minProcessorMs: 0 };

export interface Comparison {
  /** Of each case. */
  readonly cases: Readonly<Record<string, Readonly<Record<ServerName, readonly Round[]>>>>;
  /** Of each form of the first case. */
  readonly forms: Readonly<Record<string, readonly Round[]>>;
}

interface Settings {
  readonly cycles: number;
  readonly length: RoundLength;
}

export async function compare(fleet: Fleet, { cycles, length }: Settings): Promise<Comparison> {
  const names = Object.keys(fleet.cases);
  // Every server has run every case for a while before the first is measured, so none is measured half compiled.
  for (const name of names) await warmUp(await allOf(serversOf(name), (server) => fleet.side(server, [name])));
  const cases = await allOf(names, async (name) => {
    const sides = await allOf(serversOf(name), (server) => fleet.side(server, [name]));
    await warmUp(sides);
    return await measureInTurn(sides, cycles, length);
  });
  const forms = Object.fromEntries([USUAL, ...OTHER_FORMS].map((form) => [form.name, form]));
  const sides = await allOf(Object.keys(forms), (form) => fleet.side("mkt", names.slice(0, 1), forms[form]));
  await warmUp(sides);
  return { cases, forms: await measureInTurn(sides, cycles, length) };
}

async function warmUp(sides: Readonly<Record<string, Side>>): Promise<void> {
  for (const side of Object.values(sides)) await measureRound(side, WARM_UP);
}

/** The values in turn, one after the other. */
async function allOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Promise<Value>,
): Promise<Record<Name, Value>> {
  const entries: [Name, Value][] = [];
  for (const name of names) entries.push([name, await valueOf(name)]);
  return Object.fromEntries(entries) as Record<Name, Value>;
}

/**
 * What mkt must reach against a peer, as a ratio of processor times; null if it is only shown. The share of an echo is required
 * of an echo of the same bytes: it sends what mkt sends. An echo of the short request does less, and is the harder peer.
 */
export function requiredAgainst(server: ServerName, name: string): number | null {
  return (name === "tools/list" ? REQUIRED.lists : REQUIRED.calls)[server] ?? null;
}

const REQUIRED: Readonly<Record<"calls" | "lists", Partial<Record<ServerName, number>>>> = {
  calls: { SDK: 3.5, tmcp: 1, "hono echo": 0.45, "hono echo of the answer": 0.45 },
  lists: { SDK: 30, "SDK, schemas kept": 6 },
};

export function comparisonTables({ cases, forms }: Comparison): string {
  const rows = Object.entries(cases).flatMap(([name, rounds]) => rowsOf(name, rounds));
  const header = [
    "case",
    "server",
    "processor time",
    "calls/s",
    "mkt / server, processor",
    "mkt / server, calls/s",
    "required",
  ];
  const formRows = Object.entries(forms).map(([name, rounds]) => [name, ...figuresOf(rounds)]);
  const [calls] = Object.values(cases);
  const generator = median(Object.values(calls ?? {}).flat().map((round) => round.generatorMicroseconds));
  return [
    aligned(header, rows),
    `The load generator itself needs ${duration(generator * 1000)} of processor time for a call of the first case.`,
    "mkt on other forms of the first case:",
    aligned(["form", "processor time", "calls/s"], formRows),
  ].join("\n\n");
}

function rowsOf(name: string, rounds: Readonly<Record<ServerName, readonly Round[]>>): string[][] {
  return serversOf(name).map((server) => {
    const figures = [name, server, ...figuresOf(rounds[server])];
    if (server === "mkt") return [...figures, "", "", ""];
    const required = requiredAgainst(server, name);
    const { processor, rate } = ratiosOf(rounds.mkt, rounds[server]);
    return [...figures, ...[processor, rate, required].map((ratio) => shownRatio(server, ratio))];
  });
}

function figuresOf(rounds: readonly Round[]): string[] {
  const rate = median(rounds.map(({ callsPerSecond }) => callsPerSecond));
  const microseconds = median(rounds.map(({ microseconds }) => microseconds));
  return [duration(microseconds * 1000), grouped(Math.round(rate))];
}

/** Against an echo, mkt can only lose, so the share is shown. */
function shownRatio(server: ServerName, ratio: number | null): string {
  if (ratio === null) return "";
  return isEcho(server) ? `${threeDigits(ratio * 100)} %` : threeDigits(ratio);
}
