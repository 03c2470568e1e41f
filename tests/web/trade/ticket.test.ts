// The states of a prepared order: what each move does in each of them.

import { describe, expect, test } from "bun:test";
import type { Deed } from "../../../web/dashboard/trade/deed.ts";
import type { DeedRequest } from "../../../web/dashboard/trade/request.ts";
import { type Move, nextTicket, NO_TICKET, type Ticket } from "../../../web/dashboard/trade/ticket.ts";
import { deed, ORDER } from "./support.ts";

const userId = "anna";
const BUY = deed({ megawatts: "5" });
const OTHER: Deed = { kind: "cancel", contractId: "N-9", order: ORDER };
const request: DeedRequest = { path: "/dashboard/tools/x", body: { arguments: {} }, idempotencyKey: "k1" };
const later: DeedRequest = { ...request, idempotencyKey: "k2" };
const report = { code: "timeout", message: "No answer." };

const TICKETS = {
  none: NO_TICKET,
  prepared: { step: "prepared", deed: BUY, userId },
  sent: { step: "sent", deed: BUY, userId, request },
  done: { step: "done", deed: BUY, userId, message: "Order ORD-1 is working." },
  refused: { step: "refused", deed: BUY, userId, report },
  unknown: { step: "unknown", deed: BUY, userId, request, report },
} as const satisfies Record<Ticket["step"], Ticket>;
type Step = Ticket["step"];
const STEPS = Object.keys(TICKETS) as Step[];

const PREPARED_OTHER: Ticket = { step: "prepared", deed: OTHER, userId };
const AMENDED: Ticket = { step: "prepared", deed: { ...BUY, price: "47.00" } as Deed, userId };

/** What each move makes of each state; a state that is not named stays as it is. */
const MOVES: Record<string, { readonly move: Move; readonly to: Partial<Record<Step, Ticket>> }> = {
  "another preparation": {
    move: { kind: "prepare", deed: OTHER, userId },
    to: { none: PREPARED_OTHER, prepared: PREPARED_OTHER, done: PREPARED_OTHER, refused: PREPARED_OTHER },
  },
  "another price": {
    move: { kind: "amend", typed: { price: "47.00" } },
    to: { prepared: AMENDED, refused: AMENDED },
  },
  "Enter": { move: { kind: "send", userId, request }, to: { prepared: TICKETS.sent } },
  "Enter, once another user acts": { move: { kind: "send", userId: "bert", request }, to: { prepared: NO_TICKET } },
  "a repetition": { move: { kind: "repeat", userId }, to: { unknown: TICKETS.sent } },
  "a repetition, once another user acts": { move: { kind: "repeat", userId: "bert" }, to: {} },
  "a success": {
    move: { kind: "answer", request, outcome: { kind: "success", message: TICKETS.done.message, result: {} } },
    to: { sent: TICKETS.done },
  },
  "a refusal": {
    move: { kind: "answer", request, outcome: { kind: "failed", report } },
    to: { sent: TICKETS.refused },
  },
  "a lost answer": {
    move: { kind: "answer", request, outcome: { kind: "unknown", report } },
    to: { sent: TICKETS.unknown },
  },
  "an answer that nobody asked for": {
    move: { kind: "answer", request: later, outcome: { kind: "failed", report } },
    to: {},
  },
  "Escape": {
    move: { kind: "drop" },
    to: { prepared: NO_TICKET, done: NO_TICKET, refused: NO_TICKET, unknown: NO_TICKET },
  },
  "another page or user": { move: { kind: "leave" }, to: { prepared: NO_TICKET, done: NO_TICKET, refused: NO_TICKET } },
};

describe.each(Object.entries(MOVES))("%s", (_name, { move, to }) => {
  test.each(STEPS)("in the state %s", (step) => {
    const before: Ticket = TICKETS[step];
    const after = nextTicket(before, move);
    expect(after).toEqual(to[step] ?? before);
    if (to[step] === undefined) expect(after).toBe(before);
  });
});

test("a repetition sends the very request whose outcome is unknown", () => {
  const again = nextTicket(TICKETS.unknown, { kind: "repeat", userId });
  expect(again.step === "sent" && again.request).toBe(request);
});

test("a cancel has nothing to amend", () => {
  expect(nextTicket(PREPARED_OTHER, { kind: "amend", typed: { price: "1" } })).toBe(PREPARED_OTHER);
});

test("what nobody agreed to leaves nothing", () => {
  const move: Move = { kind: "answer", request, outcome: { kind: "cancelled" } };
  expect(nextTicket(TICKETS.sent, move)).toBe(NO_TICKET);
});
