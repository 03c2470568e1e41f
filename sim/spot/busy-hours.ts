// How busy a market is by the local hour, relative to its mean over a day, which is about 1: little happens at night, most in
// the morning and in the afternoon. News comes by it, and traders act by it. Chosen, not fitted.

export const BUSY_HOURS: readonly number[] = [
  0.3,
  0.25,
  0.2,
  0.2,
  0.25,
  0.4,
  0.8,
  1.4,
  1.9,
  2.1,
  2,
  1.7,
  1.4,
  1.5,
  1.8,
  1.9,
  1.6,
  1.2,
  0.9,
  0.7,
  0.6,
  0.5,
  0.4,
  0.35,
];
