// Saves a chart as a picture (PNG), with its title and the market time at which it was made.

import { useRef } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import type { PictureToolProps } from "../../components/surroundings.ts";
import { time, zoneName } from "../../components/time-format.ts";
import { marketNow, timezone } from "../live/market-clock.ts";
import { fileName } from "./csv.ts";
import { saveFile } from "./hand-over.ts";
import { pictureOf } from "./picture.ts";
import { useSaid } from "./table-tools.tsx";
import "./take-along.css";

export function PictureTool({ label }: PictureToolProps) {
  const tool = useRef<HTMLDivElement>(null);
  const [said, say] = useSaid();
  const save = async () => {
    const shown = tool.current?.parentElement ?? null;
    if (shown === null) return;
    const now = marketNow.peek();
    const zone = timezone.peek();
    const note = now === null ? "" : `${time(now, zone, "dateTime")} ${zoneName(now, zone)}`;
    saveFile(fileName(label, now, "png"), await pictureOf(shown, label, note));
    say("Picture saved");
  };
  return (
    <div class="take-along" ref={tool}>
      <span role="status">{said}</span>
      <Button
        small
        kind="quiet"
        icon="camera"
        label={`PNG: picture of ${label}`}
        onClick={() => void save().catch(() => say("The browser can't make a picture"))}
      >
        PNG
      </Button>
    </div>
  );
}
