// The prepared order as a form: Enter in it sends, Escape drops it. A click on its button sends nothing, since a click only
// prepares; Enter, or a screen reader, on the same button does.

import { useEffect, useRef } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { price, quantity } from "../../components/format.ts";
import { ErrorNote } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import { contractLabel } from "../live/listed-contracts.ts";
import { market } from "../live/market-store.ts";
import { whyNot } from "../operation/permission.ts";
import { type Deed, deedWords, sideOf, type TypedDeed } from "./deed.ts";
import { amend, confirm, drop, preparations, ticket, TRADE_PERMISSION } from "./desk.ts";
import { DeedFigures } from "./deed-figures.tsx";
import { steppedPrice, steppedQuantity, type Steps, termsOf, type Understood } from "./terms.ts";
import type { Ticket } from "./ticket.ts";

type Shown = Exclude<Ticket, { readonly step: "none" }>;

interface TicketFormProps {
  /** Of the page's contract. */
  readonly contractId: string;
  readonly steps: Steps & { readonly hours: number };
}

export function TicketForm(props: TicketFormProps) {
  const now = ticket.value;
  return (
    <Panel title="Prepared order" class="trade-ticket">
      {now.step === "none"
        ? (
          <p class="trade-note">
            Nothing is prepared. Click a price, or choose it with the arrow keys and Enter. Then Enter sends it, and
            Escape drops it.
          </p>
        )
        : <Form {...props} now={now} />}
    </Panel>
  );
}

function Form({ contractId, steps, now }: TicketFormProps & { readonly now: Shown }) {
  const form = useRef<HTMLFormElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  const { deed } = now;
  const count = preparations.value;
  useEffect(() => {
    if (ticket.peek().step !== "prepared") return;
    opener.current = document.activeElement as HTMLElement | null;
    const field = form.current?.querySelector<HTMLInputElement>('[name="megawatts"]');
    const first = field ?? form.current?.querySelector<HTMLElement>('[type="submit"]');
    first?.focus();
    field?.select();
  }, [count]);
  const close = () => {
    const back = opener.current;
    drop();
    if (ticket.peek().step === "none") back?.focus();
  };
  const isOther = deed.contractId !== contractId;
  // What was typed for another contract has been sent already.
  const terms = deed.kind === "cancel" || isOther
    ? null
    : termsOf(deed, steps, deed.kind === "change" ? deed.order : null);
  return (
    <form
      ref={form}
      aria-label="Prepared order"
      class={`trade-form trade-form-${sideOf(deed) === "BUY" ? "buy" : "sell"}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNotSent(now, terms) === null) void confirm(terms !== null && "price" in terms ? terms : null);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
        // A key that is held down since it has prepared the order must not send it.
        if (event.key === "Enter" && event.repeat) event.preventDefault();
      }}
    >
      <p class="trade-deed">
        <Badge tone={sideOf(deed) === "BUY" ? "buy" : "sell"}>{sideOf(deed)}</Badge> <bdi>{deedWords(deed)}</bdi>
        {isOther && <>, {contractLabel(deed.contractId)}</>}
      </p>
      {deed.kind !== "cancel" && <Fields deed={deed} steps={steps} isReadOnly={!isTyped(now)} />}
      {terms !== null && "price" in terms && <DeedFigures deed={deed as TypedDeed} terms={terms} hours={steps.hours} />}
      <Status now={now} />
      <div class="trade-buttons">
        <span class="trade-send" onClick={refuseMouse}>
          <Button
            type="submit"
            kind={deed.kind === "cancel" ? "danger" : "primary"}
            unavailable={whyNotSent(now, terms)}
          >
            {now.step === "unknown" ? "Repeat" : "Send"}: Enter
          </Button>
        </span>
        <Button onClick={close} unavailable={now.step === "sent" ? "" : null}>
          {now.step === "prepared" ? "Drop: Escape" : "Close: Escape"}
        </Button>
      </div>
    </form>
  );
}

/** A click of a mouse or a finger has a count; that of a key or a screen reader has none. */
function refuseMouse(event: MouseEvent): void {
  if (event.detail > 0) event.preventDefault();
}

/** Whether what was typed can be changed. */
function isTyped({ step }: Shown): boolean {
  return step === "prepared" || step === "refused";
}

/** Null: Enter sends or repeats it. */
function whyNotSent(now: Shown, terms: Understood | null): string | null {
  switch (now.step) {
    case "sent":
      return "Sent; waiting for the answer";
    case "done":
      return "Done";
    case "refused":
      return "Refused: change it, or prepare another";
    case "unknown":
      if (now.userId !== market.connection.value?.userId) return `Only ${now.userId} can repeat it`;
      return whyNotNow(now.deed);
    case "prepared":
      return (terms !== null && "fault" in terms ? terms.fault : null) ?? whyNotNow(now.deed);
  }
}

function whyNotNow({ kind }: Deed): string | null {
  return whyNot({ permission: TRADE_PERMISSION, allowedWhenFrozen: kind === "cancel" });
}

interface FieldsProps {
  readonly deed: TypedDeed;
  readonly steps: Steps;
  readonly isReadOnly: boolean;
}

function Fields({ deed, steps, isReadOnly }: FieldsProps) {
  const filled = deed.kind === "change" ? deed.order.filledQuantity : 0;
  const step = (change: (direction: 1 | -1) => void) => (event: KeyboardEvent) => {
    if (isReadOnly || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    change(event.key === "ArrowUp" ? 1 : -1);
  };
  return (
    <div class="trade-fields">
      <Field label="Price, $/MWh" hint={`steps of ${price(steps.tick)}: arrow keys`}>
        <input
          name="price"
          inputMode="decimal"
          autoComplete="off"
          value={deed.price}
          readOnly={isReadOnly}
          onInput={({ currentTarget }) => amend({ price: currentTarget.value })}
          onKeyDown={step((direction) => amend({ price: steppedPrice(deed.price, direction, steps) }))}
        />
      </Field>
      <Field
        label="Quantity, MW"
        hint={filled > 0
          ? `with the ${quantity(filled)} that are filled`
          : `steps of ${quantity(steps.lot)}: arrow keys`}
      >
        <input
          name="megawatts"
          inputMode="decimal"
          enterKeyHint="send"
          autoComplete="off"
          value={deed.megawatts}
          readOnly={isReadOnly}
          onInput={({ currentTarget }) => amend({ megawatts: currentTarget.value })}
          onKeyDown={step((direction) => amend({ megawatts: steppedQuantity(deed.megawatts, direction, steps) }))}
        />
      </Field>
    </div>
  );
}

/** Told to screen readers as it changes. */
function Status({ now }: { readonly now: Shown }) {
  return (
    <div role="status" class="trade-status">
      {now.step === "prepared" && <span class="visually-hidden">Prepared. Enter sends it, Escape drops it.</span>}
      {now.step === "sent" && <Badge tone="info" icon="clock">Sent</Badge>}
      {now.step === "done" && (
        <>
          <Badge tone="good" icon="check">Done</Badge> <bdi>{now.message}</bdi>
        </>
      )}
      {now.step === "refused" && (
        <>
          <Badge tone="danger" icon="alert">Refused</Badge> Nothing was changed.
          <ErrorNote report={now.report} />
        </>
      )}
      {now.step === "unknown" && (
        <>
          <Badge tone="warning" icon="alert">Unknown</Badge>{" "}
          It may have taken effect, or not: look at the order list. Repeat sends the same request under the same key, so
          nothing is done twice.
          <ErrorNote report={{ code: now.report.code, message: now.report.message }} />
        </>
      )}
    </div>
  );
}
