/** Aspect ratios of image sizes, for protocols that need one: `1536x1024` is `3:2`. */

interface Size {
  readonly ratio: number;
  readonly pixels: number;
}

/** Undefined for a text that is not a size (`auto`). */
export function readSize(size: string): Size | undefined {
  const [, width, height] = (/^(\d+)x(\d+)$/.exec(size) ?? []).map(Number);
  return width && height ? { ratio: width / height, pixels: width * height } : undefined;
}

/** The difference between two aspect ratios; 0 if they are equal. */
export function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}

/** The aspect ratio closest to a size. */
export function closestShape<Shape extends string>(
  { ratio }: Size,
  shapes: readonly [Shape, ...Shape[]],
): Shape {
  const unlike = (shape: Shape) => distance(ratioOf(shape), ratio);
  return shapes.reduce((closest, shape) => (unlike(shape) < unlike(closest) ? shape : closest));
}

function ratioOf(shape: string): number {
  const [width = 1, height = 1] = shape.split(':').map(Number);
  return width / height;
}
