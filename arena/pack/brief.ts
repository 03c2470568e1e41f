// Tells an agent what it is to do in an episode, and how much time is left.

import { z } from "zod";
import { isoTime } from "../../common/iso-time.ts";
import { noParameters } from "../../core/tools/fields.ts";
import { defineTool } from "../../core/tools/tool.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import type { TradedContract } from "../../sim/personas/traded-contract.ts";
import type { Mandate } from "../scenario/mandate.ts";
import { answerSchema } from "../scenario/operating-terms.ts";
import type { EpisodeClock } from "./episode-clock.ts";

export interface Briefing {
  readonly mandate: Mandate;
  /** Those of the mandate's terms. */
  readonly contracts: readonly TradedContract[];
  /** The public forecast of what a contract's delivery is worth, in cents/MWh. */
  readonly forecast: (contract: TradedContract) => number;
  /** In dollars, until now; null if none is asked for. */
  readonly result: () => number | null;
}

const MINUTES_PER_HOUR = 60;

export function briefTool({ mandate, contracts, forecast, result }: Briefing, clock: EpisodeClock) {
  const { name, title, brief, amounts, userId, entityId, terms, operating, time } = mandate;
  const answer = operating && answerSchema(operating);
  const told = (contract: TradedContract) => {
    const { id, productId, node, deliveryStart, minutes } = contract;
    return {
      contractId: id,
      productId,
      node,
      deliveryStart: isoTime(deliveryStart),
      hours: minutes / MINUTES_PER_HOUR,
      forecast: Math.round(forecast(contract)),
    };
  };
  return defineTool({
    name: "mkt_arena_brief",
    title: "Brief",
    description:
      "Gives your mandate in words and as data, for whom you act, the market time that is left, and your result. " +
      "Next: mkt_connect_pubsub, mkt_arena_wait.",
    input: noParameters,
    output: () =>
      z.looseObject({
        scenario: z.string(),
        title: z.string(),
        brief: z.string(),
        amounts: z.record(z.string(), z.union([z.number(), z.string()])).describe("Those of the brief, by name"),
        answer: z.record(z.string(), z.unknown()).nullable().describe(
          "JSON Schema of the answer to submit; null: none",
        ),
        terms: z.record(z.string(), z.unknown()).nullable().describe(
          "MW in each contract: position at the beginning, least and most allowed, duty at the end. imbalanceFee: $/MWh. " +
            "asset: your plant or battery, which runs by itself, in the best way for what you traded",
        ),
        contracts: z.array(z.looseObject({ contractId: z.string(), hours: z.number(), forecast: z.int() })).describe(
          "Those to trade. forecast: what the delivery is now expected to settle at, cents/MWh",
        ),
        userId: z.string(),
        entityId: z.string().nullable(),
        time: z.looseObject({ mode: z.string() }).describe(
          "turns: market time passes in waits alone; calls: also in each call; thinking: also while you think",
        ),
        marketTime: z.string(),
        endsAt: z.string(),
        minutesLeft: z.number(),
        callsLeft: z.int(),
        result: z.number().nullable().describe("Dollars so far, with what you hold at the forecast of its value"),
      }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    handler: () => ({
      scenario: name,
      title,
      brief,
      amounts: { ...amounts },
      answer: answer && z.toJSONSchema(answer),
      terms,
      contracts: contracts.map(told),
      userId,
      entityId,
      time,
      marketTime: isoTime(clock.now),
      endsAt: isoTime(clock.endTime),
      minutesLeft: clock.isOver ? 0 : (clock.endTime - clock.now) / MINUTE_MS,
      callsLeft: clock.callsLeft,
      result: result(),
    }),
  });
}
