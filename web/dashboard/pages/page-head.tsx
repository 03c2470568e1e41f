// The heading of a page, with what can be done at its right. The window's title follows it, and the frame moves the focus
// to it when the page changes.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** What the window's title says besides the state of the market. */
export const pageTitle = signal("");

interface PageHeadProps {
  readonly title: string;
  /** Right of the title. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, children }: PageHeadProps) {
  useLayoutEffect(() => void (pageTitle.value = title), [title]);
  return (
    <div class="page-head">
      <h1 class="name" id="page-title" tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
