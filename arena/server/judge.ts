// The judge of a served episode, on a port of its own: whoever has its token ends the episode and reads its result. So a
// verifier learns the score from the server alone, and the agent can neither read nor forge it.

import { Hono } from "hono";
import { withJsonErrors } from "../../common/http/http-app.ts";
import { bearerAuth, BearerAuthentication, type Caller, type Connection } from "../../common/http/bearer-auth.ts";
import { addressOf, listen } from "../../common/http/listen.ts";
import { RateLimit } from "../../common/http/rate-limit.ts";
import { TokenStore } from "../../common/http/token-store.ts";
import { logger } from "../../common/logger.ts";

interface JudgeOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly token: string;
  /** Ends the episode, the first time. */
  readonly result: () => Promise<{ readonly score: number | null }>;
  /** Plays the episode from where it is, as the expert would. */
  readonly solve: () => Promise<void>;
}

interface Judge {
  readonly url: string;
  stop(): Promise<void>;
}

const VARIABLES = { token: "--judge-token-file", file: "--judge-token-file" };
/** Of one address. */
const FAILURES_PER_SECOND = 20;

/** Throws a one-line error if it can't listen. */
export function serveJudge({ host, port, token, result, solve }: JudgeOptions): Judge {
  const log = logger("judge");
  const app = new Hono<{ Bindings: Connection; Variables: Caller }>();
  app.get("/health", (context) => context.json({ status: "healthy" }));
  const tokens = new TokenStore({ token, file: null, variables: VARIABLES, log });
  const failures = new RateLimit(FAILURES_PER_SECOND);
  app.use(bearerAuth(new BearerAuthentication({ tokens, failures, setting: "the judge's token" })));
  app.get("/result", async (context) => context.json(await result()));
  app.get("/reward", async (context) => context.text(`${(await result()).score ?? 0}\n`));
  app.post("/solve", async (context) => {
    await solve();
    return context.json({ status: "played" });
  });
  withJsonErrors(app, log);
  const { server, address } = listen({
    host,
    port,
    log,
    fetch: (request, server) => {
      // To play an episode, or to settle it, takes a while.
      server.timeout(request, 0);
      return app.fetch(request, { address: addressOf(request, server) });
    },
  });
  return { url: `http://${address}`, stop: () => server.stop(true) };
}
