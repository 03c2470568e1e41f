// A generated request: a usual one, and up to three oddities. It follows from the seed and its number alone.

import { bytesOf, type Draft, type Oddity, STAGES, textOf } from "./drafts.ts";
import { Draw } from "./draw.ts";
import { HEAD_ODDITIES } from "./odd-heads.ts";
import { MESSAGE_ODDITIES } from "./odd-messages.ts";
import { BYTE_ODDITIES, TEXT_ODDITIES } from "./odd-texts.ts";
import { type ArgumentPool, usualRequest } from "./usual-requests.ts";

export interface GeneratedRequest extends Draft {
  readonly number: number;
  /** Names of the oddities. */
  readonly odd: readonly string[];
}

export const ODDITIES: readonly Oddity[] = [...MESSAGE_ODDITIES, ...TEXT_ODDITIES, ...BYTE_ODDITIES, ...HEAD_ODDITIES];
const WEIGHTED = ODDITIES.map((oddity) => [oddity.weight, oddity] as const);
const COUNTS = [[52, 0], [28, 1], [13, 2], [7, 3]] as const;

export interface Source {
  readonly seed: number;
  readonly pool: ArgumentPool;
  /** The Authorization headers of the setting's clients; empty if there are no tokens. */
  readonly authorizations: readonly string[];
}

export function generatedRequest({ seed, pool, authorizations }: Source, number: number): GeneratedRequest {
  const draw = new Draw(seed, number);
  const authorization = authorizations.length === 0 ? null : draw.of(authorizations);
  const draft = usualRequest(pool, authorization, draw);
  const chosen = new Set(Array.from({ length: draw.weighted(COUNTS) }, () => draw.weighted(WEIGHTED)));
  const apply = (stage: Oddity["stage"]) => {
    for (const oddity of chosen) if (oddity.stage === stage) oddity.apply(draft, draw);
  };
  for (const stage of STAGES) {
    apply(stage);
    if (stage === "message") draft.text = textOf(draft.message);
    if (stage === "text") draft.bytes = bytesOf(draft.text);
  }
  return { ...draft, number, odd: [...chosen].map(({ name }) => name) };
}

/** The request as text, for the report of a failure. */
export function shown({ number, odd, method, target, address, headers, bytes }: GeneratedRequest): string {
  const body = Buffer.from(bytes.subarray(0, 3000)).toString();
  const head = [`${method} ${target}`, ...headers.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)];
  return `number ${number}, from ${address}, odd: ${odd.join(", ") || "nothing"}\n${head.join("\n")}\n\n${body}`;
}
