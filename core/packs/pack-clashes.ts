// Names and addresses that only one pack may have: of packs, tools, resources, prompts, routes and variables. The built-in
// packs keep theirs even if they are not offered, since clients and rules of permission know them by name.

import { type RoutePattern, routePattern } from "../routes/route-path.ts";
import { routeName } from "../routes/route.ts";
import { isSamePattern, overlap, uriPattern } from "./path-overlap.ts";
import type { Pack } from "./pack.ts";

interface Claim {
  /** Claims of different kinds never clash. */
  readonly kind: string;
  readonly name: string;
  /** For addresses: what it matches. Absent: the name alone counts. */
  readonly pattern?: RoutePattern;
  /** For messages. */
  readonly owner: string;
}

export class ClaimedNames {
  readonly #claims: Claim[] = [];

  /** Claims everything that the pack has, or nothing if there are clashes. Returns each clash as a sentence. */
  claim(pack: Pack): string[] {
    return this.#claim(claimsOf(pack));
  }

  /** The same for the name of the pack alone. */
  claimName(pack: Pack): string[] {
    return this.#claim(claimsOf(pack).filter(({ kind }) => kind === "pack"));
  }

  #claim(claims: readonly Claim[]): string[] {
    const clashes = claims.flatMap((claim, index) => {
      const other = [...this.#claims, ...claims.slice(0, index)].find((each) => meets(claim, each));
      return other === undefined ? [] : [clashText(claim, other)];
    });
    if (clashes.length === 0) this.#claims.push(...claims);
    return clashes;
  }
}

function claimsOf(pack: Pack): Claim[] {
  const owner = ownerOf(pack);
  const of = (kind: string, names: readonly string[]) => names.map((name) => ({ kind, name, owner }));
  return [
    ...of("pack", [pack.name]),
    ...of("tool", pack.tools.map(({ name }) => name)),
    ...of("resource", pack.resources.map(({ name }) => name)),
    ...pack.resources.map(({ uri }) => ({ kind: "URI", name: uri, pattern: uriPattern(uri), owner })),
    ...of("prompt", pack.prompts.map(({ name }) => name)),
    ...pack.routes.map((route) => ({
      kind: "route",
      name: routeName(route),
      pattern: routePattern(`/${route.method}${route.path}`),
      owner,
    })),
    ...of("variable", (pack.origin?.variables ?? []).map(({ name }) => name)),
  ];
}

/** How messages name a pack. */
export function ownerOf({ name, origin }: Pack): string {
  return origin === undefined ? `the built-in pack ${name}` : `the pack ${name} (${origin.file})`;
}

function meets(left: Claim, right: Claim): boolean {
  if (left.kind !== right.kind) return false;
  if (left.pattern === undefined || right.pattern === undefined) return left.name === right.name;
  // Of the routes of one pack the more specific one answers (core/routes/route-catalogue.ts).
  if (left.kind === "route" && left.owner === right.owner) return isSamePattern(left.pattern, right.pattern);
  return overlap(left.pattern, right.pattern);
}

function clashText({ kind, name, owner }: Claim, other: Claim): string {
  const has = `${owner} has the ${kind} ${name}`;
  if (name === other.name) return owner === other.owner ? `${has} twice` : `${has}, which ${other.owner} has already`;
  const whose = owner === other.owner ? "its own" : other.owner;
  return `${has}, which would answer the same requests as ${other.name} of ${whose}`;
}
