// Figures of an earlier time that the pages of the market and of a contract share: spot prices, and whose position is shown.

import { useEffect } from "preact/hooks";
import { Field } from "../../../components/field.tsx";
import { price } from "../../../components/format.ts";
import { Stat } from "../../../components/stat.tsx";
import { time } from "../../../components/time-format.ts";
import type { SpotNode, SpotResult } from "../../../contract/tool-results.ts";
import { entities, loadEntities } from "../../live/entity-names.ts";
import { market } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { readTool } from "../../live/server.ts";
import { spotThen } from "./market-then.ts";
import type { Then } from "./use-then.ts";

/** The simulator keeps so many hours of spot prices. */
const SPOT_HOURS = 168;

/** The spot prices that are known at the present of `then`. Null: not read yet, or there are none. */
export function useSpots({ reader }: Then): readonly SpotNode[] | null {
  const { value } = usePolled(
    (signal) => readTool<SpotResult>("mkt_sim_get_spot_prices", { hours: SPOT_HOURS }, signal),
    String(reader.present),
    null,
  );
  return value?.nodes ?? null;
}

interface SpotProps {
  /** Undefined: nothing is known. */
  readonly known: SpotNode | undefined;
  /** Undefined: unknown. */
  readonly node: string | undefined;
  readonly at: number;
  readonly timezone: string;
}

/** The spot price of a node at a time. */
export function Spot({ known, node, at, timezone }: SpotProps) {
  const spot = known === undefined ? null : spotThen(at, known);
  const note = spot === null
    ? known === undefined ? "not known" : "not known so far back"
    : `of ${time(spot.time, timezone)}, ${spot.regime}`;
  return <Stat label={`Spot${node === undefined ? "" : ` at ${node}`}, $/MWh`} note={note}>{price(spot?.price)}</Stat>;
}

interface EntityChoiceProps {
  /** Null: nobody. */
  readonly entityId: string | null;
  readonly onEntity: (entityId: string | null) => void;
}

/** Whose position is shown. */
export function EntityChoice({ entityId, onEntity }: EntityChoiceProps) {
  useEffect(() => void loadEntities().catch(() => {}), []);
  const known = entities.value ?? [];
  const own = market.connection.value?.entityId ?? null;
  const ids = new Set([...(own === null ? [] : [own]), ...known.map(({ id }) => id)]);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return (
    <Field label="of">
      <select value={entityId ?? ""} onChange={({ currentTarget }) => onEntity(currentTarget.value || null)}>
        <option value="">nobody</option>
        {[...ids].map((id) => <option key={id} value={id}>{names.get(id) ?? id}</option>)}
      </select>
    </Field>
  );
}
