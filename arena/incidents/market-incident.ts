// A company sets its credit limit for another to 0, and operators halt the market, flush the book of a contract and resume the
// market: by four users, in an order that is drawn, with minutes between them.

import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { IncidentOf } from "../scenario/incident-terms.ts";
import { pick, shuffled, type Stage } from "./stage.ts";

const ACTS = ["credit", "halt", "flush", "resume"] as const;
type Act = (typeof ACTS)[number];

/** Before the beginning of the episode, at the latest. */
const LATEST_MINUTES = -2;
/** Of the time for each act, what is left free before and after it. */
const MARGIN = 0.15;
/** Reasons that operators give. */
const REASONS = ["prices look wrong", "a data feed has failed", "asked by surveillance", "the clearing house called"];

export function marketIncident(stage: Stage, { product, withinMinutes }: IncidentOf<"market-incident">): void {
  const { world, truth } = stage;
  const random = stage.random("market-incident");
  const { users, entities } = world.definition;
  const operators = shuffled(random, users.filter(({ permissions }) => permissions.includes("Market.Operate")));
  const [haltUser, flushUser, resumeUser] = operators.map(({ id }) => id);
  if (haltUser === undefined || flushUser === undefined || resumeUser === undefined) {
    throw new RangeError("incidents: the market needs three users with Market.Operate");
  }
  const creditUser = pick(random, stage.people);
  const entityId = stage.companyOf(creditUser);
  const counterparty = pick(random, entities.filter(({ id }) => id !== entityId)).id;
  const reason = pick(random, REASONS);
  truth.tell({ creditUser, counterparty, haltUser, flushUser, resumeUser });

  let haltedAt = 0;
  const did: Readonly<Record<Act, () => string>> = {
    credit: () => {
      const terms = { entityId, counterpartyId: counterparty, limitType: "notional", scope: "total", limit: 0 };
      stage.act(creditUser, "credit.setLimit", terms);
      return creditUser;
    },
    halt: () => {
      stage.act(haltUser, "market.halt", { reason });
      haltedAt = world.now;
      return haltUser;
    },
    flush: () => {
      const { contract: { id: contract } } = stage.contractOf(random, [product]);
      const engineId = world.engine.state.contracts.get(contract)?.bookId;
      const { ordersAffected } = stage.act(flushUser, "engine.flush", { engineId });
      truth.tell({ contract, ordersEnded: Number(ordersAffected) });
      return flushUser;
    },
    resume: () => {
      stage.act(resumeUser, "market.resume", {});
      truth.tell({ haltMinutes: (world.now - haltedAt) / MINUTE_MS });
      return resumeUser;
    },
  };
  const acted: string[] = [];
  const each = (withinMinutes + LATEST_MINUTES) / ACTS.length;
  for (const [at, act] of inOrder(shuffled(random, ACTS)).entries()) {
    const share = at + MARGIN + random.next() * (1 - 2 * MARGIN);
    stage.at(share * each - withinMinutes, () => {
      acted.push(did[act]());
      truth.tell({ users: [...acted] });
    });
  }
}

/** The market is halted before it is resumed. */
function inOrder(acts: readonly Act[]): Act[] {
  const [halt, resume] = [acts.indexOf("halt"), acts.indexOf("resume")];
  if (halt < resume) return [...acts];
  return acts.map((act) => act === "halt" ? "resume" : act === "resume" ? "halt" : act);
}
