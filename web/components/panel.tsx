// A part of a page with a title, and what can be done with it at the right.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./panel.css";

interface PanelProps {
  readonly title: ComponentChildren;
  /** Right of the title: buttons, choices, a note. */
  readonly actions?: ComponentChildren;
  /** The body has no margin, for tables and charts. */
  readonly flush?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, actions, flush, class: extra, children }: PanelProps) {
  const id = useId();
  return (
    <section class={`panel ${flush ? "panel-flush" : ""} ${extra ?? ""}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id} class="name">{title}</h2>
        {actions !== undefined && <div class="panel-actions">{actions}</div>}
      </div>
      <div class="panel-body">{children}</div>
    </section>
  );
}
