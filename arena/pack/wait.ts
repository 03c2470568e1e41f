// Lets market time pass for an agent: to a time, or until one of the things happens that it waits for.

import { z } from "zod";
import { isoTime } from "../../common/iso-time.ts";
import { ToolError } from "../../core/error.ts";
import type { ToolContext } from "../../core/tools/context.ts";
import { idField } from "../../core/tools/fields.ts";
import { defineTool } from "../../core/tools/tool.ts";
import { MINUTE_MS } from "../../protocol/time-units.ts";
import { MAX_MINUTES } from "../scenario/scenario.ts";
import type { EpisodeClock } from "./episode-clock.ts";

/** Own fills in an answer; mkt_get_recent_events has the others. */
const MOST_FILLS = 10;
/** Events that are read at once. */
const PAGE = 500;

const EVENTS = {
  fill: ["new.fill"],
  halt: ["halt.market", "resume.market"],
  spot: ["change.spot"],
} as const satisfies Record<string, readonly string[]>;
type Alarm = keyof typeof EVENTS;
const ALARMS = Object.keys(EVENTS) as [Alarm, ...Alarm[]];

const input = z.strictObject({
  minutes: z.number().gt(0).max(MAX_MINUTES).describe("Of market time, at most; it ends earlier with the episode"),
  until: z.array(z.enum(ALARMS)).max(ALARMS.length).default([]).describe(
    "Ends at the first of these: your fill, a halt or its end, a spot price",
  ),
  contractId: idField("For the two prices").optional(),
  askAtMost: z.int().describe("Ends when the contract's best ask is at most this, cents/MWh").optional(),
  bidAtLeast: z.int().describe("Ends when its best bid is at least this, cents/MWh").optional(),
});

type Prices = Pick<z.output<typeof input>, "contractId" | "askAtMost" | "bidAtLeast">;

export function waitTool(time: EpisodeClock) {
  return defineTool({
    name: "mkt_arena_wait",
    title: "Wait",
    description:
      "Lets market time pass, in which others trade: it stands still otherwise. Gives why it ended, and your fills. " +
      "Next: mkt_get_recent_events with since.",
    input,
    output: () =>
      z.looseObject({
        marketTime: z.string(),
        ended: z.enum(["time", "over", "price", ...ALARMS]).describe("over: the episode"),
        waitedSeconds: z.number(),
        since: z.int().describe("Events after it came while you waited"),
        events: z.record(z.string(), z.int()).describe("How many, by type"),
        fills: z.array(z.record(z.string(), z.unknown())).describe("Yours: the newest"),
        moreFills: z.int(),
        missed: z.int().nullable().describe("Events that came and are no longer kept, so they are not counted"),
      }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    requires: { connection: "read" },
    handler: ({ minutes, until, ...prices }, context) => {
      const { events } = context;
      const [began, since] = [time.now, events.latestSequence];
      const isReached = priceWatch(prices, context);
      const alarms = new Alarms(context, until);
      const isEnough = () => alarms.first !== null || isReached?.() === true;
      // Market time is in whole milliseconds, as everywhere, and no wait is too short to pass any.
      const end = began + Math.max(1, Math.round(minutes * MINUTE_MS));
      time.passTo(end, until.length > 0 || isReached !== null ? isEnough : null);
      alarms.end();
      const reached = isReached?.() === true ? "price" as const : null;
      return {
        marketTime: isoTime(time.now),
        ended: alarms.first ?? reached ?? (time.isOver ? "over" as const : "time" as const),
        waitedSeconds: (time.now - began) / 1000,
        since,
        ...meanwhile(context, since),
      };
    },
  });
}

/** Tells whether a price is reached; null if none is given. Throws ToolError. */
function priceWatch(
  { contractId, askAtMost = -Infinity, bidAtLeast = Infinity }: Prices,
  { snapshot }: Pick<ToolContext, "snapshot">,
): (() => boolean) | null {
  const isAsked = askAtMost > -Infinity || bidAtLeast < Infinity;
  if (!isAsked && contractId === undefined) return null;
  if (!isAsked || contractId === undefined) {
    const message = isAsked ? "askAtMost and bidAtLeast need contractId." : "contractId needs askAtMost or bidAtLeast.";
    throw new ToolError("invalid_input", message, "Give both, or neither.");
  }
  const contract = snapshot.get("CONTRACT", contractId);
  if (contract === undefined) {
    const hint = "mkt_find_modules with moduleType CONTRACT lists them.";
    throw new ToolError("not_found", `There is no contract ${contractId}.`, hint);
  }
  return () => {
    const { bestBid = null, bestAsk = null } = snapshot.get("ENGINE", contract.engineId) ?? {};
    return bestAsk !== null && bestAsk <= askAtMost || bestBid !== null && bestBid >= bidAtLeast;
  };
}

/** Waits for the first of several kinds of events. */
class Alarms {
  first: Alarm | null = null;
  readonly #ends: (() => void)[];

  constructor({ events }: Pick<ToolContext, "events">, wanted: readonly Alarm[]) {
    this.#ends = [...new Set(wanted)].map((alarm) =>
      events.onNext({ types: EVENTS[alarm] }, () => this.first ??= alarm)
    );
  }

  end(): void {
    for (const end of this.#ends) end();
  }
}

function meanwhile({ events }: Pick<ToolContext, "events">, since: number) {
  const counts: Record<string, number> = {};
  const fills: Readonly<Record<string, unknown>>[] = [];
  let missed: number | null = 0;
  for (let from = since;;) {
    const page = events.read({ since: from, limit: PAGE });
    if (from === since) missed = page.missed;
    for (const { type, data } of page.events) {
      counts[type] = (counts[type] ?? 0) + 1;
      if (type === "new.fill") fills.push(data);
    }
    if (!page.hasMore) break;
    from = page.events.at(-1)?.sequence ?? page.latestSequence;
  }
  const moreFills = Math.max(0, fills.length - MOST_FILLS);
  return { events: counts, fills: fills.slice(-MOST_FILLS), moreFills, missed };
}
