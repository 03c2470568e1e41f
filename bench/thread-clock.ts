// Processor time of this thread. process.threadCpuUsage moves only with the ticks of the scheduler, 1 to 4 ms. On Linux
// the C library's clock_gettime counts nanoseconds.

import { dlopen } from "bun:ffi";
import { existsSync, openSync, readSync } from "node:fs";

/** A system without the GNU C library. */
const MUSL = "/etc/alpine-release";
const CLOCK_THREAD_CPUTIME_ID = 3;

/** Nanoseconds from an arbitrary start. */
export function threadClock(): () => number {
  return process.platform === "linux" && !existsSync(MUSL) ? preciseClock() : coarseClock;
}

/**
 * Nanoseconds for which the main thread could run but had no core, since its start. Always 0 on systems other than Linux, which
 * don't count them.
 */
export function waitsForCore(): () => number {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  if (!existsSync(path)) return () => 0;
  const [file, bytes] = [openSync(path, "r"), Buffer.alloc(128)];
  return () => Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0)).split(" ")[1]);
}

function preciseClock(): () => number {
  const { symbols } = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } });
  const [time, SECONDS, NANOSECONDS] = [new BigInt64Array(2), 0, 1];
  return () => {
    if (symbols.clock_gettime(CLOCK_THREAD_CPUTIME_ID, time) !== 0) throw new Error("clock_gettime failed");
    return Number(time[SECONDS]) * 1e9 + Number(time[NANOSECONDS]);
  };
}

function coarseClock(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) * 1_000;
}
