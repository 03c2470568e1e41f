// One of a few values, such as the interval of candles, as buttons side by side.

import type { ComponentChildren } from "preact";
import "./choice.css";

interface ChoiceProps<Value extends string> {
  /** What is chosen, for screen readers. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, shown: ComponentChildren])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map(([option, shown]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChange(option)}
        >
          {shown}
        </button>
      ))}
    </div>
  );
}
