// Spans of time shaded behind a chart's lines, each with a label at its top if there is room.

import type { IChartApi, IPanePrimitive, Logical, Time } from "lightweight-charts";
import { type ChartGrid, indexOf } from "./chart-grid.ts";
import type { ColourOf, ThemeColour } from "./chart-theme.ts";

export interface ChartBand {
  /** Seconds since 1970. */
  readonly from: number;
  /** Null: it has not ended. */
  readonly to: number | null;
  readonly colour: ThemeColour;
  readonly label: string;
}

interface BandsState {
  readonly bands: readonly ChartBand[];
  readonly grid: ChartGrid;
  readonly colour: ColourOf;
}

/** Drawn by the chart whenever it draws itself. */
export class ChartBands implements IPanePrimitive<Time> {
  #state: BandsState | null = null;
  #requestUpdate: (() => void) | null = null;
  readonly #views;

  constructor(chart: IChartApi) {
    const renderer: { draw: Draw } = {
      draw: (target) => target.useBitmapCoordinateSpace((scope) => this.#draw(chart, scope)),
    };
    this.#views = [{ zOrder: () => "bottom" as const, renderer: () => renderer }];
  }

  attached({ requestUpdate }: { requestUpdate: () => void }): void {
    this.#requestUpdate = requestUpdate;
  }

  paneViews() {
    return this.#views;
  }

  show(state: BandsState): void {
    this.#state = state;
    this.#requestUpdate?.();
  }

  #draw(chart: IChartApi, { context, bitmapSize, horizontalPixelRatio, verticalPixelRatio }: Scope): void {
    if (this.#state === null) return;
    const { bands, grid, colour } = this.#state;
    const scale = chart.timeScale();
    // The library knows only whole places.
    const x = (seconds: number) => {
      const index = indexOf(seconds, grid);
      const place = Math.floor(index);
      const [left, right] = [place, place + 1].map((each) => scale.logicalToCoordinate(each as Logical));
      return typeof left === "number" && typeof right === "number" ? left + (right - left) * (index - place) : null;
    };
    for (const band of bands) {
      const left = x(band.from);
      const right = band.to === null ? scale.width() : x(band.to);
      if (left === null || right === null || right <= 0) continue;
      const from = Math.max(0, left) * horizontalPixelRatio;
      const width = Math.max(1, right * horizontalPixelRatio - from);
      context.fillStyle = colour(band.colour, 0.13);
      context.fillRect(from, 0, width, bitmapSize.height);
      context.fillStyle = colour(band.colour, 0.7);
      context.fillRect(from, 0, width, 2 * verticalPixelRatio);
      context.font = `${11 * verticalPixelRatio}px system-ui, sans-serif`;
      if (context.measureText(band.label).width + 8 * horizontalPixelRatio > width) continue;
      context.fillStyle = colour(band.colour);
      context.fillText(band.label, from + 4 * horizontalPixelRatio, 14 * verticalPixelRatio);
    }
  }
}

type Draw = (target: { useBitmapCoordinateSpace: (draw: (scope: Scope) => void) => void }) => void;

interface Scope {
  readonly context: CanvasRenderingContext2D;
  readonly bitmapSize: { readonly width: number; readonly height: number };
  readonly horizontalPixelRatio: number;
  readonly verticalPixelRatio: number;
}
