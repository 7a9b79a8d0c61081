/**
 * Reads the binary event stream of AWS services as frames: joins messages from chunks, checks them, and reads the headers
 * that name their type. The codec of one message is the library's.
 */
import { crc32 } from 'node:zlib';
import { EventStreamCodec, type Message } from '@smithy/eventstream-codec';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Frame, FrameReader } from '../../core/generation/original/protocol.ts';

// A message: total length, header length and their checksum (4 bytes each), headers, payload, checksum (4 bytes).
const preludeBytes = 12;
const overheadBytes = preludeBytes + 4;
/** The maximum length of a message. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** Throws `upstream_invalid_answer` for a wrong checksum or an impossible length, `upstream_cut` for an incomplete message. */
export function createEventStreamReader(): FrameReader {
  const codec = new EventStreamCodec(decodeUtf8, encodeUtf8);
  const buffer = createBuffer();
  return {
    *read(chunk) {
      buffer.push(chunk);
      for (let bytes = takeMessage(buffer); bytes; bytes = takeMessage(buffer)) {
        yield toFrame(decode(codec, bytes));
      }
    },
    end() {
      if (buffer.length() === 0) return [];
      throw new GatewayError('upstream_cut', 'The provider ended its stream in the middle of a message.');
    },
  };
}

interface ByteBuffer {
  length(): number;
  push(chunk: Uint8Array): void;
  /** The first `count` bytes, which must have been pushed. They stay in the buffer. */
  peek(count: number): Uint8Array;
  /** Removes the first `count` bytes, which must have been pushed. */
  take(count: number): Uint8Array;
}

/** Bytes of incomplete messages. Chunks are joined only when they are read, so a large message costs one copy. */
function createBuffer(): ByteBuffer {
  let chunks: Uint8Array[] = [];
  let length = 0;
  const peek = (count: number) => {
    if ((chunks[0]?.length ?? 0) < count) chunks = [Buffer.concat(chunks)];
    return (chunks[0] ?? new Uint8Array()).subarray(0, count);
  };
  return {
    length: () => length,
    push(chunk) {
      chunks.push(chunk);
      length += chunk.length;
    },
    peek,
    take(count) {
      const taken = peek(count);
      const [first = taken, ...others] = chunks;
      chunks = first.length > count ? [first.subarray(count), ...others] : others;
      length -= count;
      return taken;
    },
  };
}

/** The next message, if it is complete. */
function takeMessage(buffer: ByteBuffer): Uint8Array | undefined {
  if (buffer.length() < preludeBytes) return undefined;
  const total = readTotalBytes(buffer.peek(preludeBytes));
  return buffer.length() < total ? undefined : buffer.take(total);
}

/** Checked as soon as it is received: with a wrong length the reader would wait for bytes that never come. */
function readTotalBytes(prelude: Uint8Array): number {
  const view = new DataView(prelude.buffer, prelude.byteOffset, prelude.byteLength);
  const total = view.getUint32(0);
  const headers = view.getUint32(4);
  const isIntact = crc32(prelude.subarray(0, 8)) === view.getUint32(8);
  if (!isIntact || total > maxMessageBytes || headers + overheadBytes > total) throw invalid();
  return total;
}

function decode(codec: EventStreamCodec, bytes: Uint8Array): Message {
  try {
    return codec.decode(bytes);
  } catch (error) {
    throw invalid(error);
  }
}

function toFrame({ headers, body }: Message): Frame {
  const header = (name: string) => String(headers[name]?.value ?? '');
  const data = decodeUtf8(body);
  switch (header(':message-type')) {
    case 'exception':
      return { event: header(':exception-type'), data, exception: true };
    case 'error':
      // An error has its message in a header and no payload; an exception has it in the payload.
      return {
        event: header(':error-code'),
        data: JSON.stringify({ message: header(':error-message') }),
        exception: true,
      };
    default:
      return { event: header(':event-type'), data };
  }
}

function invalid(cause?: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', 'The provider sent a damaged message in its stream.', {
    cause,
  });
}

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
