/**
 * The command `npm run where`: reads a stack trace, or whole log lines, of a built function from standard input, and
 * writes it with positions in the sources. The commit that wrote the log must be checked out.
 */
import type { SourceMap } from 'node:module';
import { text } from 'node:stream/consumers';
import { bundles, sourceMapsOf } from './build.ts';

/** A file of a bundle, line and column, as V8 and the log write them. */
const position = /(?:file:\/\/)?\/[^\s"'()]{0,200}\/([\w.-]+\.mjs):(\d+):(\d+)/g;

/** Of a bundle, by the names of its files. */
export type SourceMaps = ReadonlyMap<string, SourceMap>;

/** The text, with each position in a mapped file replaced by the position in the project. */
export function toSources(trace: string, maps: SourceMaps): string {
  return trace.replaceAll(position, (written, file: string, line: string, column: string) => {
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : written;
  });
}

function fail(message: string, exitCode: 1 | 2): never {
  console.error(`Error: ${message}`);
  process.exit(exitCode);
}

async function main(): Promise<void> {
  const [name] = process.argv.slice(2);
  const functions = Object.keys(bundles).join(', ');
  const usage = `Usage: npm run -s where -- <function> < trace.txt\nThe functions are: ${functions}`;
  if (name === undefined) fail(`Missing required argument: <function>\n\n${usage}`, 2);
  if (!Object.hasOwn(bundles, name)) fail(`Unknown function: ${name}\n\n${usage}`, 2);
  const [trace, maps] = await Promise.all([text(process.stdin), sourceMapsOf(name)]);
  const translated = toSources(trace, maps);
  process.stdout.write(translated);
  if (translated === trace) {
    console.error(
      `No position in this text belongs to a file of the function ${name}. Check the name, and that the deployed commit is checked out.`,
    );
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
