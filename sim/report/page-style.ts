// The style sheet of a report. Paper is always light.

import { plotStyle } from "../../common/plot/svg.ts";

const LIGHT = "--paper:#fff;--panel:#f6f8fa;--ink:#14181f;--muted:#55606e;--line:#d5dbe3;--good:#17713f;--bad:#b3261e";
const DARK =
  "--paper:#0d1117;--panel:#151b23;--ink:#e6edf3;--muted:#9aa7b5;--line:#2b3441;--good:#3fb950;--bad:#ff7b72";

export function pageStyle(): string {
  return `:root{${LIGHT};color-scheme:light}
@media screen and (prefers-color-scheme:dark){:root{${DARK};color-scheme:dark}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:20px clamp(12px,3vw,32px) 48px;background:var(--paper);color:var(--ink);` +
    `font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}
h2{font-size:19px;margin:40px 0 6px;padding-top:12px;border-top:1px solid var(--line)}
h3{font-size:15px;margin:18px 0 4px}
p{margin:4px 0 10px;max-width:80ch}
.note{color:var(--muted);font-size:13.5px}
bdi{unicode-bidi:isolate}
pre{margin:10px 0;padding:10px 12px;background:var(--panel);border:1px solid var(--line);border-radius:6px;` +
    `white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.45 ui-monospace,monospace}
nav{font-size:13.5px;display:flex;flex-wrap:wrap;gap:2px 16px;margin:12px 0}
a{color:inherit}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:18px 28px;align-items:start}
.charts.three{grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr))}
.charts>*{min-width:0}
.plot{display:block;width:100%;height:auto;forced-color-adjust:none;background:var(--paper)}
.wide{overflow-x:auto}
.wide>.plot{min-width:640px}
.scroll{overflow-x:auto;max-width:100%}
.scroll:focus-visible,.wide:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:10px;margin:12px 0}
.tiles>div{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:8px 12px;display:flex;` +
    `flex-direction:column;justify-content:space-between}
.tiles dt{color:var(--muted);font-size:12.5px;line-height:1.3}
.tiles dd{margin:4px 0 0;font-size:19px}
table{border-collapse:collapse;font-size:13.5px;margin:8px 0}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:middle}
th:first-child,td:first-child{padding-left:0}
thead th{color:var(--muted);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
.number{text-align:right;white-space:nowrap}
.mark{white-space:nowrap}
.good{color:var(--good)}
.bad{color:var(--bad);font-weight:600}
.muted{color:var(--muted)}
.range{width:150px;min-width:150px}
footer{margin-top:40px;padding-top:12px;border-top:1px solid var(--line);color:var(--muted);font-size:13px}
@media (max-width:600px){h1{font-size:22px}th,td{padding:4px 7px}.range{display:none}}
@media print{body{max-width:none;padding:0;font-size:11pt}nav{display:none}.plot,tr,h2,h3{break-inside:avoid}h2,h3{break-after:avoid}` +
    `.charts{grid-template-columns:1fr 1fr}.scroll,.wide{overflow:visible}.wide>.plot{min-width:0}}
${plotStyle()}`;
}
