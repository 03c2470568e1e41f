// A bare echo with hono: it answers the body that it got, as text or parsed and written again. No token, no tool.
//
//   bun bench/serving/peers/echo.ts text | json

import { Hono } from "hono";
import { serveOnLoopback } from "./serve-peer.ts";

const app = new Hono();
if (process.argv[2] === "json") app.post("/mcp", async (context) => context.json(await context.req.json()));
else app.post("/mcp", async (context) => context.body(await context.req.text()));
serveOnLoopback(app.fetch);
