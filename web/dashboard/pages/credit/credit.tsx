// How much credit is used, and who can trade with whom and why not: a table of limits, or a matrix. The address may name the
// entity that grants: `#/credit/CEDAR`.

import { useEffect, useRef, useState } from "preact/hooks";
import { Choice } from "../../../components/choice.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../../components/notices.tsx";
import { Panel } from "../../../components/panel.tsx";
import { useMedia } from "../../../components/use-media.ts";
import type { CreditMatrix, CreditPair } from "../../../contract/credit.ts";
import type { FeedEvent } from "../../../contract/update.ts";
import { market, onEvents } from "../../live/market-store.ts";
import { usePolled } from "../../live/polled.ts";
import { send } from "../../live/server.ts";
import { Time } from "../../live/time.tsx";
import { CreditGrid } from "./grid.tsx";
import { CreditPairDetails } from "./pair.tsx";
import { CreditTable } from "./table.tsx";
import { countStandings, pairKey, pairsByKey, SHOWN, STANDINGS } from "./words.ts";
import "./credit.css";
import { PageHead } from "../page-head.tsx";
import type { PageProps } from "../page.ts";

const EVERY_MS = 3_000;
/** Narrower than this, a matrix is no help. */
const WIDE = "(min-width: 800px)";

export default function Credit({ argument }: PageProps) {
  const { matrix, error, reload } = useMatrix();
  return (
    <div class="page">
      <PageHead title="Credit">
        <span class="credit-about">How much of it is used, and who can trade with whom</span>
      </PageHead>
      {error !== null && <ErrorNote report={error} onRetry={reload} />}
      {matrix === null
        ? error === null && <Skeleton label="Reading credit" lines={8} />
        : matrix.pairs.length === 0
        ? (
          <Panel title="Credit">
            <EmptyState title="No credit to see">
              <span>
                You see the credit of your own entity, or with the permission Scope.Global that of all. There is none.
              </span>
            </EmptyState>
          </Panel>
        )
        : <Matrix key={argument} matrix={matrix} entityId={argument} />}
    </div>
  );
}

/** Asked for again if the stream says that credit or an own order has changed. */
function useMatrix() {
  const last = useRef<{ readonly matrix: CreditMatrix; readonly changes: number } | null>(null);
  const changes = useRef(0);
  useEffect(() =>
    onEvents((events, { isWhole }) => {
      if (isWhole || events.some(isOwnOrder)) changes.current++;
    }), []);
  const isConnected = market.connection.value?.status === "connected";
  const read = async (signal: AbortSignal) => {
    const known = last.current;
    const now = changes.current;
    if (known?.matrix.revision === market.creditRevision.peek() && known.changes === now) return known.matrix;
    const matrix = await send("GET", "/dashboard/credit", undefined, signal) as CreditMatrix;
    last.current = { matrix, changes: now };
    return matrix;
  };
  const { value, error, reload } = usePolled(read, `credit ${isConnected}`, EVERY_MS);
  return { matrix: value, error, reload };
}

function isOwnOrder({ category, data }: FeedEvent): boolean {
  return category === "order" && data["entityId"] === market.connection.peek()?.entityId;
}

function Matrix({ matrix, entityId }: { readonly matrix: CreditMatrix; readonly entityId: string }) {
  const granting = [...new Set(matrix.pairs.map((pair) => pair.entityId))];
  const named = granting.find((id) => id === entityId);
  const isWide = useMedia(WIDE);
  const [form, setForm] = useState<"table" | "matrix">("table");
  const [shown, setShown] = useState(named ?? "");
  const [selected, setSelected] = useState<string | null>(null);
  const isTable = !isWide || form === "table" || granting.length === 1;
  const pairs = pairsByKey(matrix);
  const pair = selected === null ? undefined : pairs.get(selected);
  const back = pair === undefined ? undefined : pairs.get(pairKey(pair.counterpartyId, pair.entityId));
  return (
    <div class="credit-body">
      <Panel
        title={granting.length === 1 ? `${granting[0]} and its counterparties` : `${count(granting.length)} entities`}
        actions={
          <>
            {matrix.asOf !== null && (
              <>
                as of <Time value={matrix.asOf} />
              </>
            )}
            {isWide && granting.length > 1 && (
              <Choice
                label="Form"
                options={[["table", "Table"], ["matrix", "Matrix"]] as const}
                value={form}
                onChange={setForm}
              />
            )}
          </>
        }
      >
        {entityId !== "" && named === undefined && (
          <p class="credit-note">
            The credit that <span class="name">{entityId}</span> grants is hidden from you, or not set.
          </p>
        )}
        {matrix.truncated && (
          <p class="credit-note">
            {count(matrix.pairs.length)} of {count(matrix.total)}{" "}
            pairs are shown: those of the last entities are left out.
          </p>
        )}
        {isTable
          ? (
            <CreditTable
              matrix={matrix}
              granting={granting}
              entityId={shown}
              onEntity={setShown}
              selected={selected}
              onSelect={setSelected}
            />
          )
          : (
            <>
              <Legend pairs={matrix.pairs} />
              <CreditGrid
                matrix={matrix}
                granting={granting}
                pairs={pairs}
                selected={selected}
                onSelect={setSelected}
              />
            </>
          )}
      </Panel>
      {pair !== undefined && <CreditPairDetails pair={pair} back={back} onClose={() => setSelected(null)} />}
    </div>
  );
}

function Legend({ pairs }: { readonly pairs: readonly CreditPair[] }) {
  const counts = countStandings(pairs);
  return (
    <ul class="credit-legend">
      {STANDINGS.map((standing) => (
        <li key={standing}>
          <span class={`credit-mark credit-${standing}`}>
            <Icon name={SHOWN[standing].icon} />
          </span>
          {SHOWN[standing].word} <span class="credit-count">{count(counts[standing])}</span>
        </li>
      ))}
      <li>
        <span class="credit-bar credit-bar-key" aria-hidden="true">
          <span style={{ width: "60%" }} />
        </span>
        used of the limit that is used most
      </li>
    </ul>
  );
}
