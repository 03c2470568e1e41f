// The states of the one order, change or cancel that a person has prepared:
//
//   none --prepare--> prepared --send--> sent --answer--> done | refused | unknown
//   refused --amend--> prepared      unknown --repeat--> sent (the same request, so nothing is done twice)
//
// A click only prepares. What is sent or unknown is never forgotten by itself: another preparation waits until its outcome is
// known, or until the person has dropped an unknown one.

import type { ErrorReport } from "../../contract/calls.ts";
import type { Outcome } from "../operation/outcome.ts";
import type { Deed, Typed } from "./deed.ts";
import type { DeedRequest } from "./request.ts";

interface Prepared {
  readonly deed: Deed;
  /** As whom it was prepared. Nobody else sends it. */
  readonly userId: string;
}

interface Requested extends Prepared {
  readonly request: DeedRequest;
}

export type Ticket =
  | { readonly step: "none" }
  | { readonly step: "prepared" } & Prepared
  | { readonly step: "sent" } & Requested
  | { readonly step: "done"; readonly message: string } & Prepared
  /** Nothing was changed. */
  | { readonly step: "refused"; readonly report: ErrorReport } & Prepared
  /** It may have taken effect. */
  | { readonly step: "unknown"; readonly report: ErrorReport } & Requested;

export type Move =
  | { readonly kind: "prepare" } & Prepared
  | { readonly kind: "amend"; readonly typed: Partial<Typed> }
  | { readonly kind: "send"; readonly userId: string; readonly request: DeedRequest }
  | { readonly kind: "repeat"; readonly userId: string }
  | { readonly kind: "answer"; readonly request: DeedRequest; readonly outcome: Outcome }
  | { readonly kind: "drop" }
  /** The page, or the acting user, is another one. */
  | { readonly kind: "leave" };

export const NO_TICKET: Ticket = { step: "none" };

/** A move that the state does not allow changes nothing: the same ticket is returned. */
export function nextTicket(ticket: Ticket, move: Move): Ticket {
  switch (move.kind) {
    case "prepare":
      return isOpen(ticket) ? ticket : { step: "prepared", deed: move.deed, userId: move.userId };
    case "amend":
      return amended(ticket, move.typed);
    case "send": {
      if (ticket.step !== "prepared") return ticket;
      if (move.userId !== ticket.userId) return NO_TICKET;
      return { ...ticket, step: "sent", request: move.request };
    }
    case "repeat": {
      if (ticket.step !== "unknown" || move.userId !== ticket.userId) return ticket;
      const { deed, userId, request } = ticket;
      return { step: "sent", deed, userId, request };
    }
    case "answer":
      return ticket.step === "sent" && ticket.request === move.request ? answered(ticket, move.outcome) : ticket;
    case "drop":
      return ticket.step === "sent" ? ticket : NO_TICKET;
    case "leave":
      return isOpen(ticket) ? ticket : NO_TICKET;
  }
}

/** Whether its outcome is not known, or not known yet. */
function isOpen({ step }: Ticket): boolean {
  return step === "sent" || step === "unknown";
}

function amended(ticket: Ticket, typed: Partial<Typed>): Ticket {
  if (ticket.step !== "prepared" && ticket.step !== "refused") return ticket;
  const { deed, userId } = ticket;
  return deed.kind === "cancel" ? ticket : { step: "prepared", deed: { ...deed, ...typed }, userId };
}

function answered({ deed, userId, request }: Requested, outcome: Outcome): Ticket {
  switch (outcome.kind) {
    case "success":
      return { step: "done", deed, userId, message: outcome.message };
    case "failed":
      return { step: "refused", deed, userId, report: outcome.report };
    case "unknown":
      return { step: "unknown", deed, userId, request, report: outcome.report };
    // Nobody was asked, so nobody can have declined.
    case "cancelled":
      return NO_TICKET;
  }
}
