// Opens a layout that was kept, keeps the contracts that are shown under a name, and forgets one.

import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { owner } from "../kept/kept.ts";
import { forgetLayout, keepLayout, layouts } from "../kept/layouts.ts";

interface LayoutsProps {
  /** Ids of those that are shown. */
  readonly contracts: readonly string[];
  readonly onOpen: (contracts: readonly string[]) => void;
}

/** Characters of a name. */
const MAX_NAME = 60;

export function Layouts({ contracts, onOpen }: LayoutsProps) {
  const [name, setName] = useState("");
  const shown = layouts.value.find((layout) => layout.contracts.join() === contracts.join());
  const reason = owner.value === null
    ? "Nobody acts on this server now"
    : contracts.length === 0
    ? "No contract is shown"
    : null;
  const keep = () => {
    if (reason !== null || name.trim() === "") return;
    keepLayout({ name: name.trim(), contracts });
    setName("");
  };
  return (
    <>
      {layouts.value.length > 0 && (
        <Field label="Kept layout">
          <select
            value={shown?.name ?? ""}
            onChange={({ currentTarget }) => {
              const chosen = layouts.value.find((layout) => layout.name === currentTarget.value);
              if (chosen !== undefined) onOpen(chosen.contracts);
            }}
          >
            <option value="">none of these</option>
            {layouts.value.map((layout) => <option key={layout.name} value={layout.name}>{layout.name}</option>)}
          </select>
        </Field>
      )}
      {shown !== undefined && <Button onClick={() => forgetLayout(shown.name)}>Forget {shown.name}</Button>}
      <form
        class="contract-picker"
        onSubmit={(event) => {
          event.preventDefault();
          keep();
        }}
      >
        <Field label="Keep as">
          <input
            maxLength={MAX_NAME}
            placeholder="Name of the layout"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Field>
        <Button type="submit" unavailable={reason}>Keep</Button>
      </form>
    </>
  );
}
