// The path of a state message: `/TYPE/id`. The id is everything after the second slash, unescaped.

import { MODULE_TYPES, type ModuleType } from "./modules/registry.ts";

interface StatePath {
  readonly type: ModuleType;
  readonly id: string;
}

/** Null if the text is not such a path, or the module type is unknown. */
export function parseStatePath(path: string): StatePath | null {
  const type = moduleTypeOf(path);
  return type === null ? null : { type, id: idIn(path, type) };
}

/** The module type in a path. Null if the text is not such a path, or the type is unknown. */
export function moduleTypeOf(path: string): ModuleType | null {
  // Comparing with the few types of this length takes a third of the time of a look-up by a slice of the path.
  const length = path.indexOf("/", 1) - 1;
  for (const { type, prefix } of PREFIXES[length] ?? NONE) {
    if (path.startsWith(prefix)) return path.length > prefix.length ? type : null;
  }
  return null;
}

/** The id in a path of this type. */
export function idIn(path: string, type: ModuleType): string {
  return path.slice(type.length + SLASHES);
}

const SLASHES = "//".length;

interface Prefix {
  readonly type: ModuleType;
  readonly prefix: string;
}

const NONE: readonly Prefix[] = [];

/** By the length of the type's name. */
const PREFIXES: readonly (readonly Prefix[])[] = Array.from(
  { length: Math.max(...MODULE_TYPES.map(({ length }) => length)) + 1 },
  (_, length) => MODULE_TYPES.filter((type) => type.length === length).map((type) => ({ type, prefix: `/${type}/` })),
);
