// A list to choose from, under headings if the options have groups.

import { Field } from "../components/field.tsx";
import type { Option } from "./options.ts";

interface SelectionProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function Selection({ label, options, value, onChange }: SelectionProps) {
  const groups = Map.groupBy(options, ({ group }) => group);
  return (
    <Field label={label}>
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {[...groups].map(([group, members]) =>
          group === undefined ? members.map(item) : <optgroup key={group} label={group}>{members.map(item)}</optgroup>
        )}
      </select>
    </Field>
  );
}

function item({ value, text }: Option) {
  return <option key={value} value={value}>{text}</option>;
}
