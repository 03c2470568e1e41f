// A market with two orders that can't trade with each other, the users who may ask for a prompt, and the arguments they give.

import type { Prompt } from "../../../core/prompts/prompt.ts";
import { Desk, type Seat, text } from "./desk.ts";
import { BASE } from "./market.ts";
import { PACKS } from "./packs.ts";

export const PROMPTS = PACKS.flatMap(({ prompts }) => prompts);

/** A value that fits, for each argument. `orderId` is that of an order in the market. */
const VALUES: Readonly<Record<string, string>> = {
  marketId: "power",
  hours: "12",
  contractId: BASE,
  userId: "alice",
  date: "2026-03-01",
  entityId: "alpha",
  counterpartyId: "gamma",
  preset: "stress",
  speed: "60",
  seed: "7",
  eventType: "heat_wave",
};

const PACK_CHOICES = ["query", "query,monitor", "query,sim", "sim", "sim,monitor,mutation"];

interface PromptSeats {
  /** An open order of alice, which crosses one of greta. */
  readonly orderId: string;
  readonly trader: Seat;
  readonly operator: Seat;
  readonly viewer: Seat;
  readonly unconnected: Seat;
  readonly readOnly: Seat;
  /** Not connected, by their packs. */
  readonly withPacks: ReadonlyMap<string, Seat>;
  /** Every one of them, and a trader whose packs can't connect. */
  readonly all: readonly Seat[];
}

export async function openPromptSeats(): Promise<PromptSeats> {
  const desk = await Desk.open();
  const [trader, greta] = [await desk.connected("alice"), await desk.connected("greta")];
  await greta.sell(BASE, 4200, 10);
  const orderId = text(await trader.buy(BASE, 4300, 10), "orderId");
  const [operator, viewer] = [await desk.connected("olga"), await desk.connected("vera")];
  const unconnected = await desk.seat("alice");
  const readOnly = await desk.seat("alice", { MKT_READ_ONLY: "1" });
  const withPacks = new Map<string, Seat>();
  for (const packs of PACK_CHOICES) withPacks.set(packs, await desk.seat("alice", { MKT_PACKS: packs }));
  const connectedOutside = await desk.seat("alice", { MKT_PACKS: "query,sim" });
  await connectedOutside.runtime.services.pubsub.connect("alice");
  const all = [trader, operator, viewer, unconnected, readOnly, ...withPacks.values(), connectedOutside];
  return { orderId, trader, operator, viewer, unconnected, readOnly, withPacks, all };
}

/** Every choice of optional arguments, with the required ones. */
export function argumentsOf({ arguments: known = {} }: Prompt, orderId: string): Record<string, string>[] {
  const value = (name: string) => name === "orderId" ? orderId : VALUES[name]!;
  const entries = Object.entries(known);
  const required = entries.filter(([, { required = true }]) => required).map(([name]) => [name, value(name)]);
  const optional = entries.filter(([, { required = true }]) => !required).map(([name]) => name);
  return Array.from({ length: 2 ** optional.length }, (_, choice) => {
    const chosen = optional.filter((_, index) => (choice >> index) % 2 === 1);
    return Object.fromEntries([...required, ...chosen.map((name) => [name, value(name)])]) as Record<string, string>;
  });
}
