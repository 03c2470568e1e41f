// What an operator does to the market and to this server. Only in control.

import { useState } from "preact/hooks";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import { EmptyState, Reason } from "../../components/notices.tsx";
import { Panel } from "../../components/panel.tsx";
import type { Market } from "../../contract/market.ts";
import { statusWord } from "../live/market-status.ts";
import { market } from "../live/market-store.ts";
import { send } from "../live/server.ts";
import { isControl } from "../live/session.ts";
import { confirmAndCall, confirmAndRun } from "../operation/confirmation.ts";
import { whyNot } from "../operation/permission.ts";
import "./operate.css";
import type { PageProps } from "./page.ts";
import { PageHead } from "./page-head.tsx";

/** Characters. */
const MAX_REASON = 1_000;

export default function Operate(_: PageProps) {
  if (!isControl.value) {
    return (
      <div class="page">
        <PageHead title="Operate" />
        <EmptyState title="This page is for Control." />
      </div>
    );
  }
  return (
    <div class="page operate">
      <PageHead title="Operate" />
      <div class="columns">
        {market.markets.value.map((each) => <MarketPanel key={each.id} market={each} />)}
        <FreezePanel />
        <ConnectionPanel />
      </div>
    </div>
  );
}

function MarketPanel({ market: { id, name, status, halted, haltReason } }: { readonly market: Market }) {
  const [reason, setReason] = useState("");
  const { word, tone, icon } = statusWord({ status, halted });
  const given = { marketId: id, ...(reason.trim() !== "" && { reason: reason.trim() }) };
  const check = "The header and this page show whether the market is halted.";
  const halt = () =>
    confirmAndCall("mkt_halt_market", given, {
      title: `Halt ${name}`,
      effect: "All matching stops at once, for everyone.",
      verb: "Halt market",
      check,
      serverAsks: true,
      isDangerous: true,
    });
  const resume = () =>
    confirmAndCall("mkt_resume_market", given, {
      title: `Resume ${name}`,
      effect:
        `The halt of ${name} (${id}) ends, for everyone. The market gets the status of its schedule: if it is open, ` +
        "held orders are matched at once; if it is closed, day orders expire.",
      verb: "Resume market",
      check,
    });
  return (
    <Panel
      title={`Market ${name}`}
      actions={<Badge tone={tone} icon={icon}>{word}</Badge>}
    >
      {halted && (
        <p>
          Halted. <Reason reason={haltReason} />
        </p>
      )}
      <ReasonField value={reason} onChange={setReason} hint="Everybody who sees the market can read it." />
      <div class="operate-actions">
        {halted
          ? (
            <Button
              kind="primary"
              icon="play"
              onClick={() => void resume()}
              unavailable={whyNot({ permission: "Market.Operate" })}
            >
              Resume market
            </Button>
          )
          : (
            <Button
              kind="danger"
              icon="stop"
              onClick={() => void halt()}
              unavailable={whyNot({ permission: "Market.Operate", allowedWhenFrozen: true })}
            >
              Halt market
            </Button>
          )}
      </div>
    </Panel>
  );
}

function FreezePanel() {
  const [reason, setReason] = useState("");
  const frozen = market.frozen.value;
  const freeze = () =>
    confirmAndRun(
      {
        title: "Freeze this server",
        effect:
          "From then on this server refuses every change, from every client, but for a halt. The market goes on. Only " +
          "`mkt thaw` on the server's host ends it.",
        verb: "Freeze server",
        check: "The banner at the top shows whether the server is frozen.",
        isDangerous: true,
      },
      async () => {
        await send("POST", "/dashboard/freeze", { reason: reason.trim() });
        return { kind: "result", isError: false, result: { message: "The server is frozen." } };
      },
      { isRepeatable: true },
    );
  if (frozen !== null) {
    return (
      <Panel title="This server" actions={<Badge tone="info" icon="snow">FROZEN</Badge>}>
        <p>
          It changes nothing until somebody runs <code>mkt thaw</code> on its host.
        </p>
      </Panel>
    );
  }
  const { offersFreeze = false } = market.connection.value ?? {};
  const notOffered = offersFreeze ? null : "This server has no kill switch (MKT_FREEZE_FILE)";
  const unavailable = whyNot({}) ?? notOffered ?? (reason.trim() === "" ? "Give a reason first" : null);
  return (
    <Panel title="This server" actions={<Badge tone="good" icon="check">not frozen</Badge>}>
      <ReasonField value={reason} onChange={setReason} hint="Every client of this server can read it." />
      <div class="operate-actions">
        <Button kind="danger" icon="snow" onClick={() => void freeze()} unavailable={unavailable}>Freeze server</Button>
      </div>
    </Panel>
  );
}

function ConnectionPanel() {
  const { status = "disconnected", userId = null, entityId = null } = market.connection.value ?? {};
  const isOff = status === "disconnected";
  const connect = () =>
    confirmAndCall("mkt_connect_pubsub", {}, {
      title: "Connect this server to the market",
      effect: "The server connects as its own user (MKT_USER_ID) and follows the market, for all of its clients.",
      verb: "Connect",
    });
  const disconnect = () =>
    confirmAndCall("mkt_disconnect_pubsub", {}, {
      title: "Disconnect this server from the market",
      effect:
        `All clients of this server lose the market: nothing is live until somebody connects again. Orders of ${userId} ` +
        "stay in the market.",
      verb: "Disconnect",
      isDangerous: true,
    });
  return (
    <Panel
      title="Connection to the market"
      actions={<Badge tone={isOff ? "warning" : "good"} icon={isOff ? "unlink" : "link"}>{status}</Badge>}
    >
      {isOff ? <p>Nobody acts.</p> : (
        <p>
          Acting user <b class="name">{userId}</b>
          {entityId !== null && (
            <>
              , entity <b class="name">{entityId}</b>
            </>
          )}
        </p>
      )}
      <div class="operate-actions">
        {isOff
          ? (
            <Button icon="link" onClick={() => void connect()} unavailable={whyNot({ allowedWhenFrozen: true })}>
              Connect
            </Button>
          )
          : (
            <Button
              kind="danger"
              icon="unlink"
              onClick={() => void disconnect()}
              unavailable={whyNot({ allowedWhenFrozen: true })}
            >
              Disconnect
            </Button>
          )}
      </div>
    </Panel>
  );
}

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly hint: string;
}

function ReasonField({ value, onChange, hint }: ReasonFieldProps) {
  return (
    <Field label="Reason" hint={hint}>
      <input
        type="text"
        value={value}
        maxLength={MAX_REASON}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </Field>
  );
}
