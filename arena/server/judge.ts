// The judge of a served episode, on a port of its own: whoever has its token ends the episode and reads its result. So a
// verifier learns the score from the server alone, and the agent can neither read nor forge it.

import { Hono } from "hono";
import { withJsonErrors } from "../../common/http/http-app.ts";
import { listen } from "../../common/http/listen.ts";
import { logger } from "../../common/logger.ts";
import { timingSafeEqual } from "node:crypto";

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

/** Throws a one-line error if it can't listen. */
export function serveJudge({ host, port, token, result, solve }: JudgeOptions): Judge {
  const log = logger("judge");
  const app = new Hono();
  app.get("/health", (context) => context.json({ status: "healthy" }));
  app.use(async (context, next) => {
    if (isToken(context.req.header("Authorization") ?? "", token)) return await next();
    return context.json({ error: { code: "unauthorized", message: "The judge's token is missing or wrong." } }, 401);
  });
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
      return app.fetch(request);
    },
  });
  return { url: `http://${address}`, stop: () => server.stop(true) };
}

function isToken(header: string, token: string): boolean {
  const [given, wanted] = [`${header}`, `Bearer ${token}`].map((text) =>
    new Bun.CryptoHasher("sha256").update(text).digest()
  );
  return timingSafeEqual(given!, wanted!);
}
