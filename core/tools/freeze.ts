// The operator's kill switch, as what is offered sees it.

/** An operator has frozen this process: it changes nothing in the market. */
export interface Freeze {
  /** Null if none was given. */
  readonly reason: string | null;
  /** ISO time; null if unknown. */
  readonly since: string | null;
}
