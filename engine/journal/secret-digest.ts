// Replaces STRESS_TEST_SECRET by a digest, so the secret is never written to disk. An engine with a journal gets the digest
// of its own secret, and each request with the digest of the request's secret. So the engine compares digests.

import type { EngineRequest } from "../api/market-engine.ts";

/**
 * The engine's id is part of the digest, so the digest differs from journal to journal. It outlives restarts and restores, so a
 * repeated request has the same content after them.
 */
export function secretDigest(engineId: string, secret: string): string {
  return new Bun.CryptoHasher("sha256").update(`${engineId}:${secret}`).digest("hex");
}

/** The request, with the secret in its payload (if any) replaced by a digest. */
export function withSecretDigest(engineId: string, request: EngineRequest): EngineRequest {
  const { action, payload } = request;
  if (action !== "dev.reset" || typeof payload !== "object" || payload === null || !("secret" in payload)) {
    return request;
  }
  const secret = typeof payload.secret === "string" ? secretDigest(engineId, payload.secret) : null;
  return { ...request, payload: { ...payload, secret } };
}
