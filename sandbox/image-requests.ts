/** What all image protocols of the sandbox share: which prompts are refused, sizes, and token counts. */

/** A prompt with this word is refused, so that a caller can see what a refusal looks like. */
export const isForbidden = (prompt: string): boolean => /\bforbidden\b/i.test(prompt);

export interface Area {
  readonly width: number;
  readonly height: number;
}

/** Undefined for a text that names no size. */
export function readArea(size: string): Area | undefined {
  const [, width, height] = (/^(\d+)x(\d+)$/.exec(size) ?? []).map(Number);
  return width && height ? { width, height } : undefined;
}

/** The size of a shape such as `4:3`, which may stand on end; undefined for one that is not in the list. */
export function areaOfShape(
  shapes: Readonly<Record<string, readonly [number, number]>>,
  shape: string,
  scale = 1,
): Area | undefined {
  const turned = shape.split(':').reverse().join(':');
  const [width, height] = shapes[shape] ?? shapes[turned]?.toReversed() ?? [];
  return width && height ? { width: width * scale, height: height * scale } : undefined;
}

/** What an image of a quality counts, for each square of 32 pixels. */
const tokensOfQuality: Readonly<Record<string, number>> = { low: 0.25, medium: 1, high: 4 };

export function countImage({ width, height }: Area, quality: string): number {
  return Math.ceil((width / 32) * (height / 32) * (tokensOfQuality[quality] ?? 1));
}
