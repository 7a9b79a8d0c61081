/**
 * The batch APIs of OpenAI's shape: a file of lines is uploaded, a batch is made of it, and its answers are files of lines too. How
 * hosts differ is a row for each.
 */
import { asObject, objectsIn } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asOptionalText, asText, lookUp } from '../../protocols/json.ts';
import { readFailure } from '../../protocols/openai-chat/failure.ts';
import { plainNameOf, scrubProviderMessage } from '../../protocols/provider-message.ts';
import {
  finish,
  idIn,
  maxListPages,
  missing,
  postJson,
  readAnswer,
  readObject,
  settledStatuses,
} from './answers.ts';
import type {
  BatchAccount,
  BatchForm,
  BatchLimits,
  JobCounts,
  JobLine,
  JobState,
  JobToSubmit,
  LineRequest,
  UpstreamJob,
} from './batch-form.ts';
import { readResults } from './file-results.ts';
import { onOneLine, streamOf } from './json-lines.ts';
import { formWith } from './multipart.ts';

/** A batch as its provider shows it, in one form for all. */
export interface SeenBatch {
  readonly id: unknown;
  readonly input: unknown;
  /** In any case of letters. */
  readonly status: unknown;
  readonly outputs: readonly unknown[];
  readonly counts?: JobCounts | undefined;
  /** Of all lines. */
  readonly total?: number | undefined;
  /** Why it has failed: codes, or words. */
  readonly problems: readonly JsonObject[];
}

export interface FileBatchRow {
  readonly limits: BatchLimits;
  /** The paths of requests that may be lines. */
  readonly paths: readonly string[];
  readonly shared?: NonNullable<BatchForm['shared']>;
  /** Where files are uploaded; absent: at `/files`. */
  readonly upload?: string;
  /** The fields of that form beside the file. */
  readonly fields: (filename: string) => Readonly<Record<string, string>>;
  readonly line: (line: JobLine, account: BatchAccount) => string;
  /** Where batches are; absent: at `/batches`. */
  readonly batches?: string;
  readonly create: (job: JobToSubmit, input: string) => JsonObject;
  /** Where the answer to that has the batch; absent: it is the batch. */
  readonly created?: (answer: JsonObject) => unknown;
  readonly read: (batch: JsonObject) => SeenBatch;
  /** A page of the list, where the first has the number 0. */
  readonly page: (number: number, last: SeenBatch | undefined) => string;
  /** Whether batches can be deleted. */
  readonly deletes?: true;
}

/** How a line names its request where it may have a URL of its own. */
export const fullLine = ({ id, request: { path, body } }: JobLine): string =>
  `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(endpointOf(path))},"body":${onOneLine(body)}}\n`;

export const bareLine = ({ id, request: { body } }: JobLine): string =>
  `{"custom_id":${JSON.stringify(id)},"body":${onOneLine(body)}}\n`;

/** As the providers name it, whatever the version in their own paths is. */
export const endpointOf = (path: string): string => `/v1${path}`;

export const refusePaths =
  (paths: readonly string[]) =>
  ({ path }: LineRequest): string | undefined =>
    paths.includes(path) ? undefined : `The provider has no batches of ${path}.`;

/** Uploads the lines, and resolves with the id of their file. */
export async function uploadLines(
  account: BatchAccount,
  job: JobToSubmit,
  { upload = '/files', fields, line }: Pick<FileBatchRow, 'fields' | 'line' | 'upload'>,
): Promise<string> {
  async function* texts() {
    for await (const one of job.lines()) yield line(one, account);
  }
  const filename = `${job.id}-${job.attempt}.jsonl`;
  const form = formWith(fields(filename), filename, await streamOf(texts));
  return idIn((await readObject(await account.request('POST', upload, form), readFailure)).id);
}

export const deleteFile = async (account: BatchAccount, file: string): Promise<void> =>
  await finish(await account.request('DELETE', `/files/${file}`), readFailure);

export function fileBatches(row: FileBatchRow): BatchForm {
  const { batches = '/batches', created = (answer) => answer, read, create, page, limits, paths } = row;

  /** Undefined: the provider does not know it. */
  async function look(account: BatchAccount, { job }: UpstreamJob): Promise<SeenBatch | undefined> {
    const response = await account.request('GET', `${batches}/${asText(job)}`);
    if (response.status === missing) return void (await finish(response, readFailure));
    return read(await readObject(response, readFailure));
  }

  return {
    limits,
    refusal: refusePaths(paths),
    ...(row.shared && { shared: row.shared }),

    async submit(account, job, note) {
      const file = await uploadLines(account, job, row);
      await note({ file });
      const answer = await postJson(account, batches, create(job, file), readFailure);
      const upstream = { file, job: idIn(read(asObject(created(answer))).id) };
      await note(upstream);
      return upstream;
    },

    // Before its file was noted, none can have been made of it.
    async find(account, _job, known = {}) {
      const { file, job } = known;
      if (file === undefined) return [];
      if (job !== undefined) return (await look(account, known)) ? [known] : [];
      let last: SeenBatch | undefined;
      for (let number = 0; number < maxListPages; number += 1) {
        const answer = await readAnswer(await account.request('GET', page(number, last)), readFailure);
        const listed = objectsIn(Array.isArray(answer) ? answer : asObject(answer).data).map(read);
        const found = listed.filter(({ input }) => input === file);
        if (found.length > 0) return found.map(({ id }) => ({ file, job: idIn(id) }));
        const end = listed.at(-1);
        if (end === undefined || end.id === last?.id) return [];
        last = end;
      }
      return [];
    },

    async poll(account, upstream) {
      const seen = await look(account, upstream);
      return seen ? stateOf(seen) : { state: 'missing' };
    },

    async *results(account, upstream) {
      const outputs = (await look(account, upstream))?.outputs ?? [];
      for (const file of outputs.map(asOptionalText)) if (file) yield* readResults(account, file);
    },

    async cancel(account, { job }) {
      const response = await account.request('POST', `${batches}/${asText(job)}/cancel`);
      await finish(response, readFailure, settledStatuses);
    },

    async remove(account, upstream) {
      const { file, job } = upstream;
      const outputs = job === undefined ? [] : ((await look(account, upstream))?.outputs ?? []);
      for (const one of [...outputs, file].map(asOptionalText)) if (one) await deleteFile(account, one);
      if (row.deletes && job !== undefined)
        await finish(await account.request('DELETE', `${batches}/${asText(job)}`), readFailure);
    },
  };
}

type Ending = Pick<JobState, 'state' | 'unanswered'>;

const expired: Ending = { state: 'ended', unanswered: 'expired' };
const cancelled: Ending = { state: 'ended', unanswered: 'cancelled' };

/** What all hosts together say. Others are those of a batch that runs. */
const endings: Readonly<Record<string, Ending>> = {
  completed: { state: 'ended' },
  success: { state: 'ended' },
  expired,
  timeout_exceeded: expired,
  cancelled,
  canceled: cancelled,
  failed: { state: 'failed' },
};

/** Too many tokens wait at the provider already. Sources: OpenAI's guide "Batch API", Microsoft's "Queueing batch jobs". */
const noRoom = 'token_limit_exceeded';

function stateOf({ status, outputs, counts, total = 0, problems }: SeenBatch): JobState {
  const name = asText(status).toLowerCase();
  const ending = lookUp(endings, name) ?? { state: 'running' };
  const hasOutput = outputs.some((file) => asOptionalText(file) !== undefined);
  const known = counts && { counts };
  // A file of results may come some time after the batch is complete. Source: 567-labs/instructor, which waits for it.
  if (name === 'completed' && !hasOutput && total > 0) return { state: 'running', ...known };
  if (ending.state !== 'failed') return { ...ending, ...known };
  if (hasOutput) return { state: 'ended', ...known };
  const isFull = problems.some(({ code }) => code === noRoom);
  const problem = problems.map(problemOf).find((text) => text !== '');
  return {
    ...ending,
    ...known,
    ...(problem !== undefined && { problem }),
    ...(isFull && { mayRetry: true }),
  };
}

/** A code, and the line; words only where there is no code. */
function problemOf({ code, line, message }: JsonObject): string {
  const named = plainNameOf(asOptionalText(code));
  if (named === undefined) return scrubProviderMessage(asText(message));
  return typeof line === 'number' ? `${named} (line ${line})` : named;
}
