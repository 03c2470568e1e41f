// Settings of the runtime for processes that run most of their code only a few times, as tests do.

/**
 * How often a function runs before the last two stages of compilation take it: usually 1,000 and 100,000 times. Both stages
 * cost a short process more than they save.
 */
export const LATE_COMPILATION = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "5000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
} as const;
