// The local calendar at each price node: that of the time zone of the first market with the node. Nodes of one time zone share
// a calendar.

import { LocalCalendar } from "./local-calendar.ts";

/** Where the nodes of a market are; the first market gives the time zone of what belongs to no node. */
export interface LocatedMarket {
  readonly markets: readonly { readonly timezone: string; readonly nodes: readonly string[] }[];
}

export class NodeCalendars {
  readonly #byTimezone = new Map<string, LocalCalendar>();

  constructor(private readonly timezoneOf: (node: string) => string) {}

  static of(market: LocatedMarket): NodeCalendars {
    return new NodeCalendars((node) => timezoneAt(node, market));
  }

  /** Shared, so move it before each use. */
  at(node: string): LocalCalendar {
    return this.#byTimezone.getOrInsertComputed(this.timezoneOf(node), (timezone) => new LocalCalendar(timezone));
  }
}

/** UTC without markets. */
export function timezoneAt(node: string, { markets }: LocatedMarket): string {
  const market = markets.find(({ nodes }) => nodes.includes(node)) ?? markets[0];
  return market?.timezone ?? "UTC";
}
