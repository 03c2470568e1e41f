// A modal dialog. The browser keeps the focus in it, and gives it back afterwards.

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";
import "./dialog.css";

interface DialogProps {
  readonly title: ComponentChildren;
  readonly tone?: "normal" | "danger" | "control";
  /** While something runs whose outcome would be missed. */
  readonly staysOpen?: boolean;
  /** Asked for with Escape or the button at the top. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, tone = "normal", staysOpen = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog dialog-${tone}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        if (!staysOpen) onClose();
      }}
      // If Escape is pressed again and again, the browser closes a dialog without asking.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return;
        if (staysOpen) currentTarget.showModal();
        else onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={id} class="name">{title}</h2>
        {!staysOpen && <Button kind="quiet" small icon="close" label="Close" onClick={onClose} />}
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
