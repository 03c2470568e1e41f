// Who can trade with whom, and why not: a matrix, or a list for one entity. The address may name the entity: `#/credit/CEDAR`.

import { useEffect, useRef, useState } from "preact/hooks";
import { Choice } from "../../components/choice.tsx";
import { count } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import type { CreditMatrix, CreditPair } from "../../contract/credit.ts";
import { market } from "../live/market-store.ts";
import { usePolled } from "../live/polled.ts";
import { send } from "../live/server.ts";
import { Time } from "../live/time.tsx";
import { CreditGrid } from "./credit-grid.tsx";
import { CreditList } from "./credit-list.tsx";
import { CreditPairDetails } from "./credit-pair.tsx";
import { countStandings, pairKey, pairsByKey, SHOWN, STANDINGS } from "./credit-words.ts";
import "./credit.css";
import { PageHead } from "./page-head.tsx";
import type { PageProps } from "./page.ts";

const EVERY_MS = 3_000;
/** Narrower than this, a matrix is no help. */
const WIDE = "(min-width: 800px)";

export default function Credit({ argument }: PageProps) {
  const { matrix, error, reload } = useMatrix();
  return (
    <div class="page">
      <PageHead title="Credit">
        <span class="credit-about">Who can trade with whom, and why not</span>
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

/** Asked for again if the stream says that credit has changed. */
function useMatrix() {
  const last = useRef<CreditMatrix | null>(null);
  const isConnected = market.connection.value?.status === "connected";
  const read = async (signal: AbortSignal) => {
    const { current } = last;
    if (current !== null && current.revision === market.creditRevision.peek()) return current;
    return last.current = await send("GET", "/dashboard/credit", undefined, signal) as CreditMatrix;
  };
  const { value, error, reload } = usePolled(read, `credit ${isConnected}`, EVERY_MS);
  return { matrix: value, error, reload };
}

function Matrix({ matrix, entityId }: { readonly matrix: CreditMatrix; readonly entityId: string }) {
  const granting = [...new Set(matrix.pairs.map((pair) => pair.entityId))];
  const named = granting.find((id) => id === entityId);
  const isWide = useWide();
  const [form, setForm] = useState<"matrix" | "list">(named === undefined ? "matrix" : "list");
  const [shown, setShown] = useState(named ?? granting[0]!);
  const [selected, setSelected] = useState<string | null>(null);
  const isList = !isWide || form === "list" || granting.length === 1;
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
                options={[["matrix", "Matrix"], ["list", "List"]] as const}
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
        <Legend pairs={matrix.pairs} />
        {matrix.truncated && (
          <p class="credit-note">
            {count(matrix.pairs.length)} of {count(matrix.total)}{" "}
            pairs are shown: those of the last entities are left out.
          </p>
        )}
        {isList
          ? (
            <CreditList
              matrix={matrix}
              granting={granting}
              entityId={shown}
              onEntity={setShown}
              selected={selected}
              onSelect={setSelected}
            />
          )
          : <CreditGrid matrix={matrix} granting={granting} pairs={pairs} selected={selected} onSelect={setSelected} />}
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
        left of the limit in dollars
      </li>
    </ul>
  );
}

function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const listener = () => setWide(query.matches);
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  }, []);
  return isWide;
}
