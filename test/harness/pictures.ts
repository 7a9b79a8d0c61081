/** Pictures without pixels: what is read of their files is there. */

interface Png {
  readonly width?: number;
  readonly height?: number;
  readonly hasAlpha?: boolean;
  /** Bytes that make it another one, or a large one. */
  readonly more?: string | Buffer;
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

export function pngOf({ width = 64, height = 48, hasAlpha = false, more = '' }: Png = {}): Buffer {
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4);
  header.writeUInt32BE(width, 8);
  header.writeUInt32BE(height, 12);
  header.writeUInt8(8, 16);
  header.writeUInt8(hasAlpha ? 6 : 2, 17);
  return Buffer.concat([signature, header, Buffer.from(more)]);
}

export const dataUrlOf = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`;
