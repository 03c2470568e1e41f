// Reads the body of a request. Three limits apply: for one body (common/http/read-body.ts), for the bodies of one client,
// and for all bodies together.

import { type Body, type BodyFault, type BodyLimits, bodyRefusal, readBody } from "../../common/http/read-body.ts";
import type { HttpRefusal } from "../../common/http/refusal.ts";
import { Capacity } from "../guardrails/capacity.ts";

interface RequestBodiesOptions extends BodyLimits {
  /** For all bodies that are being read or processed. */
  readonly maxTotalBytes: number;
  /** For the bodies of one client. */
  readonly maxClientBytes: () => number;
}

interface HeldBody {
  readonly body: Promise<Body>;
  readonly release: () => void;
}

export class RequestBodies {
  readonly #capacity: Capacity;

  constructor(private readonly options: RequestBodiesOptions) {
    this.#capacity = new Capacity(options.maxTotalBytes, options.maxClientBytes);
  }

  /** Begins to read the body. What is read counts until `release`. */
  read(request: Request, client: string): HeldBody {
    let held = 0;
    const hold = (bytes: number) => {
      if (this.#capacity.take(client, bytes) !== "taken") return false;
      held += bytes;
      return true;
    };
    return {
      body: readBody(request, this.options, hold),
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
