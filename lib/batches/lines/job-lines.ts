/** The lines of a job as they are stored, and the names of what is stored of a batch. */
import { hash } from 'node:crypto';
import type { BatchJob, BatchRef } from '../../core/batches.ts';
import { readParts } from '../../core/file-bytes.ts';
import type { ByteStore, FilePart } from '../../core/files.ts';
import { readLines as readTextLines } from '../../core/formats/json-lines.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { lineRequestId } from '../../core/names/request-id.ts';
import type { BatchLine } from '../ports.ts';

/** Where what is kept of a job is stored: names are of one batch, and `what` is of one job. */
export const nameIn = ({ tenant, id }: BatchRef, job: string, what: string): string =>
  `t/${tenant.replaceAll(/[^\w-]/g, '-')}/b/${id}/${job}/${what}`;

const bodyMember = ',"body":';

export const writeLine = ({ n, customId, body }: BatchLine): string =>
  `{"n":${n},"custom_id":${JSON.stringify(customId)}${bodyMember}${body}}`;

/** Quotes within the text of an id are escaped: the first member of this name is that of the line. */
function readStored(text: string): BatchLine {
  const start = text.indexOf(bodyMember);
  const { n, custom_id: customId } = asObject(parseJson(`${text.slice(0, start)}}`));
  return { n: Number(n), customId: String(customId), body: text.slice(start + bodyMember.length, -1) };
}

export const readTexts = (parts: readonly FilePart[] = [], bytes: ByteStore): AsyncGenerator<string> =>
  readTextLines(readParts(parts, bytes));

export async function* readLines(
  parts: readonly FilePart[] = [],
  bytes: ByteStore,
): AsyncGenerator<BatchLine> {
  for await (const text of readTexts(parts, bytes)) yield readStored(text);
}

/** The same without those outside of a range, by their place in the job. */
export async function* sliceOf<Item>(
  source: AsyncIterable<Item>,
  from: number,
  to: number,
): AsyncGenerator<Item> {
  let at = 0;
  for await (const item of source) {
    if (at >= to) return;
    if (at >= from) yield item;
    at += 1;
  }
}

/** The name of a job at its provider: always the same one for these lines of it. */
export const jobIdOf = (batch: BatchRef, job: { readonly n: number; readonly answered: number }): string =>
  `b${hash('sha256', batch.id).slice(0, 16)}-${job.n}-${job.answered}`;

/** The name of a line in its job. Not a number: some providers read those as such. */
export const lineIdOf = (jobId: string, n: number): string => `${jobId}_${n}`;

/** Of the record of a line that a job has answered, but for its first one. */
export const recordIdOf = ({ id }: BatchRef, n: number, { endedAt = 0 }: Pick<BatchJob, 'endedAt'>): string =>
  lineRequestId({ batch: id, line: n, attempt: 1 }, endedAt);

/** The same for the same line, so that a result that is read twice is written as it was. */
export const resultIdOf = ({ id }: BatchRef, n: number): string =>
  `batch_req_${hash('sha256', `${id} ${n}`).slice(0, 32)}`;
