/** What all image protocols of the sandbox share: which prompts are refused, sizes, token counts, and one constant image of one pixel for each format. */

const imageFormats = ['png', 'jpeg', 'webp'] as const;
type ImageFormat = (typeof imageFormats)[number];

export const isImageFormat = (text: string): text is ImageFormat =>
  imageFormats.some((format) => format === text);

const constants: Readonly<Record<ImageFormat, string>> = {
  png:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQMAAAAl21bKAAAAA1BMVEUtcRZVHxWPAAAACklEQVR4nGNgAAAAAgABSK+kcQAA' +
    'AABJRU5ErkJggg==',
  jpeg:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI' +
    'CAgICAgICAgICAgICAgICAj/wAARCAABAAEDAREAAhEAAxEA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QA' +
    'FBABAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACAAMAAD8A5FzrEf/Z',
  webp: 'UklGRhgAAABXRUJQVlA4TAwAAAAvAAAAAGhcW2rR/wA=',
};

interface ImageRequest {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  /** The same text gives the same image. */
  readonly subject: string;
}

/** The constant image in base64, followed by size and subject as text: image readers ignore what follows an image. */
export function imageOf({ format, width, height, subject }: ImageRequest): string {
  const image = Buffer.from(constants[format], 'base64');
  return Buffer.concat([image, Buffer.from(`\n${width}x${height} ${subject}`)]).toString('base64');
}

/** The media type of a file by its first bytes; empty for what is no image. */
export function formatOf(bytes: Buffer): string {
  const hex = bytes.toString('hex', 0, 12);
  if (hex.startsWith('89504e470d0a1a0a')) return 'image/png';
  if (hex.startsWith('ffd8ff')) return 'image/jpeg';
  return /^52494646.{8}57454250/.test(hex) ? 'image/webp' : '';
}

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
