// Which of the past events are shown: by type, entity, user and contract. A name is as good as an id.

import { useEffect, useId, useState } from "preact/hooks";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { entities, loadEntities } from "../../live/entity-names.ts";
import { contractIds, contractLabel } from "../../live/listed-contracts.ts";
import { FILTERS, NO_FILTERS, type PastFilters } from "./past-query.ts";
import { TYPE_GROUPS } from "./past-words.ts";

/** Contracts that are suggested. */
const MAX_SUGGESTED = 300;

interface PastFiltersProps {
  readonly filters: PastFilters;
  readonly onChange: (filters: PastFilters) => void;
}

export function PastFilterFields({ filters, onChange }: PastFiltersProps) {
  const [hasNames, setHasNames] = useState(true);
  useEffect(() => void loadEntities().catch(() => setHasNames(false)), []);
  const known = entities.value ?? [];
  const users = [...new Set(known.flatMap(({ userIds }) => userIds))];
  const contracts = contractIds.value.slice(0, MAX_SUGGESTED);
  const change = (name: keyof PastFilters, value: string) => onChange({ ...filters, [name]: value });
  return (
    <div class="past-filters">
      <Field label="Type">
        <select value={filters.type} onChange={(event) => change("type", event.currentTarget.value)}>
          <option value="">All types</option>
          {TYPE_GROUPS.map(([group, types]) => (
            <optgroup key={group} label={group}>
              {types.map(([type, title]) => <option key={type} value={type}>{title}</option>)}
            </optgroup>
          ))}
        </select>
      </Field>
      <TextFilter
        label="Entity"
        value={filters.entity}
        suggested={known.map(({ id, name }) => [id, name])}
        onChange={(value) => change("entity", value)}
      />
      <TextFilter
        label="User"
        value={filters.user}
        suggested={users.map((id) => [id, ""])}
        onChange={(value) => change("user", value)}
      />
      <TextFilter
        label="Contract"
        value={filters.contract}
        suggested={contracts.map((id) => [id, contractLabel(id)])}
        onChange={(value) => change("contract", value)}
      />
      {FILTERS.some((name) => filters[name] !== "") && (
        <Button small kind="quiet" onClick={() => onChange(NO_FILTERS)}>Show all</Button>
      )}
      {!hasNames && <p class="past-quiet">The names of entities can't be read now: give ids.</p>}
    </div>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly value: string;
  readonly suggested: readonly (readonly [id: string, name: string])[];
  readonly onChange: (value: string) => void;
}

function TextFilter({ label, value, suggested, onChange }: TextFilterProps) {
  const list = useId();
  const idOf = (text: string) => {
    const words = text.trim();
    const same = (other: string) => other.toLowerCase() === words.toLowerCase();
    return words === "" ? "" : suggested.find(([id, name]) => same(id) || same(name))?.[0] ?? words;
  };
  return (
    <>
      <Field label={label}>
        <input
          type="text"
          list={list}
          value={value}
          placeholder="any"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          onChange={(event) => onChange(idOf(event.currentTarget.value))}
        />
      </Field>
      <datalist id={list}>
        {suggested.map(([id, name]) => <option key={id} value={id} label={name === "" ? undefined : name} />)}
      </datalist>
    </>
  );
}
