// The request states that a client may still bring back, each once. A state that is not pending was never given to this caller,
// was used, or has expired.
//
// Limit: MAX_PENDING for each caller (the name of a token), so no client can push out another client's states. Beyond the
// limit the caller's oldest pending one is dropped.

/** How long a client may take to answer. */
export const PENDING_SECONDS = 300;
export const MAX_PENDING = 100;

export interface PendingStates {
  /**
   * The key that signs states: 32 bytes, the same for everyone who may take them, and the same object as long as it is the same
   * key. Rejects if it can't be had.
   */
  key(): Promise<Uint8Array<ArrayBuffer>>;
  /** `caller` is the name of its token; null without one. Rejects if the state can't be kept. */
  put(id: string, caller: string | null): Promise<void>;
  /** False if the state is not pending for this caller. Rejects if that is unknown. */
  take(id: string, caller: string | null): Promise<boolean>;
}
