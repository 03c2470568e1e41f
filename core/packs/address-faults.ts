// What is wrong with the URI of a resource, or with the path of a route, that an external pack declares. Each fault is the
// rest of a sentence that begins with the place of the declaration.

import { parameterNames } from "../resources/uri-template.ts";
import { routePattern } from "../routes/route-path.ts";
import { overlap } from "./path-overlap.ts";

/** A parameter is a whole segment, so two templates can be compared (path-overlap.ts). */
const URI_PARAMETER = /^\{[a-z][A-Za-z0-9]*\}$/;
/** Of mkt's own resources. */
const OWN_SCHEME = "mkt:";
/** Of mkt's own views. */
const OWN_VIEWS = "ui://mkt/";

/** Null if a pack may have a resource with this URI or URI template. */
export function uriFault(uri: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*:)\/\/./.exec(uri)?.[1];
  if (scheme === undefined) return "must begin with a scheme in lower case, such as acme://zones";
  if (scheme === OWN_SCHEME) return "can't begin with mkt://, which is for built-in packs";
  if (uri.startsWith(OWN_VIEWS)) return `can't begin with ${OWN_VIEWS}, which is for built-in packs`;
  const segments = uri.split("/");
  const wrong = segments.find((segment) => /[{}]/.test(segment) && !URI_PARAMETER.test(segment));
  if (wrong !== undefined) {
    return `has ${wrong}: a parameter is a whole segment of the path, and its name is letters and digits, a lower case ` +
      "letter first: acme://zones/{zoneId}";
  }
  const names = parameterNames(uri);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `has the parameter {${twice}} twice`;
  const example = uri.replace(/[{}]/g, "");
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(example)) return "is not a URI: percent-encode what is not ASCII";
  return null;
}

/** `named`: the parameters that the resource declares. One of the URI that is not among them can't be completed. */
export function uriParameterFaults(uri: string, named: readonly string[]): string[] {
  const names = parameterNames(uri);
  return named.filter((name) => !names.includes(name)).map((name) => `${name} is not in the URI ${uri}`);
}

/** What mkt serves itself, and everything below it. */
const OWN_PATHS = ["/mcp", "/health", "/ready", "/metrics"];
const PATH_SEGMENT = /^(:[A-Za-z]\w*|[\w.~-]+)$/;

/** Null if a pack may have a route with this path. */
export function pathFault(path: string): string | null {
  if (!path.startsWith("/")) return "must begin with /";
  const segments = path.split("/").slice(1);
  const own = OWN_PATHS.find((each) => overlap(routePattern(path), routePattern(`${each}/*`)));
  if (own !== undefined) return `would answer requests for ${own}, which mkt serves itself`;
  const isValid = path === "/" ||
    segments.every((segment, index) =>
      PATH_SEGMENT.test(segment) && !/^\.+$/.test(segment) || segment === "*" && index === segments.length - 1
    );
  if (!isValid) {
    return "must have segments of letters, digits, dots, dashes, underscores and ~, or :name for one segment, or * at the " +
      "end for the rest";
  }
  const names = segments.filter((segment) => segment.startsWith(":"));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : `has the parameter ${twice} twice`;
}
