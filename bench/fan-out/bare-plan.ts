// What the bench tells the bare server.

export interface Plan {
  /** Length of the response to each request. */
  readonly responseBytes: number;
  /** Length of the frame that each connection gets. */
  readonly updateBytes: number;
  /** After how many requests it gets one. */
  readonly ordersInUpdate: number;
}

/** What a server writes to stderr when it serves; see bench/serving/server-process.ts. */
export function addressLine(url: string): string {
  return `${JSON.stringify({ transport: url })}\n`;
}
