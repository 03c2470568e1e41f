// The prompt that looks at a market before the day's work: state, books, trades, and what concerns the acting user's entity.

import { definePrompt, type PromptArguments } from "../../core/prompts/prompt.ts";
import type { Completion } from "../../core/tools/completion.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { HOUR_MS } from "../../protocol/time-units.ts";
import { bestMatches } from "../toolkit/best-matches.ts";
import { marketOf, moduleMeant } from "../toolkit/lookup.ts";
import { oneOf } from "../toolkit/completions.ts";
import { numberArgument } from "../toolkit/prompt-arguments.ts";
import { CONNECT_TOOLS, ONLY_READ, promptText, quoted, YOUR_ENTITY } from "../toolkit/prompt-text.ts";
import { marketState } from "./market.ts";
import { entitySteps, marketSteps, type Scope } from "./prompts-morning-steps.ts";

const HOURS = { least: 1, most: 168, whole: true };
const DEFAULT_HOURS = 24;

const marketIds: Completion = (typed, { snapshot }) => {
  const { modules } = snapshot.find("MARKET", { limit: Infinity });
  return bestMatches(typed, modules.map(({ id, code, name }) => ({ value: id, names: [code, name] })));
};

export const morningCheck = definePrompt({
  name: "mkt_morning_check",
  title: "Morning check of a market",
  description:
    "Checks a market before the day's work: status and sessions, books, trades, spot prices, and the orders, " +
    "positions and credit of your entity. Changes nothing.",
  arguments: {
    marketId: {
      description: "The market, such as PLAINS; absent: the default market",
      required: false,
      complete: marketIds,
    },
    hours: {
      description: "How many hours to look back, 1 to 168, such as 12; absent: 24",
      required: false,
      complete: oneOf(["24", "12", "48", "72", "168"]),
    },
  },
  uses: [
    "mkt_get_market_state",
    "mkt_get_audit_log",
    "mkt_find_modules",
    "mkt_get_order",
    "mkt_get_entity",
    "mkt_get_credit_status",
  ],
  mayUse: [...CONNECT_TOOLS, "mkt_watch_market", "mkt_sim_get_spot_prices"],
  messages: (given, context) => {
    const scope = scopeOf(given, context);
    const { market, hours, entityId } = scope;
    const named = market?.id ?? given["marketId"];
    return promptText({
      task:
        `Morning check of ${
          named === undefined ? "the default market" : `market ${quoted(named)}`
        }: what happened in ` +
        `the last ${hours} h, and what needs attention today?`,
      rules: [ONLY_READ],
      steps: [...marketSteps(scope, named, context), ...(entityId === null ? [] : entitySteps(entityId, scope))],
      report: reportOn(scope),
      ...(market !== null && { facts: { market: marketState(market.id, context) } }),
    }, context);
  },
});

/** Throws ToolError `invalid_input`, or `not_found` for an unknown market. */
function scopeOf(given: PromptArguments, { snapshot, pubsub }: ToolContext): Scope {
  const hours = numberArgument(given, "hours", HOURS) ?? DEFAULT_HOURS;
  const { marketId } = given;
  if (pubsub.session === null) {
    return {
      market: null,
      marketId: marketId ?? "<id of mkt_get_market_state>",
      entityId: YOUR_ENTITY,
      hours,
      since: `<currentTime of mkt_get_market_state less ${hours} h>`,
    };
  }
  const market = marketId === undefined ? marketOf(snapshot, undefined) : moduleMeant(snapshot, "MARKET", marketId);
  const since = new Date(pubsub.marketTime() - hours * HOUR_MS).toISOString();
  return { market, marketId: market.id, entityId: pubsub.session.entityId, hours, since };
}

function reportOn({ hours, entityId }: Scope): string[] {
  return [
    "First a sentence: normal, or what needs attention, the most urgent first.",
    "Market: status, next session times, halts and their reasons.",
    "Books: contracts listed, without bids, without asks, crossed; the most traded ones with last price and MW.",
    `Trades of the last ${hours} h: number, the largest five. Spot prices now, range, active events.`,
    entityId === null
      ? "Your user trades for no entity, so no orders, positions and credit were checked."
      : "Own entity: open orders (held ones apart), orders that cross without trading and why, net MW and profit, " +
        "counterparties without credit or documents.",
  ];
}
