// A pack: tools, resources, prompts and routes that are offered together.

import type { Advice } from "../advice.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Prompt } from "../prompts/prompt.ts";
import type { Resource } from "../resources/resource.ts";
import type { Route } from "../routes/route.ts";
import type { Tool } from "../tools/tool.ts";
import type { NeededSetting } from "./pack-choice.ts";
import type { PackVariable } from "./pack-variables.ts";

export interface Pack {
  /** Lower case; what MKT_PACKS names. */
  readonly name: string;
  readonly description: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Over HTTP only. */
  readonly routes: readonly Route[];
  /** Hints of core's errors that name tools of this pack, for built-in packs. They hold even if the pack is not offered. */
  readonly advice?: Partial<Advice>;
  /** What a built-in pack needs to be offered. */
  readonly needs?: NeededSetting;
  /** Why an external pack can't be offered under this configuration, or null. */
  readonly unavailable?: (configuration: Configuration) => string | null;
  /** What the loader knows of an external pack; absent for a built-in one. */
  readonly origin?: PackOrigin;
}

interface PackOrigin {
  readonly file: string;
  /** The pack's own configuration variables, in the order of their declaration. */
  readonly variables: readonly PackVariable[];
}

type Offers = "tools" | "resources" | "prompts" | "routes";

/** A pack with nothing of a kind may leave it out. */
export function definePack(pack: Omit<Pack, Offers> & Partial<Pick<Pack, Offers>>): Pack {
  return { tools: [], resources: [], prompts: [], routes: [], ...pack };
}
