/** The images that the sandbox answers with: one constant image of one pixel for each format. */
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

export interface ImageRequest {
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
