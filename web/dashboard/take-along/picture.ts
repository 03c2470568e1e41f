// A picture of a part of the page, whatever it is made of: canvases, SVG shapes, grounds of elements, and text. It is drawn
// from what the browser has laid out, because the page's policy does not let a copy of the page be loaded as an image.
//
// Limits: borders, gradients and shadows are left out, and corners are square.

/** Pixels of the picture for each of the page, at least. */
const MIN_SCALE = 2;
/** CSS pixels. */
const MARGIN = 8;
const TITLE = 24;

/** Controls around what is drawn. */
const NOT_DRAWN = ".take-along, details";

/** A PNG of what `element` contains as it is shown now, with a title above it. Throws if the browser can't make one. */
export async function pictureOf(element: HTMLElement, title: string, note: string): Promise<Blob> {
  const parts = [...element.children].filter((part) => !part.matches(NOT_DRAWN));
  const { left, top, width, height } = around(parts.map((part) => part.getBoundingClientRect()));
  const scale = Math.max(MIN_SCALE, devicePixelRatio);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round((width + 2 * MARGIN) * scale);
  canvas.height = Math.round((height + 2 * MARGIN + TITLE) * scale);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser draws no pictures");
  context.scale(scale, scale);
  context.fillStyle = groundOf(element);
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawTitle(context, element, title, note, width);
  context.translate(MARGIN - left, MARGIN + TITLE - top);
  for (const part of parts) draw(context, part);
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/png");
  const picture = await promise;
  if (picture === null) throw new Error("the browser made no picture");
  return picture;
}

function around(boxes: readonly DOMRect[]): DOMRect {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left;
  return new DOMRect(left, top, width, Math.max(...boxes.map((box) => box.bottom)) - top);
}

type Context = CanvasRenderingContext2D;

function drawTitle(context: Context, element: Element, title: string, note: string, width: number): void {
  const { color } = getComputedStyle(element);
  context.fillStyle = color;
  context.textBaseline = "middle";
  context.font = "600 13px system-ui, sans-serif";
  context.fillText(title, MARGIN, MARGIN + TITLE / 2 - 4);
  const titleEnd = MARGIN + context.measureText(title).width;
  context.font = "11px system-ui, sans-serif";
  const noteBegin = MARGIN + width - context.measureText(note).width;
  if (noteBegin > titleEnd + MARGIN) context.fillText(note, noteBegin, MARGIN + TITLE / 2 - 4);
}

/** The first ground that is not transparent, from the element outwards. */
function groundOf(element: Element | null): string {
  for (let around = element; around !== null; around = around.parentElement) {
    const { backgroundColor } = getComputedStyle(around);
    if (isVisible(backgroundColor)) return backgroundColor;
  }
  return "white";
}

function isVisible(colour: string): boolean {
  return colour !== "none" && colour !== "transparent" && !/^rgba\(.*, 0\)$/.test(colour);
}

function draw(context: Context, node: Node): void {
  if (node instanceof Text) return drawText(context, node);
  if (!(node instanceof Element)) return;
  const style = getComputedStyle(node);
  if (style.display === "none" || style.visibility === "hidden" || node.classList.contains("visually-hidden")) return;
  context.save();
  context.globalAlpha *= Number(style.opacity);
  const { left, top, width, height } = node.getBoundingClientRect();
  if (node instanceof SVGGeometryElement) drawShape(context, node, style);
  else if (node instanceof HTMLCanvasElement) context.drawImage(node, left, top, width, height);
  else if (node instanceof HTMLElement && isVisible(style.backgroundColor)) {
    context.fillStyle = style.backgroundColor;
    context.fillRect(left, top, width, height);
  }
  if (style.overflowX !== "visible" && !(node instanceof SVGGeometryElement)) {
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
  }
  for (const child of node.childNodes) draw(context, child);
  context.restore();
}

/** The transformation of the page is that of the context: the shape's own one comes on top. */
function drawShape(context: Context, shape: SVGGeometryElement, style: CSSStyleDeclaration): void {
  const matrix = shape.getScreenCTM();
  if (matrix === null) return;
  const line = Number.parseFloat(style.strokeWidth);
  const isUnscaled = style.getPropertyValue("vector-effect") === "non-scaling-stroke";
  const unscaled = context.getTransform();
  context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
  const path = pathOf(shape);
  const opacity = context.globalAlpha;
  context.globalAlpha = opacity * Number(style.fillOpacity);
  if (isVisible(style.fill)) {
    context.fillStyle = style.fill;
    context.fill(path);
  }
  if (!isVisible(style.stroke) || !(line > 0)) return;
  context.globalAlpha = opacity * Number(style.strokeOpacity);
  context.strokeStyle = style.stroke;
  context.lineWidth = line;
  context.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[\s,]+/).map(parseFloat));
  if (!isUnscaled) return context.stroke(path);
  const placed = new Path2D();
  placed.addPath(path, matrix);
  context.setTransform(unscaled);
  context.stroke(placed);
}

function pathOf(shape: SVGGeometryElement): Path2D {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute("d") ?? "");
  const path = new Path2D();
  const of = (name: string) => Number.parseFloat(shape.getAttribute(name) ?? "0");
  if (shape instanceof SVGLineElement) {
    path.moveTo(of("x1"), of("y1"));
    path.lineTo(of("x2"), of("y2"));
  } else if (shape instanceof SVGCircleElement) path.arc(of("cx"), of("cy"), of("r"), 0, 2 * Math.PI);
  else if (shape instanceof SVGRectElement) path.rect(of("x"), of("y"), of("width"), of("height"));
  else if (shape instanceof SVGPolylineElement || shape instanceof SVGPolygonElement) {
    for (const { x, y } of shape.points) path.lineTo(x, y);
    if (shape instanceof SVGPolygonElement) path.closePath();
  }
  return path;
}

/** Word by word, each where the page has it, so that lines break as there. */
function drawText(context: Context, text: Text): void {
  const { parentElement: around } = text;
  if (around === null) return;
  const style = getComputedStyle(around);
  context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  context.fillStyle = around instanceof SVGElement ? style.fill : style.color;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const range = document.createRange();
  for (const { index, 0: word } of text.data.matchAll(/\S+/g)) {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    const { left, top, height, width } = range.getBoundingClientRect();
    if (width > 0) context.fillText(word, left, top + height / 2);
  }
}
