// The server's own part of a checkpoint, beside the parts of the engine.

/** What a checkpoint holds beside the engine's parts. */
export interface HostPart {
  readonly kind: "host";
  readonly watchedOrders: readonly string[];
  readonly secretDigest: string | null;
  /** Up to where the audit trail was durable before. */
  readonly auditPosition: number;
}
