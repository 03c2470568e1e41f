// A chart over market time: lines, candles, bars, shaded spans. Arrow keys, plus and minus move it; a table below it has the
// same figures.
//
//   <Chart label="Spot prices" summary="NORTH 46.73, WEST 51.20" timezone="America/Chicago" series={[...]} bands={[...]} />

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ChartCanvas, type ChartContent } from "./chart-canvas.ts";
import { ChartReadout } from "./chart-readout.tsx";
import { ChartTable } from "./chart-table.tsx";
import "./chart.css";
import { TakePicture } from "./take-picture.tsx";

export type { ChartSeries } from "./chart-series.ts";

interface ChartProps extends ChartContent {
  /** What the chart shows, such as `Price of NORTH, hour 22`. */
  readonly label: string;
  /** What there is to see in it, in a sentence. */
  readonly summary: string;
  /** CSS pixels, or a CSS length. */
  readonly height?: number | string;
  /** Places of the axis that are visible at first; absent: all. When it or `viewKey` changes, the last ones are shown again. */
  readonly visible?: number;
  readonly viewKey?: string;
}

export function Chart(props: ChartProps) {
  const { label, summary, height = 280, series, timezone } = props;
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const canvas = useCanvas(box, props, setAt);
  const [hasTable, setHasTable] = useState(false);
  return (
    <figure class="chart" aria-label={label}>
      <ChartReadout series={series} timezone={timezone} at={at} />
      <div
        ref={box}
        class="chart-box"
        style={{ height: typeof height === "number" ? `${height}px` : height }}
        role="img"
        aria-label={`${label}. ${summary} Arrow keys scroll, plus and minus zoom, Home shows all.`}
        tabIndex={0}
        onKeyDown={(event) => {
          if (canvas.current !== null && act(canvas.current, event.key)) event.preventDefault();
        }}
        onFocusIn={() => canvas.current?.useWheel(true)}
        onFocusOut={() => canvas.current?.useWheel(false)}
        onPointerDown={() => box.current?.focus({ preventScroll: true })}
      />
      <TakePicture label={label} />
      <details class="chart-table" onToggle={(event) => setHasTable(event.currentTarget.open)}>
        <summary>Show as table</summary>
        {hasTable && <ChartTable label={`${label}, as a table`} series={series} timezone={timezone} />}
      </details>
    </figure>
  );
}

function useCanvas(
  box: { readonly current: HTMLDivElement | null },
  props: ChartProps,
  onPoint: (seconds: number | null) => void,
) {
  const { series, bands, timezone, step, visible, viewKey } = props;
  const canvas = useRef<ChartCanvas | null>(null);
  const shownView = useRef<string | null>(null);
  useLayoutEffect(() => {
    canvas.current = new ChartCanvas(box.current!, onPoint);
    return () => {
      canvas.current?.remove();
      canvas.current = null;
      shownView.current = null;
    };
  }, []);
  useEffect(() => {
    if (canvas.current === null) return;
    canvas.current.show({ series, bands, timezone, step });
    const view = `${viewKey} ${visible}`;
    if (shownView.current === view || series.every(({ points }) => points.length === 0)) return;
    shownView.current = view;
    if (visible === undefined) canvas.current.fit();
    else canvas.current.showLast(visible);
  }, [series, bands, timezone, step, visible, viewKey]);
  return canvas;
}

/** Whether the key means something. */
function act(canvas: ChartCanvas, key: string): boolean {
  if (key === "ArrowLeft") canvas.scroll(-0.1);
  else if (key === "ArrowRight") canvas.scroll(0.1);
  else if (key === "PageUp") canvas.scroll(-0.9);
  else if (key === "PageDown") canvas.scroll(0.9);
  else if (key === "+" || key === "=") canvas.zoom(0.7);
  else if (key === "-") canvas.zoom(1.4);
  else if (key === "Home") canvas.fit();
  else return false;
  return true;
}
