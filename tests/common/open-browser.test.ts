// Opening an address in the browser: the opener of each system, and what is told if it fails.

import { expect, test } from "bun:test";
import * as processes from "node:child_process";
import { openInBrowser } from "../../common/open-browser.ts";
import { atEnd } from "../support/at-end.ts";
import { replaced } from "../support/replaced.ts";

/** What is started on a system, and what becomes of it. */
function opened(platform: NodeJS.Platform) {
  const real = Object.getOwnPropertyDescriptor(process, "platform")!;
  Object.defineProperty(process, "platform", { ...real, value: platform });
  atEnd(() => void Object.defineProperty(process, "platform", real));
  const listeners: Record<string, (given: unknown) => void> = {};
  let isLeft = false;
  const started = replaced(
    processes,
    "spawn",
    (() => ({
      once: (type: string, listener: (given: unknown) => void) => void (listeners[type] = listener),
      unref: () => void (isLeft = true),
    })) as never,
  ) as unknown as [string, string[], object][];
  started.length = 0;
  const failures: string[] = [];
  openInBrowser("http://127.0.0.1:9/", (reason) => void failures.push(reason));
  return { started, listeners, failures, isLeft };
}

test.each<[NodeJS.Platform, string, string[]]>([
  ["linux", "xdg-open", []],
  ["darwin", "open", []],
  ["win32", "cmd", ["/c", "start", '""']],
  ["freebsd", "xdg-open", []],
])("on %s %s opens it, which goes on by itself", (platform, command, args) => {
  const { started, isLeft } = opened(platform);
  const options = { detached: true, stdio: "ignore", windowsVerbatimArguments: true };
  expect([started, isLeft]).toEqual([[[command, [...args, "http://127.0.0.1:9/"], options]], true]);
});

test.each<[type: string, given: unknown, expected: string[]]>([
  ["error", Object.assign(new Error("spawn xdg-open ENOENT"), { code: "ENOENT" }), ["there is no xdg-open"]],
  ["error", Object.assign(new Error("not\n  allowed"), { code: "EACCES" }), ["not allowed"]],
  ["exit", 3, ["xdg-open ended with 3"]],
  ["exit", 0, []],
  ["exit", null, []],
])("its %s (case %#) is told as one line if it is a failure", (type, given, expected) => {
  const { listeners, failures } = opened("linux");
  listeners[type]!(given);
  expect(failures).toEqual(expected);
});
