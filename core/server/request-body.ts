// Reads the body of a request. Three limits apply: for one body (common/http/read-body.ts), for the bodies of one client,
// and for all bodies together.

import { type BodyLimits, bodyRefusal, readBody } from "../../common/http/read-body.ts";
import type { HttpRefusal } from "../../common/http/refusal.ts";
import { Capacity } from "../guardrails/capacity.ts";

interface RequestBodiesOptions extends BodyLimits {
  /** For all bodies that are being read or processed. */
  readonly maxTotalBytes: number;
  /** For the bodies of one client. */
  readonly maxClientBytes: () => number;
}

export class RequestBodies {
  readonly #capacity: Capacity;

  constructor(private readonly options: RequestBodiesOptions) {
    this.#capacity = new Capacity(options.maxTotalBytes, options.maxClientBytes);
  }

  /** Calls `use` with the body, which counts until the result is there. A body above a limit is refused. */
  async read<Result>(
    request: Request,
    client: string,
    use: (text: string) => Promise<Result>,
  ): Promise<Result | HttpRefusal> {
    let held = 0;
    const hold = (bytes: number) => {
      if (this.#capacity.take(client, bytes) !== "taken") return false;
      held += bytes;
      return true;
    };
    try {
      const body = await readBody(request, this.options, hold);
      if (body.kind === "whole") return await use(body.text);
      const refusal = bodyRefusal(body.kind, this.options);
      const isBusy = refusal.status === 503;
      return { ...refusal, headers: { Connection: "close", ...(isBusy && { "Retry-After": "1" }) } };
    } finally {
      this.#capacity.release(client, held);
    }
  }
}
