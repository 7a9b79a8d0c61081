/**
 * Batches of the Gemini API: a file of rows, and an operation that reads it. Creating one twice makes two: they are found by their
 * display name, which is the id of the job. Source: ai.google.dev, "Batch API" and its reference.
 */
import { GatewayError } from '../../../core/errors/errors.ts';
import { asArray, asObject, type JsonObject } from '../../../core/formats/json-object.ts';
import { readFailure } from '../../../protocols/google-generate-content/failure.ts';
import { asOptionalText, asText } from '../../../protocols/json.ts';
import { finish, maxListPages, missing, postJson, readObject, settledStatuses } from '../answers.ts';
import type { BatchAccount, BatchForm, JobLine, JobState, JobToSubmit } from '../batch-form.ts';
import { resultsIn, streamOf } from '../json-lines.ts';
import { deleteFile, download, named, upload } from './files.ts';
import { type Kind, kindOf, readRow, rowOf, statusName } from './rows.ts';

/** What is noted: the names of the file with the rows, of the batch, and of the file with the results. */
interface Upstream {
  readonly file?: string;
  readonly batch?: string;
  readonly results?: string;
}

const refused = 'The provider has no batches of such requests.';

export const googleBatches: BatchForm = {
  // Google states no number of lines.
  limits: { lines: Number.MAX_SAFE_INTEGER, bytes: 2_000_000_000 },
  refusal: (request) => {
    const kind = kindOf(request.path);
    return kind ? kind.refusal(request) : refused;
  },
  async submit(account, job, note) {
    const { path, id } = job;
    const kind = knownKind(path);
    const file = await upload(account, id, await fileOf(job, kind));
    await note({ file });
    const asked = { batch: { display_name: id, input_config: { file_name: file } } };
    const creation = path.replace(/:\w+$/, `:${kind.action}`);
    const created = await postJson(account, creation, asked, readFailure);
    const upstream = { file, batch: named(created.name) };
    await note(upstream);
    return upstream;
  },
  async find(account, { id }, known = {}) {
    const { file } = read(known);
    const found = (await everyBatch(account)).filter(({ metadata }) => asObject(metadata).displayName === id);
    // The oldest first; the list begins with the newest, which its documentation leaves open.
    return found
      .toReversed()
      .toSorted(byTime)
      .map(({ name, metadata }) => ({
        file: asOptionalText(asObject(asObject(metadata).inputConfig).fileName) ?? file,
        batch: named(name),
      }));
  },
  async poll(account, upstream) {
    const response = await account.request('GET', `/${batchOf(upstream)}`);
    if (response.status === missing) return { state: 'missing' };
    return stateOf(await readObject(response, readFailure), upstream);
  },
  async *results(account, upstream) {
    const { results } = read(upstream);
    if (results !== undefined) yield* resultsIn(await download(account, results), readRow);
  },
  async cancel(account, upstream) {
    // One that has ended is refused.
    const response = await account.request('POST', `/${batchOf(upstream)}:cancel`, { body: '' });
    await finish(response, readFailure, settledStatuses);
  },
  async remove(account, upstream) {
    const { file, batch, results } = read(upstream);
    if (batch !== undefined) {
      await finish(await account.request('DELETE', `/${batch}`), readFailure, settledStatuses);
    }
    for (const name of [file, results]) if (name !== undefined) await deleteFile(account, name);
  },
};

function read(upstream: JsonObject): Upstream {
  const { file, batch, results } = upstream;
  return {
    ...(file !== undefined && { file: named(file) }),
    ...(batch !== undefined && { batch: named(batch) }),
    ...(results !== undefined && { results: named(results) }),
  };
}

const batchOf = (upstream: JsonObject): string => named(upstream.batch);

function knownKind(path: string): Kind {
  const kind = kindOf(path);
  if (!kind) throw new GatewayError('internal', refused);
  return kind;
}

const fileOf = ({ lines }: JobToSubmit, kind: Kind) => streamOf(() => rowsOf(lines(), kind));

async function* rowsOf(lines: AsyncIterable<JobLine>, kind: Kind): AsyncGenerator<string> {
  for await (const { id, request } of lines) yield `${rowOf(kind, id, request)}\n`;
}

async function everyBatch(account: BatchAccount): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  let token: string | undefined = '';
  for (let page = 0; token !== undefined && page < maxListPages; page += 1) {
    const next = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
    const response = await account.request('GET', `/batches?pageSize=100${next}`);
    const { operations, nextPageToken } = await readObject(response, readFailure);
    found.push(...asArray(operations).map((operation) => asObject(operation)));
    token = asOptionalText(nextPageToken);
  }
  return found;
}

const timeOf = ({ metadata }: JsonObject): number => Date.parse(asText(asObject(metadata).createTime)) || 0;

const byTime = (one: JsonObject, other: JsonObject): number => timeOf(one) - timeOf(other);

/** The names of states begin with `BATCH_STATE_`; the documentation and Google's clients write `JOB_STATE_`. */
function stateOf({ metadata, response, error, done: isDone }: JsonObject, upstream: JsonObject): JobState {
  const { state: named, batchStats, output } = asObject(metadata);
  const name = asText(named).replace(/^(?:BATCH|JOB)_STATE_/, '');
  const { successfulRequestCount, failedRequestCount } = asObject(batchStats);
  const counts = { completed: Number(successfulRequestCount) || 0, failed: Number(failedRequestCount) || 0 };
  const results = asOptionalText(asObject(output).responsesFile ?? asObject(response).responsesFile);
  const known = { counts, ...(results !== undefined && { upstream: { ...upstream, results } }) };
  if (name === 'CANCELLED') return { state: 'ended', unanswered: 'cancelled', ...known };
  // Google keeps no results of one that has run for 48 hours.
  if (name === 'EXPIRED') return { state: 'ended', unanswered: 'expired', ...known };
  if (name === 'SUCCEEDED' || (results !== undefined && name === 'FAILED'))
    return { state: 'ended', ...known };
  if (name !== 'FAILED' && isDone !== true) return { state: 'running', ...known };
  return { state: 'failed', problem: `The batch failed: ${statusName(asObject(error).code)}.`, ...known };
}
