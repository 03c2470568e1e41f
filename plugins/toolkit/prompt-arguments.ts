// Checks of prompt arguments, which are texts that a person has typed. Each throws ToolError `invalid_input`, which names the
// argument, the value and what fits.

import { safeText } from "../../common/safe-text.ts";
import { ToolError } from "../../core/error.ts";
import type { PromptArguments } from "../../core/prompts/prompt.ts";
import { didYouMeanOne } from "./meaning.ts";

/** Undefined if the argument is absent. */
export function numberArgument(
  given: PromptArguments,
  name: string,
  { least, most, whole = false }: { readonly least: number; readonly most: number; readonly whole?: boolean },
): number | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const kind = whole ? "a whole number" : "a number";
  throw unfit(name, text, `Give ${kind} from ${least} to ${most}.`);
}

/** One of `names`, in any case. Undefined if the argument is absent. */
export function nameArgument<Name extends string>(
  given: PromptArguments,
  name: string,
  names: readonly Name[],
): Name | undefined {
  const text = given[name];
  if (text === undefined) return undefined;
  const found = names.find((each) => each === text.toLowerCase());
  if (found !== undefined) return found;
  throw unfit(name, text, `${didYouMeanOne(text, names)}Give one of ${names.join(", ")}.`);
}

function unfit(name: string, text: string, hint: string): ToolError {
  return new ToolError("invalid_input", `${name}: ${JSON.stringify(safeText(text, 100))} does not fit.`, hint);
}
