/**
 * The size of an image in pixels, from the first bytes of its file. Sources: the PNG specification (IHDR), ITU T.81 (SOF markers of
 * JPEG), the GIF89a specification, Google's "WebP Container Specification".
 */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How much of a file is looked at, in bytes: what cameras write before the size fits into it. */
const maxImageHead = 256 * 1024;

/** `url`: `data:<type>;base64,<bytes>`. Undefined for any other URL, and where the bytes do not have it. */
export function imageSize(url: string): ImageSize | undefined {
  const start = url.startsWith('data:') ? url.indexOf(';base64,') + ';base64,'.length : 0;
  if (start < ';base64,'.length) return undefined;
  return imageSizeOf(Buffer.from(url.slice(start, start + Math.ceil((maxImageHead * 4) / 3)), 'base64'));
}

/** The same of a file, or its beginning. */
export function imageSizeOf(head: Buffer): ImageSize | undefined {
  const found = png(head) ?? gif(head) ?? webp(head) ?? jpeg(head);
  return found && found.width > 0 && found.height > 0 ? found : undefined;
}

const has = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

function png(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || !has(bytes, '\x89PNG\r\n') || !has(bytes, 'IHDR', 12)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gif(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || !has(bytes, 'GIF8')) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** Its three forms: extended, lossless, lossy. */
function webp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || !has(bytes, 'RIFF') || !has(bytes, 'WEBP', 8)) return undefined;
  if (has(bytes, 'VP8X', 12)) {
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  }
  if (has(bytes, 'VP8L', 12)) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** Each segment has its length, so the one with the size is found without reading what is between. */
function jpeg(bytes: Buffer): ImageSize | undefined {
  if (!has(bytes, '\xff\xd8')) return undefined;
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    // C4, C8 and CC are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker % 4 !== 0;
    if (isFrame || marker === 0xc0) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
  }
  return undefined;
}
