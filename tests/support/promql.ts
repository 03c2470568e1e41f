// What a query of Prometheus reads: the metrics, their matchers, and the labels by which it groups. It reads the queries of our
// rules and dashboard without a Prometheus; promtool checks their syntax.

interface Matcher {
  readonly label: string;
  readonly operator: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

interface ReadQuery {
  readonly selectors: readonly Selector[];
  /** Labels of by, without, on, ignoring, group_left and group_right. */
  readonly groups: readonly string[];
}

const TOKEN =
  /"(?:[^"\\]|\\.)*"|'[^']*'|[a-zA-Z_:][a-zA-Z0-9_:]*|\$__\w+|\d+(?:\.\d+)?(?:[a-z]+\d*)*|=~|!~|!=|==|>=|<=|[^\s]/g;
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const OPERATORS = new Set(["and", "or", "unless", "bool", "offset", "inf", "nan"]);
const GROUPING = new Set(["by", "without", "on", "ignoring", "group_left", "group_right"]);

export function readQuery(query: string): ReadQuery {
  const tokens: readonly string[] = query.match(TOKEN) ?? [];
  const selectors: Selector[] = [];
  const groups: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    // A range: [5m] or [$__rate_interval]
    if (token === "[") at = tokens.indexOf("]", at);
    else if (GROUPING.has(token.toLowerCase())) {
      const end = tokens.indexOf(")", at);
      groups.push(...tokens.slice(at + 2, end).filter((each) => each !== ","));
      at = end;
    } else if (NAME.test(token) && !OPERATORS.has(token.toLowerCase()) && !isCalled(tokens, at)) {
      if (tokens[at + 1] !== "{") selectors.push({ metric: token, matchers: [] });
      else {
        const end = tokens.indexOf("}", at);
        selectors.push({ metric: token, matchers: matchersOf(tokens.slice(at + 2, end)) });
        at = end;
      }
    }
  }
  return { selectors, groups };
}

/** An aggregation may have its grouping before its arguments. */
function isCalled(tokens: readonly string[], at: number): boolean {
  const next = tokens[at + 1] ?? "";
  return next === "(" || next === "by" || next === "without";
}

function matchersOf(tokens: readonly string[]): Matcher[] {
  const matchers: Matcher[] = [];
  for (let at = 0; at < tokens.length; at += 4) {
    const [label = "", operator = "", value = ""] = tokens.slice(at, at + 3);
    if (!NAME.test(label) || !["=", "!=", "=~", "!~"].includes(operator) || !/^["']/.test(value)) {
      throw new Error(`not matchers: ${tokens.join(" ")}`);
    }
    matchers.push({ label, operator: operator as Matcher["operator"], value: value.slice(1, -1) });
  }
  return matchers;
}
