/**
 * The command `npm run where`: reads a stack trace, or whole log lines, of a built function from standard input and
 * writes it with the places in the sources. The bundles must be built from the commit that wrote the log.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundles, bundlesDirectory, mapsName } from './build.ts';

/** A file of a bundle, line and column, as V8 and the log write them. */
const place = /(?:file:\/\/)?\/[^\s"'()]*\/([\w.-]+\.mjs):(\d+):(\d+)/g;

/** The text, with each place in a file that `maps` has a map of told as a place in the project. */
export function toSources(trace: string, maps: string): string {
  const known = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string) => {
    if (!known.has(file)) known.set(file, readMap(join(maps, `${file}.map`)));
    return known.get(file);
  };
  return trace.replaceAll(place, (written, file: string, line: string, column: string) => {
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

async function main(): Promise<void> {
  const [name = ''] = process.argv.slice(2);
  if (!Object.hasOwn(bundles, name)) {
    console.error(
      `Whose log is it? npm run -s where -- <function> < trace\n${Object.keys(bundles).join(', ')}`,
    );
    process.exit(2);
  }
  const maps = join(bundlesDirectory, mapsName, name);
  if (!existsSync(maps)) {
    console.error('There are no maps. Check out the commit that is deployed, and: npm ci && npm run build');
    process.exit(1);
  }
  process.stdout.write(toSources(await text(process.stdin), maps));
}

if (import.meta.main) await main();
