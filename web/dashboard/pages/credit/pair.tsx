// Two entities: whether they can trade, why not, and the credit that each grants to the other.

import { useEffect, useRef } from "preact/hooks";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { count } from "../../../components/format.ts";
import { Panel } from "../../../components/panel.tsx";
import type { CreditPair, CreditUse } from "../../../contract/credit.ts";
import { address } from "../page.ts";
import { covers, StandingBadge, Used } from "./table.tsx";
import { leftAfterOrders, leftWords } from "./uses.ts";
import { whySentence } from "./words.ts";

interface CreditPairDetailsProps {
  readonly pair: CreditPair;
  /** What the other grants; absent: the acting user can't see it, or there is nothing. */
  readonly back: CreditPair | undefined;
  readonly onClose: () => void;
}

export function CreditPairDetails({ pair, back, onClose }: CreditPairDetailsProps) {
  const { entityId, counterpartyId, documentation } = pair;
  const top = useRef<HTMLSpanElement>(null);
  // On a narrow screen the details are above the list.
  useEffect(() => top.current?.closest("section")?.scrollIntoView({ block: "nearest" }), [entityId, counterpartyId]);
  return (
    <Panel
      class="credit-details"
      title={
        <>
          <span class="name" ref={top}>{entityId}</span> and <span class="name">{counterpartyId}</span>
        </>
      }
      actions={<Button small kind="quiet" icon="close" label="Close the details" onClick={onClose} />}
    >
      <p>
        <StandingBadge pair={pair} />
      </p>
      <p class="credit-why name">{whySentence(pair)}</p>
      {!pair.tradable && <p class="credit-note name">{pair.sentence}</p>}
      <h3>Documents</h3>
      <dl class="credit-facts">
        <Documents entityId={entityId} status={documentation.entity} />
        <Documents entityId={counterpartyId} status={documentation.counterparty} />
      </dl>
      <Direction pair={pair} />
      {back === undefined
        ? (
          <>
            <h3>
              <span class="name">{counterpartyId}</span> for <span class="name">{entityId}</span>
            </h3>
            <p class="credit-note">Hidden from you, or not set.</p>
          </>
        )
        : <Direction pair={back} />}
    </Panel>
  );
}

function Documents({ entityId, status }: { readonly entityId: string; readonly status: string }) {
  const isInPlace = status === "docs_in_place";
  return (
    <>
      <dt>
        <a class="name" href={address("entities", entityId)}>{entityId}</a> says
      </dt>
      <dd>
        {isInPlace
          ? <Badge tone="good" icon="check">in place</Badge>
          : (
            <Badge tone="warning" icon={status === "pending" ? "clock" : "alert"}>
              {status === "pending" ? "pending" : "none"}
            </Badge>
          )}
      </dd>
    </>
  );
}

function Direction({ pair }: { readonly pair: CreditPair }) {
  const { entityId, counterpartyId, limits, limitsLeftOut } = pair;
  return (
    <>
      <h3>
        <span class="name">{entityId}</span> grants <span class="name">{counterpartyId}</span>
      </h3>
      {limits.length === 0 && <p class="credit-note">No limit is set.</p>}
      {limits.map((use) => <Limit key={`${use.limitType} ${use.contractId}`} use={use} />)}
      {limitsLeftOut > 0 && <p class="credit-note">{count(limitsLeftOut)} limits that are used less are left out.</p>}
    </>
  );
}

function Limit({ use }: { readonly use: CreditUse }) {
  const after = (use.ownOrders ?? 0) > 0 ? leftAfterOrders(use) : null;
  return (
    <dl class="credit-facts">
      <dt class="name">Used, {covers(use)}</dt>
      <dd>
        <Used use={use} isExact />
      </dd>
      <dt>Left</dt>
      <dd>{leftWords(use.available, use, { isExact: true })}</dd>
      {after !== null && (
        <>
          <dt>After own orders</dt>
          <dd>{leftWords(after, use, { isExact: true })}</dd>
        </>
      )}
    </dl>
  );
}
