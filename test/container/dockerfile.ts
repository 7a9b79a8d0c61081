/** Reads the instructions of the Dockerfile and the patterns of .dockerignore. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

interface Instruction {
  /** In capitals. */
  readonly name: string;
  readonly text: string;
  /** The number of its stage; the first is 0. */
  readonly stage: number;
}

export function readInstructions(): readonly Instruction[] {
  const source = readFileSync(join(root, 'Dockerfile'), 'utf8').replace(/^#.*\n/gm, '');
  let stage = -1;
  return source
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      if (name === 'FROM') stage += 1;
      return { name, text, stage };
    });
}

/** What the first stage takes from the project. */
export const copiedPaths = (): readonly string[] =>
  readInstructions()
    .filter(({ name, text, stage }) => name === 'COPY' && stage === 0 && !text.startsWith('--from'))
    .flatMap(({ text }) => text.split(' ').slice(0, -1));

export const ignoreLines = (): readonly string[] =>
  readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
