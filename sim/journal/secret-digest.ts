// Replaces STRESS_TEST_SECRET by a digest, so that the secret is never written to a disk. An engine with a journal gets the
// digest of its own secret. Every secret in a request is replaced by its digest before the engine sees the request, so the
// engine compares digests.

import type { EngineRequest } from "../engine/api/market-engine.ts";

/** The epoch is part of the digest, so the digest differs from journal to journal. */
export function secretDigest(epoch: number, secret: string): string {
  return new Bun.CryptoHasher("sha256").update(`${epoch}:${secret}`).digest("hex");
}

/** The request, with the secret in its payload (if any) replaced by a digest. */
export function withSecretDigest(epoch: number, request: EngineRequest): EngineRequest {
  const { action, payload } = request;
  if (action !== "dev.reset" || typeof payload !== "object" || payload === null || !("secret" in payload)) {
    return request;
  }
  const secret = typeof payload.secret === "string" ? secretDigest(epoch, payload.secret) : null;
  return { ...request, payload: { ...payload, secret } };
}
