// Settings of the runtime for processes that run most of their code only a few times, as tests do.

/**
 * How often a function runs before the last two stages of compilation take it: usually 1,000 and 100,000 times. Both stages
 * cost a short process more than they save. And memory that is freed stays with the process: to give it back and take it again
 * took a twentieth of the processor time. The last stage for WebAssembly, which has the solver of the arena's marks, costs more
 * than it saves, too.
 */
export const FOR_SHORT_PROCESSES = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "5000",
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "1000000",
  BUN_JSC_useOMGJIT: "0",
  MIMALLOC_PURGE_DELAY: "-1",
} as const;
