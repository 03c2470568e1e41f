// The reasons in an order's `blockedBy` for people: what keeps it from trading with orders that its price reaches, who can
// change that, and how. It says no more than the reasons do; the market leaves out of them what the acting user may not see.

import type { OrderBlock } from "../../../../protocol/index.ts";
import { quantity, wholeMoney } from "../../../components/format.ts";

/** The acting user. */
export interface Viewer {
  readonly entityId: string | null;
  readonly permissions: readonly string[];
}

export interface BlockRow {
  /** Null: hidden from the acting user. */
  readonly counterpartyId: string | null;
  /** MW of the reached orders concerned. */
  readonly quantity: number;
  /** Their best price, cents/MWh. */
  readonly price: number;
  readonly why: string;
  /** What would change it; null: unknown. */
  readonly remedy: string | null;
}

/** What a reason is about, in the words of a sentence. */
export function subjectOf({ reason }: OrderBlock): string {
  if (reason === "self_trade") return "an entity does not trade with itself";
  if (reason.endsWith("_documents")) return "documents are missing";
  if (reason.endsWith("_limit")) return "a credit limit leaves too little";
  if (reason === "documents_or_credit") return "documents or credit do not allow it";
  return reason.replaceAll("_", " ");
}

/** Without reasons of the market's state. `entityId`: the order's. */
export function blockRows(blocks: readonly OrderBlock[], entityId: string, viewer: Viewer): BlockRow[] {
  return blocks.map((block) => {
    const { counterpartyId, quantity, price } = block;
    return { counterpartyId, quantity, price, ...wordsOf(block, entityId, viewer) };
  });
}

function wordsOf(block: OrderBlock, entityId: string, viewer: Viewer): Pick<BlockRow, "why" | "remedy"> {
  const { reason, documentation } = block;
  const other = block.counterpartyId ?? "the other entity";
  // Who must act, and for whom.
  const [granter, grantee] = reason.startsWith("entity_") ? [entityId, other] : [other, entityId];
  switch (reason) {
    case "self_trade":
      return { why: `They are orders of ${entityId} itself.`, remedy: "Change or cancel one of the two." };
    case "entity_documents":
    case "counterparty_documents": {
      const state = documentation === "pending" ? ": they are pending" : "";
      return {
        why: `${granter} has not marked its documents with ${grantee} as in place${state}.`,
        remedy: `${granter} marks them as in place: ${whoMay(granter, viewer)}.`,
      };
    }
    case "entity_no_limit":
    case "counterparty_no_limit":
      return {
        why: `${granter} has set no credit limit for ${grantee} that covers this contract.`,
        remedy: `${granter} sets one: ${whoMay(granter, viewer)}.`,
      };
    case "entity_limit":
    case "counterparty_limit":
      return limitWords(block, granter, grantee, viewer);
    case "documents_or_credit":
      return {
        why: `Documents or credit limits of ${entityId} and ${other} do not allow it. Which, is hidden from you.`,
        remedy: `The page of credit shows with whom ${entityId} can trade, to its users with Credit.View.`,
      };
    default:
      return { why: `The market names the reason "${reason}".`, remedy: null };
  }
}

/** Without figures if the acting user may not see them; then the limit may also be missing. */
function limitWords(block: OrderBlock, granter: string, grantee: string, viewer: Viewer) {
  const { scope, limit, used, available, needed, unit } = block;
  const may = whoMay(granter, viewer);
  if (limit === undefined || used === undefined || available === undefined || needed === undefined) {
    return {
      why: `The limit of ${granter} for ${grantee} is missing or leaves too little. Its figures are hidden from you.`,
      remedy: `${granter} sets or raises it: ${may}.`,
    };
  }
  const shown = (amount: number) => unit === "dollars" ? `${wholeMoney(amount)} $` : `${quantity(amount)} ${unit}`;
  const covered = scope === "per_contract" ? "this contract" : "all contracts together";
  const left = available > 0 ? `leaves ${shown(available)} of ${shown(limit)}` : `of ${shown(limit)} is used up`;
  // A limit that is used up leaves nothing, not even for a lot that needs nothing.
  const enough = Math.max(Math.ceil(used + needed), Math.floor(used) + 1);
  return {
    why: `The limit of ${granter} for ${grantee} in ${covered} ${left}; one lot needs ${shown(needed)}.`,
    remedy: `${granter} raises it, to ${shown(enough)} for one lot: ${may}.`,
  };
}

function whoMay(entityId: string, viewer: Viewer): string {
  const isOwn = viewer.entityId === entityId && viewer.permissions.includes("Credit.Manage");
  return isOwn ? "you may do that" : `a user of ${entityId} with Credit.Manage may do that`;
}
