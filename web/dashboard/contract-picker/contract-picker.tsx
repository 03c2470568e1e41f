// A field that chooses a listed contract by its name or id. The browser offers the contracts that match what is typed.

import { useId, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { contractIds, contractLabel } from "../live/listed-contracts.ts";
import "./contract-picker.css";
import { contractsMatching } from "./matching.ts";

/** Contracts that are offered. */
const MOST = 20;

interface ContractPickerProps {
  readonly label: string;
  /** On the button. */
  readonly verb: string;
  /** Why nothing can be chosen now; null: it can. */
  readonly unavailable?: string | null;
  readonly onPick: (contractId: string) => void;
}

export function ContractPicker({ label, verb, unavailable = null, onPick }: ContractPickerProps) {
  const [text, setText] = useState("");
  const listId = useId();
  const matching = contractsMatching(
    text,
    contractIds.value.map((id) => ({ id, name: contractLabel(id) })),
    MOST,
  );
  const [first] = matching;
  const reason = unavailable ?? (text.trim() !== "" && first === undefined ? "No listed contract matches" : null);
  const pick = () => {
    if (reason !== null || first === undefined || text.trim() === "") return;
    onPick(first.id);
    setText("");
  };
  return (
    <form
      class="contract-picker"
      onSubmit={(event) => {
        event.preventDefault();
        pick();
      }}
    >
      <Field label={label}>
        <input
          list={listId}
          placeholder="NORTH hour 22, or an id"
          autoComplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <datalist id={listId}>
        {matching.map(({ id, name }) => <option key={id} value={name === id ? id : `${name} (${id})`} />)}
      </datalist>
      <Button type="submit" unavailable={reason}>{verb}</Button>
    </form>
  );
}
