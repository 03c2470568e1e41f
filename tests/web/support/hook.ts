// Shows what a hook of a page gives, as text.

import { h } from "preact";
import { show } from "./browser.ts";

function Shows({ use }: { readonly use: () => unknown }) {
  const text = JSON.stringify(use(), (_name, value: unknown) => value instanceof Map ? [...value] : value);
  return h("p", {}, text ?? "nothing");
}

/** What a hook gives for a subject, and for another one after it. */
export async function following<Subject>(use: (subject: Subject) => unknown, subject: NoInfer<Subject>) {
  const content = (subject: Subject) => h(Shows, { use: () => use(subject) });
  const page = await show(content(subject));
  return {
    text: () => page.text,
    go: (subject: Subject) => page.redraw(content(subject)),
    leave: () => page.redraw(null),
  };
}
