// A state as a word with a picture and a colour; never as a colour alone.

import type { ComponentChildren } from "preact";
import "./badge.css";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "neutral" | "good" | "warning" | "danger" | "info" | "control" | "buy" | "sell";

interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: IconName;
  /** Said when the mouse rests on it; the word must do without. */
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function Badge({ tone = "neutral", icon, title, children }: BadgeProps) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      {icon !== undefined && <Icon name={icon} />}
      <span class="name">{children}</span>
    </span>
  );
}
