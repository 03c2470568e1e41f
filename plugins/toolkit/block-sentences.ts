// Says in sentences why an order does not trade, and who can change that with which tool.

import type { ToolContext } from "../../core/tools/context.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { OrderBlock, OrderBlocks } from "../../protocol/index.ts";
import { BUY } from "../../protocol/sides.ts";

/** Maximum number of reasons, names and remedies in words; blockedBy has all reasons. */
const MAX_WORDED = 4;

type Order = ModuleData<"ORDER">;
type Context = Pick<ToolContext, "snapshot" | "pubsub">;

export function sentencesOn(order: Order, { blockedBy, moreCounterparties, complete }: OrderBlocks, context: Context) {
  const ofMarket = blockedBy.filter(({ reason }) => reason.startsWith("market_"));
  const others = blockedBy.filter((block) => !ofMarket.includes(block));
  const omitted = [
    ...(moreCounterparties > 0 ? [`${moreCounterparties} more counterparties are left out.`] : []),
    ...(complete ? [] : ["It may cross more orders than were examined."]),
  ];
  return [
    ...ofMarket.slice(0, 1).map(({ reason }) => marketSentence(order, reason, context)),
    ...(others.length > 0 ? [crossingSentence(order, others, { isPaused: ofMarket.length > 0 })] : []),
    ...omitted,
    ...remedies(order, others, context),
  ];
}

/** Why the order is held. */
export function pauseSentence(order: Order, context: Context): string {
  return marketSentence(order, `market_${context.snapshot.get("MARKET", order.marketId)?.status}`, context);
}

function marketSentence({ marketId }: Order, reason: string, { snapshot }: Context): string {
  const market = snapshot.get("MARKET", marketId);
  const next = (time: string | null | undefined) => time ? ` at ${time}` : " with the next session";
  switch (reason) {
    case "market_halted":
      return `Market ${marketId} is halted, so nothing trades now; a user with Market.Operate resumes it with ` +
        "mkt_resume_market.";
    case "market_preopen":
      return `Market ${marketId} is in preopen, so nothing trades now; matching begins${next(market?.open)}.`;
    case "market_closed":
      return `Market ${marketId} is closed, so nothing trades now; preopen begins${next(market?.preopen)}.`;
    default:
      return `Nothing trades in market ${marketId} now: see mkt_get_market_state.`;
  }
}

function crossingSentence(
  order: Order,
  blocks: readonly OrderBlock[],
  { isPaused }: { readonly isPaused: boolean },
): string {
  const side = order.side === BUY ? "asks" : "bids";
  const names = [...new Set(blocks.map(({ counterpartyId }) => counterpartyId ?? "other entities"))];
  const owners = names.length <= MAX_WORDED ? ` of ${names.join(", ")}` : "";
  const best = `${blocks[0]?.price} cents/MWh`;
  const isOnePrice = blocks.every(({ price }) => price === blocks[0]?.price);
  const reasons = blocks.slice(0, MAX_WORDED).map((block) => `${inWords(order, block)} (${block.quantity} MW)`);
  if (blocks.length > MAX_WORDED) reasons.push(`${blocks.length - MAX_WORDED} more in blockedBy`);
  const prices = isOnePrice ? `at ${best}` : `from ${best} on`;
  const cannot = isPaused ? "and couldn't trade with them in an open market either" : "but can't trade with them";
  return `It crosses ${side}${owners} ${prices} ${cannot}: ${reasons.join("; ")}.`;
}

function inWords({ entityId, contractId }: Order, block: OrderBlock): string {
  const { reason, counterpartyId, documentation } = block;
  const other = counterpartyId ?? "the other entities";
  switch (reason) {
    case "self_trade":
      return `${entityId} doesn't trade with itself`;
    case "entity_documents":
      return `${entityId} has not set docs_in_place for ${other}${statusOf(documentation)}`;
    case "counterparty_documents":
      return `${other} has not set docs_in_place for ${entityId}${statusOf(documentation)}`;
    case "entity_no_limit":
      return `${entityId} has set no credit limit for ${other} that covers ${contractId}`;
    case "counterparty_no_limit":
      return `${other} has set no credit limit for ${entityId} that covers ${contractId}`;
    case "entity_limit":
      return limitInWords(entityId, other, block);
    case "counterparty_limit":
      return limitInWords(other, entityId, block);
    case "documents_or_credit":
      return `documents or credit limits between ${entityId} and ${other} prevent it; you may not see which`;
    default:
      return reason;
  }
}

function statusOf(documentation: string | undefined): string {
  return documentation === "pending" ? " yet (pending)" : "";
}

/** Without figures if the user may not see them. */
function limitInWords(granter: string, grantee: string, block: OrderBlock): string {
  const { limitType, scope, limit, available, needed, unit } = block;
  if (limitType === undefined) {
    return `${granter}'s limit for ${grantee} leaves too little; you may not see its figures`;
  }
  return `${granter}'s ${scope} ${limitType} limit for ${grantee} leaves ${available} of ${limit} ${unit}, and one lot ` +
    `needs ${needed}`;
}

/** Who does what with which tool. */
function remedies(order: Order, blocks: readonly OrderBlock[], { pubsub }: Context): string[] {
  const steps = new Map<string, Set<string>>();
  const add = (entityId: string | null, tool: string) =>
    steps.getOrInsertComputed(entityId ?? "the other entity", () => new Set()).add(tool);
  for (const { reason, counterpartyId } of blocks) {
    const granter = reason.startsWith("entity_") ? order.entityId : counterpartyId;
    if (reason.endsWith("_documents")) add(granter, "mkt_set_documentation_status");
    if (reason.endsWith("_limit")) add(granter, "mkt_set_credit_limit");
  }
  if (steps.size === 0) {
    const isUnseen = blocks.some(({ reason }) => reason === "documents_or_credit");
    return isUnseen ? [`mkt_get_credit_status with entityId ${order.entityId} shows with whom it can trade.`] : [];
  }
  const session = pubsub.session;
  const mayManage = session?.capabilities.includes("Credit.Manage") === true;
  const who = [...steps].slice(0, MAX_WORDED).map(([entityId, tools]) => {
    const isOwn = mayManage && session?.entityId === entityId;
    return `${isOwn ? "you" : `a user of ${entityId} with Credit.Manage`} can fix it with ${[...tools].join(" and ")}`;
  });
  return [`${capitalised(who.join("; "))}. The orders then trade by themselves.`];
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
