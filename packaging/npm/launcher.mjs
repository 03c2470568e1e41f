#!/usr/bin/env node
// The command of the npm package: starts the executable of this platform, which is in a package of its own.
//
// Arguments, standard streams and environment are passed as they are. Signals are forwarded, and the launcher ends as the
// executable ends: with its status, or by its signal. Runs under Node 18 and later, without dependencies.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

const require = createRequire(import.meta.url);
/** The platform's packages are optional dependencies, so npm installs the one that fits. */
const { name, version, optionalDependencies = {} } = require("../package.json");
/** SIGHUP exists on Windows too: the console has been closed. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"];

const wanted = `${name}-${process.platform}-${process.arch}`;
const executable = findExecutable();
if (executable !== null) start(executable);

/** The path of the executable, or null after an error message. */
function findExecutable() {
  if (!(wanted in optionalDependencies)) {
    const supported = Object.keys(optionalDependencies).map((each) => each.slice(name.length + 1)).join(", ");
    return fail(`there is no executable for ${process.platform}-${process.arch}, only for ${supported}`);
  }
  if (process.platform === "linux" && usesMusl()) {
    return fail(
      "the executables for Linux need glibc, and this system has musl (Alpine, for example). " +
        "Use an image with glibc, such as node:22-slim",
    );
  }
  try {
    const file = process.platform === "win32" ? "mkt.exe" : "mkt";
    return join(dirname(require.resolve(`${wanted}/package.json`)), "bin", file);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return fail(
      `the package ${wanted} is not installed. Were optional dependencies left out, or was the lockfile made on another ` +
        `platform? Run: npm install ${wanted}@${version}`,
    );
  }
}

function usesMusl() {
  // Without this, the report looks up the names of all connections.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function start(path) {
  // Handlers run between turns of the event loop, so a signal that comes before the spawn is forwarded after it. On Windows
  // the console tells every program in it, and a signal from here would end the executable at once.
  const forward = (signal) => process.platform !== "win32" && child.kill(signal);
  for (const signal of FORWARDED) {
    // SIGUSR1 starts Node's debugger, unless somebody listens. Windows knows fewer signals.
    if (signal in constants.signals) process.on(signal, forward);
  }
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  child.on("error", (error) => fail(`${path} does not start: ${error.message}`));
  child.on("exit", (status, signal) => {
    if (signal === null) process.exitCode = status;
    else endBy(signal, forward);
  });
}

/** A shell that started the launcher sees that the executable was ended by a signal. */
function endBy(signal, forward) {
  for (const each of FORWARDED) process.off(each, forward);
  process.kill(process.pid, signal);
  // Some signals do not end a process of Node. Shells use this status for them.
  setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000);
}

function fail(message) {
  console.error(`mkt: ${message}`);
  process.exitCode = 1;
  return null;
}
