// Reads the body of a request. Three limits apply: for one body (common/http/read-body.ts), for the bodies of one client,
// and for all bodies together.

import {
  type Body,
  type BodyFault,
  type BodyLimits,
  bodyRefusal,
  type Hold,
  type RawBody,
  readBody,
  readRawBody,
} from "../../../common/http/read-body.ts";
import type { HttpRefusal } from "../../../common/http/refusal.ts";
import { Capacity } from "../../guardrails/capacity.ts";

interface RequestBodiesOptions extends BodyLimits {
  /** For all bodies that are being read or processed. */
  readonly maxTotalBytes: number;
  /** For the bodies of one client. */
  readonly maxClientBytes: () => number;
}

interface HeldBody<Read> {
  readonly body: Promise<Read>;
  readonly release: () => void;
}

export class RequestBodies {
  readonly #capacity: Capacity;

  constructor(private readonly options: RequestBodiesOptions) {
    this.#capacity = new Capacity(options.maxTotalBytes, options.maxClientBytes);
  }

  /** Begins to read the body as text. What is read counts until `release`. */
  read(request: Request, client: string): HeldBody<Body> {
    return this.#held(client, (hold) => readBody(request, this.options, hold));
  }

  /** The same for the body as it comes. */
  readRaw(request: Request, client: string): HeldBody<RawBody> {
    return this.#held(client, (hold) => readRawBody(request, this.options, hold));
  }

  #held<Read>(client: string, read: (hold: Hold) => Promise<Read>): HeldBody<Read> {
    let held = 0;
    const hold = (bytes: number) => {
      if (this.#capacity.take(client, bytes) !== "taken") return false;
      held += bytes;
      return true;
    };
    return {
      body: read(hold),
      release: () => this.#capacity.release(client, held),
    };
  }

  /** The refusal of a body above a limit. Its connection is closed. */
  refusal(fault: BodyFault): HttpRefusal {
    const refusal = bodyRefusal(fault, this.options);
    const isBusy = refusal.status === 503;
    return { ...refusal, headers: { Connection: "close", ...(isBusy && { "Retry-After": "1" }) } };
  }
}
