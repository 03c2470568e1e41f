// The market in which an agent without a model follows the steps of prompts, and its users.

import { until } from "../../support/until.ts";
import { Desk, list, type Seat, text, type Value } from "./desk.ts";
import { BASE, MARKET } from "./market.ts";
import { PromptFollower } from "./prompt-follower.ts";
import { promptOf } from "./prompts.ts";

/** Limits the trade between alpha and beta. */
export const LIMIT = {
  entityId: "beta",
  counterpartyId: "alpha",
  limitType: "mw",
  scope: "per_contract",
  contractId: BASE,
};
const USUAL_LIMIT = 80;

export class PromptMarket {
  /** Anna is a colleague of alice. */
  private constructor(
    readonly desk: Desk,
    readonly alice: Seat,
    readonly anna: Seat,
    readonly bob: Seat,
    readonly greta: Seat,
    readonly olga: Seat,
  ) {}

  static async open(): Promise<PromptMarket> {
    const anna = { id: "anna", name: "Anna", entityId: "alpha", permissions: ["Market.View", "Order.Submit"] } as const;
    const users = [...MARKET.users, { ...anna, permissions: [...anna.permissions] }];
    const desk = await Desk.open({ ...MARKET, users });
    const seat = (userId: string) => desk.connected(userId);
    return new PromptMarket(
      desk,
      await seat("alice"),
      await seat("anna"),
      await seat("bob"),
      await seat("greta"),
      await seat("olga"),
    );
  }

  /** An open market without orders and with the usual limit. */
  async restore(): Promise<void> {
    await this.olga.ok("mkt_resume_market");
    await this.olga.ok("mkt_flush_all_orders", { confirm: true });
    await this.bob.ok("mkt_set_credit_limit", { ...LIMIT, limit: USUAL_LIMIT });
    const ofPair = { equals: { entityId: LIMIT.entityId, counterpartyId: LIMIT.counterpartyId }, limit: 1 };
    await until(() => {
      const [credit] = this.olga.runtime.services.snapshot.find("CREDIT", ofPair).modules;
      return credit?.limits.some(({ limit }) => limit === USUAL_LIMIT) === true;
    });
  }

  /** The user's seat, or another one that is not connected yet. */
  async seatOf(userId: "alice" | "bob" | "olga", isCold: boolean): Promise<Seat> {
    return isCold ? await this.desk.seat(userId) : this[userId];
  }
}

/** Whether the agent's process is connected already, or the first step connects it. */
export const AGENTS = [["connected", false], ["not connected", true]] as const;

/** The prompt's steps, as the user of the seat follows them. `orders`: Judgement of prompt-follower.ts. */
export async function followed(
  seat: Seat,
  name: string,
  given: Record<string, string> = {},
  orders?: (follower: PromptFollower) => string[],
): Promise<PromptFollower> {
  const follower = new PromptFollower((tool, parameters) => seat.call(tool, parameters), orders && { orders });
  return await follower.follow(await promptOf(seat.runtime, name, given));
}

export async function idOf(order: Promise<Value>): Promise<string> {
  return text(await order, "orderId");
}

/** Waits until the user's own connection has told of it, because another user has caused it. */
export async function seenBy(seat: Seat, type: "ORDER" | "MARKET", id: string, status: string): Promise<void> {
  await until(() => seat.runtime.services.snapshot.get(type, id)?.status === status);
}

export const reasonsOf = (answer: Value) => list(answer, "blockedBy").map(({ reason }) => reason);
export const eventsIn = (answer: Value) => list(answer, "events").map(({ event }) => event);
export const findsOf = (moduleType: string) => (parameters: Value) => parameters["moduleType"] === moduleType;
