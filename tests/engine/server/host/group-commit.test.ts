// Executions are committed, recorded, published and answered together, in this order, and each of them once.

import { describe, expect, test } from "bun:test";
import type { Execution } from "../../../../engine/api/market-engine.ts";
import type { EngineAuditStore } from "../../../../engine/audit/engine-audit-store.ts";
import type { JournalWriter } from "../../../../engine/journal/journal-writer.ts";
import type { CheckpointSaver } from "../../../../engine/server/host/checkpoint-saver.ts";
import { EngineFailure } from "../../../../engine/server/host/engine-failure.ts";
import { FailStop } from "../../../../engine/server/host/fail-stop.ts";
import { GroupCommit } from "../../../../engine/server/host/group-commit.ts";
import { EngineCounters } from "../../../../engine/server/metrics/engine-counters.ts";
import type { PendingExecution, Publisher } from "../../../../engine/server/publication/publisher.ts";

function group({ hasJournal = true } = {}) {
  const did: string[] = [];
  const turns: (() => void)[] = [];
  const failures: string[] = [];
  const faults = { commit: "", record: "", publish: "" };
  let uncommitted = 0;
  let onPublish = () => {};
  const step = (name: keyof typeof faults, text: string) => {
    did.push(text);
    if (faults[name] !== "") throw new Error(faults[name]);
  };
  const journal = {
    get hasUncommitted() {
      return uncommitted > 0;
    },
    commit: () => (step("commit", `commit ${uncommitted}`), uncommitted = 0),
  };
  const counters = new EngineCounters();
  const commits = new GroupCommit({
    journal: hasJournal ? journal as unknown as JournalWriter : null,
    audit: { record: (lines: string) => step("record", `record ${lines}`) } as unknown as EngineAuditStore,
    publisher: {
      publish: (pending: readonly PendingExecution[]) => {
        step("publish", `publish ${pending.map(({ execution }) => execution.audit)}`);
        onPublish();
      },
    } as unknown as Publisher,
    checkpoints: { saveIfDue: () => void did.push("save") } as unknown as CheckpointSaver,
    failStop: new FailStop(({ message }) => void failures.push(message)),
    counters,
    defer: (task) => void turns.push(task),
  });
  const trace = (name: string) => ({
    commitBegins: () => void did.push(`${name} commits`),
    commitEnds: () => void did.push(`${name} is committed`),
    answered: (response: unknown) => void did.push(`${name} is answered ${response}`),
  });
  /** `traced`: whether a trace of the request is recorded. */
  const add = (name: string, { traced = false, isJournalled = true } = {}) => {
    if (isJournalled) uncommitted += 1;
    const execution = { messages: [], audit: name, closedOrders: [], response: `of ${name}`, trace: null };
    const reply = traced ? { to: {}, requestId: name, trace: trace(name) } : null;
    commits.add({ execution: execution as unknown as Execution, reply } as unknown as PendingExecution);
  };
  return {
    commits,
    did,
    turns,
    faults,
    failures,
    add,
    commitsMeasured: () => counters.commitSeconds.counts.reduce((sum, count) => sum + count, 0),
    whenPublished: (work: () => void) => {
      onPublish = () => {
        onPublish = () => {};
        work();
      };
    },
  };
}

describe("the executions of one turn", () => {
  test("are committed, recorded, published and answered together at its end; the next ones at the end of theirs", () => {
    const { did, turns, add } = group();
    add("a", { traced: true });
    add("b");
    add("c", { traced: true });
    expect([did, turns.length]).toEqual([[], 1]);
    turns.shift()!();
    expect(did.splice(0)).toEqual([
      "a commits",
      "c commits",
      "commit 3",
      "record a",
      "record b",
      "record c",
      "a is committed",
      "c is committed",
      "publish a,b,c",
      "a is answered of a",
      "c is answered of c",
      "save",
    ]);
    add("d");
    expect(turns).toHaveLength(1);
    turns.shift()!();
    expect(did).toEqual(["commit 1", "record d", "publish d", "save"]);
  });

  test("are done with before its end if somebody needs their results, and then nothing is left for the end", () => {
    const { commits, did, turns, add, commitsMeasured } = group();
    add("a");
    expect(commitsMeasured()).toBe(0);
    commits.flush();
    expect(did.splice(0)).toEqual(["commit 1", "record a", "publish a", "save"]);
    commits.flush();
    turns.shift()!();
    expect([did, commitsMeasured()]).toEqual([[], 1]);
  });

  test("that publishing adds follow at once", () => {
    const { commits, did, add, whenPublished } = group();
    add("a", { traced: true });
    whenPublished(() => add("b"));
    commits.flush();
    expect(did).toEqual([
      "a commits",
      "commit 1",
      "record a",
      "a is committed",
      "publish a",
      "a is answered of a",
      "save",
      "commit 1",
      "record b",
      "publish b",
      "save",
    ]);
  });

  test.each([["without a journal", false, true], ["of which none is in the journal", true, false]])(
    "%s are committed by nothing",
    (_, hasJournal, isJournalled) => {
      const { commits, did, add } = group({ hasJournal });
      add("a", { isJournalled });
      commits.publish();
      expect(did).toEqual(["record a", "publish a"]);
    },
  );
});

describe("an engine that can't", () => {
  test.each(
    [
      ["commit", ["commit 1"], "the journal can't be written: broken"],
      ["record", ["commit 1", "record a"], "the journal can't be written: broken"],
      [
        "publish",
        ["commit 1", "record a", "publish a"],
        "the engine's results can't be published: broken; start the engine again",
      ],
    ] as const,
  )("%s its executions fails, answers none of them, and does nothing any more", (name, steps, reason) => {
    const { commits, did, turns, faults, failures, add } = group();
    faults[name] = "broken";
    add("a", { traced: false });
    expect(() => commits.flush()).toThrow(EngineFailure);
    expect([did, failures]).toEqual([[...steps], [reason]]);
    add("b");
    expect(() => commits.flush()).toThrow(reason);
    // The end of the turn reports nothing again.
    turns.shift()!();
    expect([did, failures]).toEqual([[...steps], [reason]]);
  });

  test("commit the request of a trace doesn't answer it", () => {
    const { commits, did, faults, add } = group();
    faults.commit = "broken";
    add("a", { traced: true });
    expect(() => commits.publish()).toThrow(EngineFailure);
    expect(did).toEqual(["a commits", "commit 1"]);
  });
});
