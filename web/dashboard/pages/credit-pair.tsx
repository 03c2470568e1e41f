// Two entities: whether they can trade, why not, and the credit that each grants to the other.

import { useEffect, useRef } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { wholeMoney } from "../../components/format.ts";
import { Panel } from "../../components/panel.tsx";
import type { CreditPair } from "../../contract/credit.ts";
import { Left, StandingBadge } from "./credit-list.tsx";
import { whySentence } from "./credit-words.ts";
import { address } from "./page.ts";

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
  const { entityId, counterpartyId, creditLimit, usedCredit } = pair;
  return (
    <>
      <h3>
        <span class="name">{entityId}</span> grants <span class="name">{counterpartyId}</span>
      </h3>
      <dl class="credit-facts">
        <dt>Limit, $</dt>
        <dd>{creditLimit === null ? "none" : wholeMoney(creditLimit)}</dd>
        <dt>Used, $</dt>
        <dd>{wholeMoney(usedCredit)}</dd>
        <dt>Left</dt>
        <dd>
          <Left pair={pair} />
        </dd>
      </dl>
    </>
  );
}
