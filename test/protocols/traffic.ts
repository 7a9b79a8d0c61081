/**
 * Recorded provider traffic, if it is available next to the repository: bodies, streams with restored framing, and their
 * requests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createParser } from 'eventsource-parser';
import type { Frame } from '../../lib/core/generation/original/protocol.ts';
import type { JsonObject } from '../../lib/core/generation/request.ts';

const root = new URL('../../../shared/data/traffic/', import.meta.url);

/** Whether recordings are available. */
export const hasTraffic = existsSync(root);

export interface Recording {
  /** The folder, file and number of the exchange. */
  readonly name: string;
  readonly status: number;
  readonly url: string;
  readonly request: JsonObject | undefined;
  /** One of the two. */
  readonly frames?: readonly Frame[];
  readonly body?: unknown;
}

export function readFrames(text: string): readonly Frame[] {
  const frames: Frame[] = [];
  const parser = createParser({ onEvent: ({ event = '', data }) => frames.push({ event, data }) });
  parser.feed(`${text}\n\n`);
  return frames;
}

/** All recordings of some folders, in file order. Duplicate files (a body extracted from its cassette) come once. */
export function readTraffic(
  folders: readonly string[],
  endOfStream: readonly Frame[] = [],
): readonly Recording[] {
  if (!hasTraffic) return [];
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root))
      .toSorted()
      .flatMap((file) => readRecording(folder, file, endOfStream)),
  );
}

function readRecording(folder: string, file: string, endOfStream: readonly Frame[]): readonly Recording[] {
  const text = readFileSync(new URL(`${folder}/${file}`, root), 'utf8');
  const base = { name: `${folder}/${file}`, status: 200, url: '', request: undefined };
  if (file.endsWith('.chunks.txt')) {
    const lines = text.split('\n').filter((line) => line !== '');
    return [{ ...base, frames: [...lines.map((data) => ({ event: '', data })), ...endOfStream] }];
  }
  if (file.endsWith('.cassette.json')) return readCassette(base.name, JSON.parse(text));
  if (file.endsWith('.sse')) return [{ ...base, frames: readFrames(text) }];
  return file.endsWith('.json') ? [{ ...base, body: JSON.parse(text) }] : [];
}

interface Cassette {
  readonly interactions: readonly {
    readonly request: { readonly url: string; readonly body: JsonObject };
    readonly response: { readonly status: number; readonly json?: unknown; readonly text?: string };
  }[];
}

function readCassette(name: string, cassette: Cassette): readonly Recording[] {
  return cassette.interactions.map(({ request, response }, index) => ({
    name: `${name}#${index}`,
    status: response.status,
    url: request.url,
    request: request.body,
    ...(response.text === undefined ? { body: response.json } : { frames: readFrames(response.text) }),
  }));
}
