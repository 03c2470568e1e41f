// Functions that copy some fields of a module or an event, with sides as BUY and SELL. Each is compiled once, with the names
// of its fields written out, as one would write it by hand for each type.
//
// A loop over the names takes four times as long, because every object in the program passes through it. Its copies also
// take twice as long to serialise. The names come from tables of this program, never from a caller.

import { isSideField, sideNameOf } from "./sides.ts";

type Source = Readonly<Record<string, unknown>>;
type Copy = Record<string, unknown>;

/** Copies every field; one that is missing is undefined. */
export function compiledCopy(fields: readonly string[]): (source: Source) => Copy {
  const members = fields.map((name) => `${text(name)}: ${shown(name, `source[${text(name)}]`)}`);
  return compiled({ sideNameOf }, `return (source) => ({ ${members.join(", ")} });`);
}

/** Copies each field that is present, not null, and not its usual value, which `usual` gives for some fields. */
export function compiledSelection(
  fields: readonly string[],
  usual: Readonly<Record<string, (source: Source) => unknown>>,
): (source: Source) => Copy {
  const steps = fields.map((name) => {
    const isUsual = Object.hasOwn(usual, name) ? ` && value !== usual[${text(name)}](source)` : "";
    return `value = source[${text(name)}];
      if (value !== undefined && value !== null${isUsual}) copy[${text(name)}] = ${shown(name, "value")};`;
  });
  return compiled(
    { sideNameOf, usual },
    `return (source) => {
      const copy = {};
      let value;
      ${steps.join("\n")}
      return copy;
    };`,
  );
}

function text(name: string): string {
  return JSON.stringify(name);
}

function shown(name: string, value: string): string {
  return isSideField(name) ? `sideNameOf(${value})` : value;
}

/** The function that the source text returns. It can use what is in `scope`, by its name. */
function compiled(scope: Readonly<Record<string, unknown>>, sourceText: string): (source: Source) => Copy {
  return new Function(...Object.keys(scope), sourceText)(...Object.values(scope));
}
