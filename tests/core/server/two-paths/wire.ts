// A generated request as the bytes of HTTP/1.1, in many framings, valid and malformed, and the answers in the bytes of a
// connection.

import type { Draw } from "./draw.ts";
import type { GeneratedRequest } from "./requests.ts";

/** How the parts of one request are written. The last one may be followed by the end of the connection. */
export interface Wire {
  readonly framing: string;
  readonly parts: readonly Buffer[];
  /** The client ends its side after the last part, before the body is complete. */
  readonly isCut: boolean;
  /** Each part is a request of its own, and the client sends the next one only when it has the answer to the one before. */
  readonly isInTurn?: boolean;
}

type Head = (lines: readonly string[], line?: string) => Buffer;
type Framing = (head: Head, body: Buffer, draw: Draw, request: GeneratedRequest) => Omit<Wire, "framing">;

const whole = (...parts: readonly Buffer[]) => ({ parts, isCut: false });
const joined = (...parts: readonly Buffer[]) => whole(Buffer.concat(parts));
const length = (body: Buffer, by = 0) => `Content-Length: ${body.length + by}`;
const CHUNKED = "Transfer-Encoding: chunked";

function chunk(body: Buffer, extension = ""): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}${extension}\r\n`), body, Buffer.from("\r\n")]);
}

const END = Buffer.from("0\r\n\r\n");

/** With another first line. */
const withLine = (lineOf: (request: GeneratedRequest, draw: Draw) => string): Framing => (head, body, draw, request) =>
  joined(head([length(body)], lineOf(request, draw)), body);

/** With one of these header lines besides. */
const withHeader = (lines: readonly string[]): Framing => (head, body, draw) =>
  joined(head([length(body), draw.of(lines)]), body);

/** Each request ends its connection, so the answer ends, too. */
export const FRAMINGS: Readonly<Record<string, Framing>> = {
  "length": (head, body) => joined(head([length(body)]), body),
  "head and body apart": (head, body) => whole(head([length(body)]), body),
  "in pieces": (head, body, draw) => {
    const bytes = Buffer.concat([head([length(body)]), body]);
    const places = [draw.integer(1, bytes.length - 1), draw.integer(1, bytes.length - 1)].sort((a, b) => a - b);
    return whole(bytes.subarray(0, places[0]), bytes.subarray(places[0], places[1]), bytes.subarray(places[1]));
  },
  "chunked": (head, body) => joined(head([CHUNKED]), ...(body.length === 0 ? [] : [chunk(body)]), END),
  "small chunks": (head, body, draw) => {
    const size = draw.integer(1, 50);
    const count = Math.min(200, Math.ceil(body.length / size));
    const small = Array.from({ length: count }, (_, at) => body.subarray(at * size, (at + 1) * size));
    const rest = body.subarray(count * size);
    const chunks = [...small.map((part) => chunk(part, ";x=1")), ...(rest.length ? [chunk(rest)] : [])];
    return whole(head([CHUNKED]), ...chunks, END);
  },
  "trailer": (head, body) =>
    joined(head([CHUNKED]), ...(body.length === 0 ? [] : [chunk(body)]), Buffer.from("0\r\nMcp-Name: other\r\n\r\n")),
  "two requests in turn": (head, body, _draw, request) => ({
    parts: [
      Buffer.concat([keptOpen(head([length(body)])), body]),
      Buffer.concat([head([length(body)], `${request.method} /health HTTP/1.1`), body]),
    ],
    isCut: false,
    isInTurn: true,
  }),
  "length twice": (head, body) => joined(head([length(body), length(body)]), body),
  "two lengths": (head, body) => joined(head([length(body), length(body, 1)]), body),
  "length and chunks": (head, body) => joined(head([length(body), CHUNKED]), chunk(body), END),
  "odd length": (head, body, draw) => {
    const length = draw.of([`+${body.length}`, `0x${body.length.toString(16)}`, "1e3", "", "-0"]);
    return joined(head([`Content-Length: ${length}`]), body);
  },
  "no length": (head, body) => joined(head([]), body),
  "too short a length": (head, body) => joined(head([length(body, -1)]), body),
  "bad chunk": (head, body) => joined(head([CHUNKED]), Buffer.from("zz\r\n"), body),
  "absolute target": withLine(({ method, target }) => `${method} http://localhost${target} HTTP/1.1`),
  "HTTP/1.0": withLine(({ method, target }) => `${method} ${target} HTTP/1.0`),
  "another HTTP": withLine(({ method, target }, draw) =>
    `${method} ${target} ${draw.of(["HTTP/2.0", "HTTP/1.2", "http/1.1", "HTTP"])}`
  ),
  "a second Host": withHeader(["Host: evil.example", "Host: localhost"]),
  "broken header": withHeader(["Broken", ": none", "X-Space : 1", "X\u0000: 1", " folded", "X-\u00e9: 1"]),
  "control characters in a header": withHeader(
    ["a\u0000b", "a\rb", "\u0001", "\u007f"].map((name) => `Mcp-Name: ${name}`),
  ),
  "long header": withHeader([`X-Long: ${"x".repeat(20_000)}`]),
  "line feeds": (head, body) =>
    joined(Buffer.from(head([length(body)]).toString("latin1").replaceAll("\r\n", "\n"), "latin1"), body),
  "cut": (head, body, draw) => {
    const bytes = Buffer.concat([head([length(body)]), body]);
    return { parts: [bytes.subarray(0, draw.integer(1, bytes.length - 1))], isCut: true };
  },
};

const USUAL = ["length", "chunked", "in pieces"];
const WEIGHTED = Object.keys(FRAMINGS).map((name) => [USUAL.includes(name) ? 12 : 1, name] as const);

export function wireOf(request: GeneratedRequest, draw: Draw): Wire {
  const framing = draw.weighted(WEIGHTED);
  const framed = /^(connection|upgrade|expect|content-length|transfer-encoding)$/i;
  const own = request.headers.filter(([name]) => !framed.test(name)).map(([name, value]) => `${name}: ${value}`);
  const line = `${request.method} ${request.target} HTTP/1.1`;
  const head: Head = (lines, first = line) =>
    Buffer.from([first, ...own, "Connection: close", ...lines, "", ""].join("\r\n"), "latin1");
  const made = FRAMINGS[framing]?.(head, Buffer.from(request.bytes), draw, request);
  if (made === undefined) throw new Error(`there is no framing ${framing}`);
  return { framing, ...made };
}

function keptOpen(head: Buffer): Buffer {
  return Buffer.from(head.toString("latin1").replace("Connection: close\r\n", ""), "latin1");
}

/** Marks a body that ends too early. */
const CUT = "(cut)";

interface WireAnswer {
  readonly line: string;
  /** Lines, sorted. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** The answers on a connection. `received` is Latin-1. */
export function answersIn(received: string): readonly WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let at = 0; at < received.length;) {
    const end = received.indexOf("\r\n\r\n", at);
    if (end < 0) return [...answers, { line: received.slice(at), headers: [], body: "" }];
    const [line = "", ...headers] = received.slice(at, end).split("\r\n");
    const { body, next } = bodyAt(received, end + 4, headers);
    answers.push({ line, headers: headers.sort(), body });
    at = next;
  }
  return answers;
}

/** Whether the first answer is complete. One without a length only is when the connection has ended. */
export function isAnswered(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const headers = received.slice(0, end).split("\r\n");
  if (!headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))) return false;
  const { body, next } = bodyAt(received, end + 4, headers);
  return next <= received.length && !body.endsWith(CUT);
}

function bodyAt(received: string, start: number, headers: readonly string[]): { body: string; next: number } {
  const [declared] = headers.flatMap((line) => /^content-length: (\d+)$/i.exec(line)?.[1] ?? []);
  if (declared !== undefined) {
    const next = start + Number(declared);
    return { body: received.slice(start, next), next };
  }
  if (!headers.some((line) => /^transfer-encoding: chunked$/i.test(line))) {
    return { body: received.slice(start), next: received.length };
  }
  let body = "";
  for (let at = start;;) {
    const lineEnd = received.indexOf("\r\n", at);
    const size = Number.parseInt(received.slice(at, lineEnd), 16);
    if (lineEnd < 0 || !Number.isInteger(size)) return { body: `${body}${CUT}`, next: received.length };
    body += received.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return { body, next: at };
  }
}
