// An episode as the tools of the arena use it.

export interface EpisodeClock {
  /** Market time, in milliseconds since the epoch. */
  readonly now: number;
  readonly endTime: number;
  /** Its time is up, or the agent has ended it. */
  readonly isOver: boolean;
  readonly callsLeft: number;
  /** Nothing can be changed from now on. */
  end(): void;
  /** Lets market time pass up to `time`, but not beyond the end, or until somebody has acted and it `isEnough`. Null: never. */
  passTo(time: number, isEnough: (() => boolean) | null): void;
}
