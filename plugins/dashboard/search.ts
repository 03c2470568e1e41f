// Finds contracts, entities, orders and users by what a person types (web/contract/search.ts), among those that the acting user
// may see. toolkit/best-matches.ts ranks them.
//
// Cost: a look at each contract, entity and user, and at most 2,000 orders. An older order is found by its whole id, its
// clientOrderId, or its number.

import { ToolError } from "../../core/error.ts";
import type { RouteContext, RouteRequest } from "../../core/routes/route.ts";
import { MAX_ID_LENGTH } from "../../protocol/limits.ts";
import type { ModuleData } from "../../protocol/modules/registry.ts";
import type { SearchAnswer, SearchKind, SearchResult } from "../../web/contract/search.ts";
import { bestOf, type Candidate } from "../toolkit/best-matches.ts";
import { contractsDescribedBy } from "../toolkit/contract-search.ts";
import { contractTitle } from "../toolkit/contract-title.ts";
import { contractCandidate, entitiesOf, ordersLikely, usersOf } from "../toolkit/completions.ts";
import { onlyMeaning, suggestedIds } from "../toolkit/meaning.ts";
import { sideNameOf } from "../toolkit/sides.ts";
import { jsonAnswer } from "./json-answer.ts";

const MAX_RESULTS = 20;
const MAX_WORDS = 12;
/** A clientOrderId is often random, so a few letters are in many of them. */
const MIN_CLIENT_ORDER_ID = 6;
/** The number of an order: `7`, `#7`, `order 7`. */
const NUMBER = /^(?:order|ord)?[\s#-]*\d+$/i;

interface Found extends Candidate {
  readonly kind: SearchKind;
  readonly result: () => SearchResult;
}

/** Throws ToolError `invalid_input`, and what asking the backend for entities throws. */
export async function search({ url }: RouteRequest, context: RouteContext): Promise<Response> {
  const text = textOf(url.searchParams.get("text"));
  const results = text === "" ? [] : await resultsFor(text, context);
  const answer: SearchAnswer = {
    text,
    results: results.slice(0, MAX_RESULTS),
    hasMore: results.length > MAX_RESULTS,
  };
  return jsonAnswer(answer);
}

/** The best ones first; one more than are shown if there are more. */
async function resultsFor(text: string, context: RouteContext): Promise<SearchResult[]> {
  const contracts = contractsIn(context);
  const entities = (await entitiesOf(context)).map(foundEntity);
  const users = (await usersOf(context)).map(foundUser);
  const hasClientOrderId = text.length >= MIN_CLIENT_ORDER_ID;
  const orders = ordersLikely(text, context).map((order) => foundOrder(order, { hasClientOrderId }));
  const named = ordersMeant(text, context);
  const found = bestOf(text, [...contracts, ...entities, ...users, ...orders]);
  const described = found.length > 0 ? [] : contractsMeant(text, contracts, context);
  const unique = new Map([...named, ...found, ...described].map((found) => [keyOf(found), found]));
  return [...unique.values()].slice(0, MAX_RESULTS + 1).map(({ result }) => result());
}

/** The order with this id, clientOrderId or number. */
function ordersMeant(text: string, { snapshot }: RouteContext): Found[] {
  const meant = onlyMeaning(snapshot, "ORDER", text);
  const ids = meant !== null ? [meant] : NUMBER.test(text) ? suggestedIds(snapshot, "ORDER", text) : [];
  const orders = ids.map((id) => snapshot.get("ORDER", id));
  return orders.filter((order) => order !== undefined).map((order) => foundOrder(order, { hasClientOrderId: true }));
}

/** Contracts described as `tomorrow`, or by a month. */
function contractsMeant(text: string, contracts: readonly Found[], { snapshot }: RouteContext): Found[] {
  const byId = new Map(contracts.map((contract) => [contract.value, contract]));
  return contractsDescribedBy(snapshot, text).map((id) => byId.get(id)).filter((found) => found !== undefined);
}

function keyOf({ kind, value }: Found): string {
  return `${kind} ${value}`;
}

/** Listed ones first, each by start of delivery. */
function contractsIn({ snapshot }: RouteContext): Found[] {
  const contracts = snapshot.find("CONTRACT", { limit: Infinity }).modules;
  return contracts
    .toSorted((a, b) =>
      Number(a.status === "expired") - Number(b.status === "expired") ||
      Date.parse(a.deliveryStart) - Date.parse(b.deliveryStart)
    )
    .map((contract) => ({
      ...contractCandidate(contract, snapshot),
      kind: "contract",
      result: () => ({
        kind: "contract",
        id: contract.id,
        title: contractTitle(contract, snapshot),
        detail: contract.status === "expired" ? "expired" : contract.name,
      }),
    }));
}

function foundEntity({ id, name, code }: ModuleData<"ENTITY">): Found {
  return {
    kind: "entity",
    value: id,
    names: [code, name],
    result: () => ({ kind: "entity", id, title: name, detail: code }),
  };
}

function foundUser({ id, name, entityId }: ModuleData<"USER">): Found {
  const detail = entityId === null ? "of no entity" : `of ${entityId}`;
  return {
    kind: "user",
    value: id,
    names: [name],
    result: () => ({ kind: "user", id, title: name, detail, entityId }),
  };
}

function foundOrder(order: ModuleData<"ORDER">, { hasClientOrderId }: { readonly hasClientOrderId: boolean }): Found {
  const { id, clientOrderId, contractId, entityId, side, quantity, price, status } = order;
  return {
    kind: "order",
    value: id,
    names: hasClientOrderId ? [clientOrderId, contractId] : [contractId],
    result: () => ({
      kind: "order",
      id,
      title: contractId,
      detail: `${sideNameOf(side)} ${quantity} MW at ${(price / 100).toFixed(2)} $/MWh, ${status}`,
      entityId,
    }),
  };
}

function textOf(given: string | null): string {
  const text = (given ?? "").trim();
  const isTooLong = text.length > MAX_ID_LENGTH || text.split(/\s+/).length > MAX_WORDS;
  if (!isTooLong) return text;
  throw new ToolError(
    "invalid_input",
    `text: it is longer than ${MAX_ID_LENGTH} characters or ${MAX_WORDS} words.`,
    "Give an id, a name, or a part of one.",
  );
}
