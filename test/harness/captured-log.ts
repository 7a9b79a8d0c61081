/** The lines that the functions of this process log, kept for a test instead of being shown. */
export interface CapturedLog {
  readonly lines: readonly string[];
  /** What is written from then on is shown again. */
  release(): void;
}

/** Lines that are not kept are lost. */
export function captureLog({ keep } = { keep: true }): CapturedLog {
  const lines: string[] = [];
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  for (const [index, stream] of streams.entries()) {
    const write = writes[index]?.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: never[]) => {
      const text = String(chunk);
      if (!text.startsWith('{"level":')) return write?.(chunk, ...rest) ?? true;
      if (keep) lines.push(...text.split('\n').filter((line) => line !== ''));
      return true;
    };
  }
  return {
    lines,
    release() {
      for (const [index, stream] of streams.entries()) stream.write = writes[index] ?? stream.write;
    },
  };
}
