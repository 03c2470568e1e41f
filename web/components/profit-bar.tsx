// A profit as a bar beside its number: right of the middle gained, left lost.

import "./profit-bar.css";

interface ProfitBarProps {
  readonly value: number;
  /** The greatest gain or loss of the column. */
  readonly most: number;
}

export function ProfitBar({ value, most }: ProfitBarProps) {
  const width = `${Math.abs(value) / Math.max(1, most) * 50}%`;
  return (
    <span class="profit-bar" aria-hidden="true">
      <span class={value < 0 ? "profit-bar-loss" : "profit-bar-gain"} style={{ width }} />
    </span>
  );
}
