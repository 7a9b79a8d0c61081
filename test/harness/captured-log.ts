/** The log lines of the functions in this process, captured for a test instead of printed. */
export interface CapturedLog {
  readonly lines: readonly string[];
  /** What is written from then on is shown again. */
  close(): void;
}

export function captureLog(): CapturedLog {
  const lines: string[] = [];
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  for (const [index, stream] of streams.entries()) {
    const write = writes[index]?.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const text = String(chunk);
      if (!text.startsWith('{"level":')) return write?.(chunk, ...rest) ?? true;
      lines.push(...text.split('\n').filter((line) => line !== ''));
      return true;
    };
  }
  return {
    lines,
    close() {
      for (const [index, stream] of streams.entries()) stream.write = writes[index] ?? stream.write;
    },
  };
}

let isHidden = false;

/** Drops the lines from now on, except for tests that capture them. */
export function hideLog(): void {
  if (isHidden) return;
  isHidden = true;
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) =>
      String(chunk).startsWith('{"level":') || write(chunk, ...rest);
  }
}
