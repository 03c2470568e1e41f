// STRESS_TEST_SECRET as a journal may hold it. An engine with a journal is given the digest of its secret, and requests
// that bring the secret are given theirs before anyone sees them, so that comparing gives the same and no disk holds it.

import type { EngineRequest } from "../engine/api/market-engine.ts";

/** Different in each history. */
export function secretDigest(epoch: number, secret: string): string {
  return new Bun.CryptoHasher("sha256").update(`${epoch}:${secret}`).digest("hex");
}

/** The request with its secret, where it brings one, as a digest. */
export function withSecretDigest(epoch: number, request: EngineRequest): EngineRequest {
  const { action, payload } = request;
  if (action !== "dev.reset" || typeof payload !== "object" || payload === null || !("secret" in payload)) {
    return request;
  }
  const secret = typeof payload.secret === "string" ? secretDigest(epoch, payload.secret) : null;
  return { ...request, payload: { ...payload, secret } };
}
