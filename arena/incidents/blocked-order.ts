// An order of the agent's user crosses one of another company, and the two can't trade: one of the two things that the agent's
// company grants is missing. The two companies have documents with no company that personas trade for, so nobody else trades
// with these orders. The agent's company lacks documents or credit with others too, which is none of the agent's business.

import { BUY, SELL } from "../../protocol/sides.ts";
import type { IncidentOf } from "../scenario/incident-terms.ts";
import { pick, shuffled, type Stage } from "./stage.ts";

/** Before the beginning of the episode. */
const PLACED_MINUTES = -1;
const NOTIONAL = { limitType: "notional", scope: "total" } as const;

export function blockedOrder(stage: Stage, terms: IncidentOf<"blocked-order">): void {
  const { product, counterparty, megawatts, limitDollars } = terms;
  const random = stage.random("blocked-order");
  const obstacle = pick(random, ["documents", "limit"] as const);
  const { userId, world: { definition: { entities } } } = stage;
  const entityId = stage.companyOf(userId);
  const otherId = userOf(stage, counterparty);
  const documents = (userId: string, counterpartyId: string, status: string) =>
    stage.act(userId, "credit.setDocumentation", { entityId: stage.companyOf(userId), counterpartyId, status });
  const limit = (counterpartyId: string, limit: number) =>
    stage.act(userId, "credit.setLimit", { entityId, counterpartyId, ...NOTIONAL, limit });

  for (const { id, simulated } of entities) {
    if (simulated === false) continue;
    documents(userId, id, "no_docs");
    documents(otherId, id, "no_docs");
  }
  const idle = entities.filter(({ id, simulated }) => simulated === false && id !== entityId && id !== counterparty);
  const [one, another] = shuffled(random, idle);
  if (one !== undefined) documents(userId, one.id, "pending");
  if (another !== undefined) limit(another.id, 0);
  if (obstacle === "documents") documents(userId, counterparty, pick(random, ["pending", "no_docs"]));
  else limit(counterparty, 0);

  const pair = { entityId, counterpartyId: counterparty };
  if (obstacle === "documents") stage.truth.need("credit.setDocumentation", { ...pair, status: "docs_in_place" });
  else stage.truth.need("credit.setLimit", { ...pair, ...NOTIONAL, limit: limitDollars });

  stage.at(PLACED_MINUTES, () => {
    const { contract: { id: contractId }, middle: price } = stage.contractOf(random, [product]);
    const side = pick(random, [BUY, SELL] as const);
    const isOfferFirst = random.next() < 0.5;
    const offer = () => stage.place(otherId, { contractId, side: side === BUY ? SELL : BUY, price, megawatts });
    const first = isOfferFirst ? offer() : null;
    const order = stage.place(userId, { contractId, side, price, megawatts });
    stage.truth.tell({ order: order.id, offer: (first ?? offer()).id, obstacle });
  });
}

/** Throws RangeError if nobody may trade for the company, or if personas do. */
function userOf({ people, world: { definition: { users } } }: Stage, entityId: string): string {
  const user = users.find((each) => each.entityId === entityId && people.includes(each.id));
  if (user === undefined) throw new RangeError(`incidents: nobody but personas trades for "${entityId}"`);
  return user.id;
}
