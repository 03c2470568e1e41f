// A button. If it can't be used now, it stays in reach of the keyboard and says why.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import "./button.css";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  readonly kind?: "normal" | "primary" | "danger" | "quiet";
  readonly small?: boolean;
  readonly icon?: IconName;
  /** Why it can't be used now; null or absent: it can. */
  readonly unavailable?: string | null;
  readonly type?: "button" | "submit";
  /** Of a button that is on or off. */
  readonly pressed?: boolean;
  /** For screen readers, if the picture is all there is to see. */
  readonly label?: string;
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
}

export function Button(props: ButtonProps) {
  const { kind = "normal", small, icon, unavailable, type = "button", pressed, label, onClick, children } = props;
  const id = useId();
  const isOff = unavailable !== undefined && unavailable !== null;
  return (
    <>
      <button
        type={type}
        class={`button button-${kind} ${small ? "button-small" : ""}`}
        aria-disabled={isOff || undefined}
        aria-describedby={isOff ? id : undefined}
        aria-pressed={pressed}
        aria-label={label}
        title={label}
        onClick={(event) => {
          if (isOff) event.preventDefault();
          else onClick?.();
        }}
      >
        {icon !== undefined && <Icon name={icon} />}
        {children}
      </button>
      {isOff && <span id={id} class="button-reason">{unavailable}</span>}
    </>
  );
}
