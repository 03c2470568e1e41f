// Asks for a token: to see anything at all, or for control. The token goes to the server once, in the body of a request, and
// is kept nowhere.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { ErrorNote } from "../../components/notices.tsx";
import type { ErrorReport } from "../../contract/calls.ts";
import type { Access } from "../../contract/session.ts";
import { RequestError } from "../live/server.ts";
import { CONTROL_PATH, endReason, isControlPage, session, signIn } from "../live/session.ts";
import { pageTitle } from "../pages/page-head.tsx";
import "./sign-in.css";

/** Nobody has signed in. */
export function SignIn() {
  const [access, setAccess] = useState<Access>(isControlPage ? "control" : "view");
  const offersControl = session.value?.offersControl ?? false;
  return (
    <TokenForm title="Sign in to mkt" verb="Sign in" access={offersControl ? access : "view"}>
      {offersControl && (
        <fieldset>
          <legend>What for</legend>
          <AccessChoice access="view" chosen={access} choose={setAccess} title="Look only">
            Shows everything, changes nothing. For 12 hours.
          </AccessChoice>
          <AccessChoice access="control" chosen={access} choose={setAccess} title="Control">
            Can halt the market, freeze the server and run the simulation. For one hour.
          </AccessChoice>
        </fieldset>
      )}
    </TokenForm>
  );
}

/** Somebody looks, and asks for control. */
export function ControlGate() {
  const { needsToken = true, offersControl = false } = session.value ?? {};
  if (!offersControl) {
    return (
      <main class="sign-in sign-in-control">
        <form>
          <h1>Control</h1>
          <p>This server is read-only, so nobody can have control.</p>
          <a class="button" href={`/${location.hash}`}>Back to looking</a>
        </form>
      </main>
    );
  }
  return (
    <TokenForm title="Control" verb="Take control" access="control" hasToken={needsToken}>
      <p>
        In Control this page can halt the market for everyone, freeze this server, connect and disconnect it, and start
        and stop the simulation. Each of these is confirmed first. Control ends after one hour.
      </p>
    </TokenForm>
  );
}

interface TokenFormProps {
  readonly title: string;
  readonly verb: string;
  readonly access: Access;
  readonly hasToken?: boolean;
  readonly children: ComponentChildren;
}

function TokenForm({ title, verb, access, hasToken = true, children }: TokenFormProps) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<ErrorReport | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void (pageTitle.value = verb), [verb]);
  const submit = async () => {
    setBusy(true);
    setProblem(await tryToSignIn(access, hasToken ? token : undefined));
    setBusy(false);
    setToken("");
  };
  const missing = hasToken && token === "" ? "" : null;
  return (
    <main class={`sign-in ${access === "control" ? "sign-in-control" : ""}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === null && !isBusy) void submit();
        }}
      >
        <h1>{title}</h1>
        {endReason.value !== null && <p class="sign-in-reason" role="status">{endReason.value}</p>}
        {hasToken && (
          <Field
            label="Token"
            hint="Whoever runs this server has given it to you. Control needs a person's token (MCP_BEARER_TOKEN_FILE)."
          >
            <input
              type="password"
              value={token}
              autoComplete="off"
              autoFocus
              maxLength={4096}
              onInput={({ currentTarget }) => setToken(currentTarget.value)}
            />
          </Field>
        )}
        {children}
        {problem !== null && <ErrorNote report={problem} />}
        <Button type="submit" kind={access === "control" ? "danger" : "primary"} unavailable={isBusy ? "…" : missing}>
          {verb}
        </Button>
        {isControlPage && session.value?.access === "view" && <a href={`/${location.hash}`}>Back to looking</a>}
      </form>
    </main>
  );
}

/** Null if it worked. Then the page is the one for this access. */
async function tryToSignIn(access: Access, token: string | undefined): Promise<ErrorReport | null> {
  try {
    await signIn(access, token);
  } catch (error) {
    if (!(error instanceof RequestError)) return { code: "no_answer", message: "The server can't be reached." };
    return error.status === 401 ? { ...error.report, code: "wrong token" } : error.report;
  }
  if ((access === "control") !== isControlPage) {
    location.replace(`${access === "control" ? CONTROL_PATH : "/"}${location.hash}`);
  }
  return null;
}

interface AccessChoiceProps {
  readonly access: Access;
  readonly chosen: Access;
  readonly choose: (access: Access) => void;
  readonly title: string;
  readonly children: string;
}

function AccessChoice({ access, chosen, choose, title, children }: AccessChoiceProps) {
  return (
    <label class="sign-in-access">
      <input type="radio" name="access" checked={access === chosen} onChange={() => choose(access)} />
      <b>{title}</b>
      <span>{children}</span>
    </label>
  );
}
