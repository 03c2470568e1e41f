// What stands in place of data: there is none, it could not be had, or it is on its way.

import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import type { ErrorReport } from "../contract/calls.ts";
import { Icon } from "./icon.tsx";
import "./notices.css";

/** There is nothing to show: says so, why, and what to do. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface ErrorNoteProps {
  readonly report: ErrorReport;
  readonly onRetry?: () => void;
}

export function ErrorNote({ report: { code, message, hint }, onRetry }: ErrorNoteProps) {
  return (
    <div class="error-note" role="alert">
      <Icon name="alert" />
      <div class="error-note-text">
        <code>{code}</code> <bdi>{message}</bdi>
        {hint !== undefined && <div class="error-note-hint">{hint}</div>}
      </div>
      {onRetry !== undefined && <Button small onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Data on its way. */
export function Skeleton({ label, lines = 4 }: { readonly label: string; readonly lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => <span key={line} />)}
    </div>
  );
}

/** The reason of a halt or a freeze. */
export function Reason({ reason }: { readonly reason: string | null }) {
  return reason === null ? <>No reason was given.</> : (
    <>
      Reason: <bdi>{reason}</bdi>
    </>
  );
}
