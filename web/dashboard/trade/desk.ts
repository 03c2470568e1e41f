// The prepared order of this page, and sending it. There is one at a time.

import { computed, signal } from "@preact/signals";
import type { ToolReply } from "../../contract/calls.ts";
import { market } from "../live/market-store.ts";
import { send } from "../live/server.ts";
import { isControl } from "../live/session.ts";
import { newKey } from "../operation/confirmation.ts";
import { type Outcome, outcomeOf, outcomeOfError } from "../operation/outcome.ts";
import type { Deed } from "./deed.ts";
import { cancelRequest, type DeedRequest, requestOf } from "./request.ts";
import type { Terms } from "./terms.ts";
import { type Move, nextTicket, NO_TICKET, type Ticket } from "./ticket.ts";

/** Of the acting user, to place, change and cancel orders. */
export const TRADE_PERMISSION = "Order.Submit";

/** Whether this page shows what trades: only in control, and if the acting user has an entity and the permission. */
export const mayTrade = computed(() => {
  const { entityId = null, permissions = [] } = market.connection.value ?? {};
  return isControl.value && entityId !== null && permissions.includes(TRADE_PERMISSION);
});

export const ticket = signal<Ticket>(NO_TICKET);

/** How often something was prepared: the form takes the focus then. */
export const preparations = signal(0);

function make(move: Move): boolean {
  const before = ticket.peek();
  ticket.value = nextTicket(before, move);
  return ticket.peek() !== before;
}

/** Nothing is sent. Does nothing while the outcome of another one is not known. */
export function prepare(deed: Deed): void {
  const userId = actingUser();
  if (userId !== null && make({ kind: "prepare", deed, userId })) preparations.value++;
}

export function amend(typed: Extract<Move, { readonly kind: "amend" }>["typed"]): void {
  make({ kind: "amend", typed });
}

export function drop(): void {
  make({ kind: "drop" });
}

/** Called when the page, or the acting user, becomes another one. */
export function leave(): void {
  make({ kind: "leave" });
}

/** Sends what is prepared, or repeats what is unknown. `terms`: of what was typed; null for a cancel. */
export async function confirm(terms: Terms | null): Promise<void> {
  const now = ticket.peek();
  const userId = actingUser();
  if (userId === null || !make(moveOf(now, terms, userId))) return;
  const sent = ticket.peek();
  if (sent.step !== "sent") return;
  const { request } = sent;
  make({ kind: "answer", request, outcome: await carryOut(request) });
}

function moveOf(now: Ticket, terms: Terms | null, userId: string): Move {
  if (now.step !== "prepared") return { kind: "repeat", userId };
  const { deed } = now;
  if (deed.kind === "cancel") return { kind: "send", userId, request: cancelRequest(deed.order.id, newKey()) };
  if (terms === null) throw new Error("an order without terms");
  return { kind: "send", userId, request: requestOf(deed, terms, newKey()) };
}

export async function carryOut({ path, body }: DeedRequest): Promise<Outcome> {
  try {
    const reply = await send("POST", path, body) as ToolReply;
    if (reply.kind === "result") return outcomeOf(reply);
    return { kind: "failed", report: { code: "forbidden", message: reply.question } };
  } catch (error) {
    return outcomeOfError(error);
  }
}

function actingUser(): string | null {
  return market.connection.peek()?.userId ?? null;
}
