// The dialog of the confirmation: what will be done, to what, as whom; then its outcome.

import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorNote, Skeleton } from "../../components/notices.tsx";
import { Badge } from "../../components/badge.tsx";
import { market } from "../live/market-store.ts";
import { session } from "../live/session.ts";
import { type Confirmation, confirmation, type Words } from "./confirmation.ts";
import type { Outcome } from "./outcome.ts";

export function ConfirmDialog() {
  const shown = confirmation.value;
  if (shown === null) return null;
  const { words, step, close } = shown;
  return (
    <Dialog
      title={words.title}
      tone={words.isDangerous ? "danger" : "control"}
      staysOpen={step.kind === "working"}
      onClose={close}
    >
      <Content {...shown} />
    </Dialog>
  );
}

function Content({ words, step, agree, close }: Confirmation) {
  if (step.kind === "asking") return <Skeleton label="Asking the server" lines={2} />;
  if (step.kind === "done") {
    return (
      <>
        <Result outcome={step.outcome} words={words} />
        <div class="dialog-buttons">
          {step.canRepeat && <Button onClick={agree}>Try again</Button>}
          <Button kind="primary" onClick={close}>Close</Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>
        <bdi>{step.kind === "confirm" && step.question !== null ? step.question : words.effect}</bdi>
      </p>
      <ActingAs />
      <div class="dialog-buttons">
        <Button onClick={close} unavailable={step.kind === "working" ? "" : null}>Cancel</Button>
        {step.kind === "working"
          ? <Button kind="primary" unavailable="Waiting for the answer">{words.verb}</Button>
          : <Button kind={words.isDangerous ? "danger" : "primary"} onClick={agree}>{words.verb}</Button>}
      </div>
    </>
  );
}

function ActingAs() {
  const { userId = null, entityId = null } = market.connection.value ?? {};
  const caller = session.value?.caller ?? null;
  return (
    <p class="confirm-as">
      Acting as <b class="name">{userId ?? "nobody: not connected"}</b>
      {entityId !== null && (
        <>
          {" of "}
          <b class="name">{entityId}</b>
        </>
      )}
      {caller !== null && (
        <>
          , signed in with the token <b class="name">{caller}</b>
        </>
      )}.
    </p>
  );
}

function Result({ outcome, words }: { readonly outcome: Outcome; readonly words: Words }) {
  switch (outcome.kind) {
    case "success":
      return (
        <div role="status">
          <Badge tone="good" icon="check">Done</Badge> <bdi>{outcome.message}</bdi>
        </div>
      );
    case "unknown":
      return (
        <>
          <p>
            <Badge tone="warning" icon="alert">Outcome unknown</Badge> It may have taken effect, or not.{" "}
            {words.check ?? "Check the state before you repeat it."}
          </p>
          <ErrorNote report={outcome.report} />
        </>
      );
    case "failed":
      return <ErrorNote report={outcome.report} />;
    case "cancelled":
      return null;
  }
}
