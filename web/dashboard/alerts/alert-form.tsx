// Sets an alert: its kind, then what that kind asks for.

import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Field } from "../../components/field.tsx";
import { ContractPicker } from "../contract-picker/contract-picker.tsx";
import { owner } from "../kept/kept.ts";
import { contractLabel } from "../live/listed-contracts.ts";
import { numberIn } from "../pages/simulation-words.ts";
import { addCondition, conditions } from "./alerts.ts";
import { type Condition, type Kind, MAX_CONDITIONS, PRICES_OF, type Side, SIDES } from "./conditions.ts";

const KINDS: readonly (readonly [Kind, string])[] = [
  ["price", "Price"],
  ["spread", "Spread"],
  ["credit", "Credit"],
  ["halt", "Halt"],
  ["fill", "Own fill"],
  ["connection", "Connection"],
];

const SAYS: Partial<Record<Kind, string>> = {
  credit: "A limit between the own entity and another is used by so much.",
  halt: "Trading in a market stops.",
  fill: "An order of the own entity trades.",
  connection: "The page loses its server, or the server the market.",
};

export function AlertForm() {
  const [kind, setKind] = useState<Kind>("price");
  return (
    <div class="alert-form">
      <Choice label="Kind of alert" options={KINDS} value={kind} onChange={setKind} />
      {kind in SAYS && <p>{SAYS[kind]}</p>}
      {kind === "price" || kind === "spread"
        ? <LevelForm kind={kind} />
        : kind === "credit"
        ? <CreditForm />
        : <Button type="button" unavailable={reasonNot()} onClick={() => addCondition({ kind })}>Set alert</Button>}
    </div>
  );
}

function reasonNot(): string | null {
  if (owner.value === null) return "Nobody acts on this server now";
  return conditions.value.length >= MAX_CONDITIONS ? `At most ${MAX_CONDITIONS} alerts` : null;
}

function LevelForm({ kind }: { readonly kind: "price" | "spread" }) {
  const [contractId, setContract] = useState("");
  const [of, setOf] = useState<(typeof PRICES_OF)[number]>("last");
  const [side, setSide] = useState<Side>("above");
  const [text, setText] = useState("");
  const { value, fault } = numberIn("Limit", text, -1_000_000, 1_000_000);
  const missing = contractId === "" ? "Choose a contract" : value === null ? "Limit is missing" : null;
  const set = () => {
    if (value === null) return;
    const level = { contractId, side, limit: Math.round(value * 100) };
    const condition: Condition = kind === "spread" ? { kind, ...level } : { kind, ...level, of };
    addCondition(condition);
    setText("");
  };
  return (
    <>
      {contractId === "" ? <ContractPicker label="Contract" verb="Choose" onPick={setContract} /> : (
        <p>
          <b class="name">{contractLabel(contractId)}</b>{" "}
          <Button small kind="quiet" onClick={() => setContract("")}>Choose another</Button>
        </p>
      )}
      {kind === "price" && (
        <Choice
          label="Which price"
          options={PRICES_OF.map((name) => [name, name === "last" ? "Last price" : `Best ${name}`] as const)}
          value={of}
          onChange={setOf}
        />
      )}
      <Choice
        label="Which way"
        options={SIDES.map((name) => [name, name === "above" ? "rises to" : "falls to"] as const)}
        value={side}
        onChange={setSide}
      />
      <Field label="Limit, $/MWh" hint="The alert comes when it is reached from the other side">
        <input inputMode="decimal" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </Field>
      <Button unavailable={reasonNot() ?? fault ?? missing} onClick={set}>Set alert</Button>
    </>
  );
}

function CreditForm() {
  const [text, setText] = useState("80");
  const { value, fault } = numberIn("Share", text, 1, 100);
  return (
    <>
      <Field label="Used, % of the limit" hint="1 to 100">
        <input inputMode="decimal" value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </Field>
      <Button
        unavailable={reasonNot() ?? fault ?? (value === null ? "Share is missing" : null)}
        onClick={() => {
          if (value !== null) addCondition({ kind: "credit", limit: value });
        }}
      >
        Set alert
      </Button>
    </>
  );
}
