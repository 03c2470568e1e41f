// What saves a chart as a picture, if the program around it offers that. Each chart has one inside, at its end.

import { useContext } from "preact/hooks";
import { type PictureToolProps, Surroundings } from "./surroundings.ts";

export function TakePicture(props: PictureToolProps) {
  const { PictureTool } = useContext(Surroundings);
  return PictureTool === null ? null : <PictureTool {...props} />;
}
