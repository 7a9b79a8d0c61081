/**
 * The command `npm run where`: reads a stack trace, or whole log lines, of a built function from standard input, and
 * writes it with positions in the sources. The bundles must be built from the commit that wrote the log.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundles, bundlesDirectory, mapsName } from './build.ts';

/** A file of a bundle, line and column, as V8 and the log write them. */
const position = /(?:file:\/\/)?\/[^\s"'()]{0,200}\/([\w.-]+\.mjs):(\d+):(\d+)/g;

/** The text, with each position in a mapped file replaced by the position in the project. */
export function toSources(trace: string, maps: string): string {
  const known = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string) => {
    if (!known.has(file)) known.set(file, readMap(join(maps, `${file}.map`)));
    return known.get(file);
  };
  return trace.replaceAll(position, (written, file: string, line: string, column: string) => {
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : written;
  });
}

function readMap(path: string): SourceMap | undefined {
  if (!existsSync(path)) return undefined;
  const payload: SourceMapPayload = JSON.parse(readFileSync(path, 'utf8'));
  return new SourceMap(payload);
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
  const maps = join(bundlesDirectory, mapsName, name);
  if (!existsSync(maps)) {
    fail('No source maps found. Check out the deployed commit and run: npm ci && npm run build', 1);
  }
  const trace = await text(process.stdin);
  const translated = toSources(trace, maps);
  process.stdout.write(translated);
  if (translated === trace) {
    console.error(
      `No position in this text belongs to a file of the function ${name}. Check the name, and that the deployed commit is built.`,
    );
    process.exitCode = 1;
  }
}

if (import.meta.main) await main();
