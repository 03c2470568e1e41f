// The map of prices or of their changes: a table for each day, its cheapest and dearest hours in words, and what the colours
// mean.

import { contractPrice } from "../../../components/contract-price.ts";
import { EmptyState } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { changeOf } from "../../../components/spark-path.ts";
import { zoneName } from "../../../components/time-format.ts";
import { useMedia } from "../../../components/use-media.ts";
import type { ContractRow } from "../../../contract/market.ts";
import type { SpotEvent } from "../../../contract/tool-results.ts";
import { sparkPrices } from "../../live/sparks.ts";
import { type DayProps, DayTable } from "./day-table.tsx";
import { type GridDay, type GridHour, type GridRow, trimmed } from "./hour-grid.ts";
import { EXTREMES, MEASURES, shown } from "./map-words.ts";
import { type Ends, extremes, type Mode, shadesOf } from "./map-values.ts";

interface PriceMapProps {
  readonly days: readonly GridDay[];
  readonly contracts: ReadonlyMap<string, ContractRow>;
  readonly events: readonly SpotEvent[];
  readonly mode: Mode;
  /** The address of a contract's page. */
  readonly addressOf: (contractId: string) => string;
}

/** With less room than this, hours go down. */
const NARROW = "(max-width: 900px)";

export function PriceMap({ days, contracts, events, mode, addressOf }: PriceMapProps) {
  if (days.length === 0) {
    return <EmptyState title="No contracts of single hours are listed">The map shows such contracts only.</EmptyState>;
  }
  const valueOf = (contractId: string | null) => contractId === null ? null : valueIn(mode, contracts.get(contractId));
  const ids = days.flatMap(({ rows }) => rows.flatMap(({ contractIds }) => contractIds));
  const shades = shadesOf(ids.map(valueOf).filter((value) => value !== null), mode);
  return (
    <>
      {days.map((day) => <Day key={day.key} {...{ day, events, mode, shades, valueOf, addressOf }} />)}
      <Legend mode={mode} shades={shades} hasEvents={events.length > 0} />
    </>
  );
}

function valueIn(mode: Mode, row: ContractRow | undefined): number | null {
  if (row === undefined) return null;
  return mode === "price" ? contractPrice(row)?.cents ?? null : changeOf(sparkPrices(row.contractId).peek());
}

function Day(props: DayProps) {
  const { mode, valueOf, addressOf } = props;
  const isTall = useMedia(NARROW);
  // Hours that are over would make a narrow page long.
  const day = isTall ? trimmed(props.day) : props.day;
  const { title, timezone, hours, rows } = day;
  const ends = rows.map(({ contractIds }) => extremes(contractIds.map(valueOf)));
  return (
    <Panel
      flush
      title={`Hours of ${title}`}
      actions={`${MEASURES[mode]}; ${zoneName(hours[0]!.from * 1_000, timezone)}`}
    >
      <DayTable {...props} day={day} isTall={isTall} ends={ends} />
      <ul class="glance-extremes">
        {rows.map((row, index) => (
          <li key={row.key}>
            <bdi>{row.name}</bdi>: <Extremes {...{ row, hours, mode, valueOf, addressOf }} ends={ends[index]!} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface ExtremesProps extends Pick<DayProps, "mode" | "valueOf" | "addressOf"> {
  readonly row: GridRow;
  readonly hours: readonly GridHour[];
  readonly ends: Ends;
}

function Extremes({ row: { contractIds }, hours, ends, mode, valueOf, addressOf }: ExtremesProps) {
  if (ends === null) return <>fewer than two different {mode === "price" ? "prices" : "changes"} are known.</>;
  const [lowest, highest] = EXTREMES[mode];
  const link = (index: number) => (
    <a href={addressOf(contractIds[index]!)}>
      hour {hours[index]!.number}, {shown(mode, valueOf(contractIds[index]!))}
    </a>
  );
  return (
    <>
      {lowest} {link(ends.lowest)}; {highest} {link(ends.highest)}
    </>
  );
}

function Legend({ mode, shades, hasEvents }: Pick<DayProps, "mode" | "shades"> & { readonly hasEvents: boolean }) {
  if (shades === null) return null;
  const [lowest, highest] = EXTREMES[mode];
  return (
    <ul class="glance-legend" aria-label="What the colours mean, $/MWh">
      {shades.ranges.map(([from, to], step) => (
        <li key={step}>
          <span class={`glance-swatch glance-${mode}-${step}`} aria-hidden="true" />
          {from === to
            ? shown(mode, Math.round(from))
            : `${shown(mode, Math.round(from))} to ${shown(mode, Math.round(to))}`}
        </li>
      ))}
      <li>
        <span class="glance-swatch glance-lowest" aria-hidden="true" />
        {lowest} of the day
      </li>
      <li>
        <span class="glance-swatch glance-highest" aria-hidden="true" />
        {highest} of the day
      </li>
      {hasEvents && (
        <li>
          <span class="glance-swatch glance-event" aria-hidden="true" />a market event acts
        </li>
      )}
    </ul>
  );
}
