/**
 * Reads server-sent events whose data is JSON with long texts, such as images. Each stays as it was received, and in memory until the next.
 * Names of events are not read.
 */
import type { HttpResponse } from '../../core/ports/http.ts';
import { takeForImages } from '../answer-memory.ts';
import { type ByteBudget, type LargeJson, readLargeJson, tooLarge } from '../large-json.ts';

/** Rejects as `readLargeJson`. */
export async function* readLargeEvents(
  response: HttpResponse,
  budget: ByteBudget,
): AsyncGenerator<LargeJson, void, undefined> {
  const { memory: _, ...uncounted } = response;
  for await (const data of dataOf(response, budget)) {
    const [first] = data;
    // As `[DONE]` is, which is no JSON.
    if (first === undefined || first[0] === bracket) continue;
    yield await readLargeJson({ ...uncounted, body: chunksOf(data) }, { left: Number.POSITIVE_INFINITY });
  }
}

async function* chunksOf(data: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  yield* data;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const bracket = 0x5b;
const separator = Buffer.from('\n');

/** The data of each event, as views of what was received. One at the end without the empty line after it counts as whole, too. */
async function* dataOf(response: HttpResponse, budget: ByteBudget): AsyncGenerator<readonly Buffer[]> {
  let [line, data]: [Buffer[], Buffer[]] = [[], []];
  let [held, largest] = [0, 0];
  for await (const chunk of response.body) {
    budget.left -= chunk.length;
    if (budget.left < 0) throw tooLarge(response);
    held += chunk.length;
    takeForImages(response, Math.max(0, held - largest));
    largest = Math.max(largest, held);
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let from = 0; from < bytes.length; ) {
      const found = bytes.indexOf(newline, from);
      const end = found < 0 ? bytes.length : found;
      if (end > from) line.push(bytes.subarray(from, end));
      from = end + 1;
      if (found < 0) continue;
      const content = withoutReturn(line);
      line = [];
      if (content.length > 0) data = withLine(data, content);
      else if (data.length > 0) {
        yield data;
        data = [];
        held = bytes.length - from;
      }
    }
  }
  const rest = withLine(data, line);
  if (rest.length > 0) yield rest;
}

function withoutReturn(line: readonly Buffer[]): readonly Buffer[] {
  const last = line.at(-1);
  if (last?.at(-1) !== carriageReturn) return line;
  return [...line.slice(0, -1), last.subarray(0, -1)].filter(({ length }) => length > 0);
}

const field = /^data: ?/;
const longestField = 'data: '.length;

/** The data with what the line adds to it. */
function withLine(data: Buffer[], line: readonly Buffer[]): Buffer[] {
  const start = Buffer.concat(line.map((view) => view.subarray(0, longestField))).toString('latin1');
  const [name] = field.exec(start) ?? [];
  if (name === undefined) return data;
  let skipped = name.length;
  const value = line.flatMap((view) => {
    const rest = view.subarray(skipped);
    skipped = Math.max(0, skipped - view.length);
    return rest.length > 0 ? [rest] : [];
  });
  return data.length > 0 ? [...data, separator, ...value] : value;
}
