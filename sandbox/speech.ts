/** The audio of the sandbox: bytes that are the same for the same text, and no audio. */
import { hash } from 'node:crypto';

/** A second of speech is about this many characters. */
const charactersPerSecond = 14;

export const secondsOf = (text: string): number => Math.ceil([...text].length / charactersPerSecond);

/** A piece for each second, of every value that a byte can have. */
export function audioOf(text: string, bytesPerSecond: number): readonly Buffer[] {
  const [first = 0] = hash('sha256', text, 'buffer');
  return Array.from({ length: secondsOf(text) }, (_, second) =>
    Buffer.from(Uint8Array.from({ length: bytesPerSecond }, (__, at) => (first + second + at) % 256)),
  );
}
