// Prompts as an agent gets them, and what their texts say: the tools they name, and the calls they write out.

import { promptArguments } from "../../../core/prompts/prompt-catalogue.ts";
import type { Runtime } from "../../../core/runtime.ts";

type Offering = Pick<Runtime, "offers">;
type Arguments = Readonly<Record<string, string>>;

const scope = () => ({ signal: AbortSignal.timeout(600_000) });

/** The text of a prompt, after the checks of a request for it. Throws ToolError as the request does. */
export async function promptOf({ offers }: Offering, name: string, given: Arguments = {}): Promise<string> {
  const prompt = offers.prompts.get(name);
  if (prompt === undefined) throw new Error(`${name} is not offered`);
  const { requires } = prompt;
  const request = { kind: "prompt", name, ...(requires && { requires }) } as const;
  const made = await offers.requests.run(
    request,
    scope(),
    (call) => prompt.messages(promptArguments(prompt, given), call),
  );
  if (typeof made !== "string") throw new Error(`${name} gives no plain text`);
  return made;
}

/** The values that are offered for an argument of a prompt. */
export async function completionsOf(
  { offers }: Offering,
  [name, argument]: readonly [prompt: string, argument: string],
  typed: string,
  others: Arguments = {},
): Promise<readonly string[]> {
  const complete = offers.prompts.get(name)?.arguments?.[argument]?.complete;
  if (complete === undefined) throw new Error(`${argument} of ${name} has no completion`);
  return await offers.requests.run({ kind: "completion", name }, scope(), (call) => complete(typed, call, others));
}

export interface WrittenCall {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** The calls that the text writes out, in order. What stands between quotes is no call. */
export function callsIn(text: string): WrittenCall[] {
  const calls: WrittenCall[] = [];
  const part = /"(?:[^"\\]|\\.)*"|\b(mkt_[a-z_]+) (?=\{)/g;
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    const tool = found[1];
    if (tool === undefined) continue;
    const json = objectAt(text, part.lastIndex);
    calls.push({ tool, parameters: JSON.parse(json) as WrittenCall["parameters"] });
    part.lastIndex += json.length;
  }
  return calls;
}

/** The names of tools outside quotes, each once. */
export function toolsIn(text: string): string[] {
  return [...new Set([...text.replace(QUOTED, "").matchAll(/\bmkt_[a-z_]*[a-z]/g)].map(([name]) => name))].sort();
}

/** The JSON object that begins here. */
function objectAt(text: string, start: number): string {
  const part = new RegExp(`${QUOTED.source}|[{}]`, "g");
  part.lastIndex = start;
  let depth = 0;
  for (let found = part.exec(text); found !== null; found = part.exec(text)) {
    if (found[0] === "{") depth += 1;
    if (found[0] === "}" && --depth === 0) return text.slice(start, part.lastIndex);
  }
  throw new Error(`no JSON object at ${text.slice(start, start + 50)}`);
}
