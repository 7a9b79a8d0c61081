/**
 * xAI's batches: the lines are a file as at OpenAI, a batch has counts in place of a status, and its results come by pages of JSON.
 * Requests of the Responses protocol are answered in that of chat, so they are no lines. Batches cannot be deleted.
 * Sources: docs.x.ai, "Batch API"; xai-sdk 1.21 (PyPI), proto/v6/batch_pb2.pyi; litellm 1.110 (PyPI), llms/xai/batches.
 */
import { asObject, objectsIn } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asCount, asOptionalText, asText, lookUp } from '../../protocols/json.ts';
import { readFailure } from '../../protocols/openai-chat/failure.ts';
import { scrubProviderMessage } from '../../protocols/provider-message.ts';
import { finish, idIn, maxListPages, missing, postJson, readObject, settledStatuses } from './answers.ts';
import type { BatchAccount, BatchForm, JobState, JobToFind, LineResult } from './batch-form.ts';
import { deleteFile, fullLine, refusePaths, uploadLines } from './file-batches.ts';

const megabyte = 1024 * 1024;

const upload = { fields: () => ({ purpose: 'batch' }), line: fullLine };

/** A page is read as a whole. */
const resultsInPage = 100;

const nameOf = ({ id, attempt }: Pick<JobToFind, 'attempt' | 'id'>): string => `${id}-${attempt}`;

const read = async (account: BatchAccount, path: string): Promise<JsonObject> =>
  await readObject(await account.request('GET', path), readFailure);

const next = ({ pagination_token: token }: JsonObject): string =>
  `&pagination_token=${encodeURIComponent(asText(token))}`;

export const xaiBatches: BatchForm = {
  limits: { lines: 50_000, bytes: 200 * megabyte, lineBytes: 25 * megabyte },
  refusal: refusePaths(['/chat/completions']),

  async submit(account, job, note) {
    const file = await uploadLines(account, job, upload);
    await note({ file });
    const asked = { name: nameOf(job), input_file_id: file };
    const batch = await postJson(account, '/batches', asked, readFailure);
    const upstream = { file, job: idIn(batch.batch_id) };
    await note(upstream);
    return upstream;
  },

  // Before its file was noted, none can have been made of it.
  async find(account, job, known = {}) {
    const { file } = known;
    if (file === undefined) return [];
    if (known.job !== undefined) return [known];
    const isOurs = ({ name, input_file_id: input = file }: JsonObject) =>
      name === nameOf(job) && input === file;
    let more = '';
    for (let page = 0; page < maxListPages; page += 1) {
      const answer = await read(account, `/batches?limit=100${more}`);
      const listed = objectsIn(answer.batches);
      const found = listed.filter(isOurs);
      if (found.length > 0) return found.map(({ batch_id }) => ({ file, job: idIn(batch_id) }));
      if (listed.length === 0 || !asOptionalText(answer.pagination_token)) return [];
      more = next(answer);
    }
    return [];
  },

  async poll(account, { job }) {
    const response = await account.request('GET', `/batches/${asText(job)}`);
    if (response.status === missing) {
      await finish(response, readFailure);
      return { state: 'missing' };
    }
    return stateOf(await readObject(response, readFailure));
  },

  async *results(account, { job }) {
    for (let more = ''; ; ) {
      const page = await read(account, `/batches/${asText(job)}/results?limit=${resultsInPage}${more}`);
      const results = objectsIn(page.results);
      for (const result of results) yield resultOf(result);
      if (results.length === 0 || !asOptionalText(page.pagination_token)) return;
      more = next(page);
    }
  },

  async cancel(account, { job }) {
    const response = await account.request('POST', `/batches/${asText(job)}:cancel`);
    await finish(response, readFailure, settledStatuses);
  },

  async remove(account, { file }) {
    if (file !== undefined) await deleteFile(account, asText(file));
  },
};

/** One without requests has not read its file yet. */
function stateOf(batch: JsonObject): JobState {
  const counts = asObject(batch.state);
  const pending = asCount(counts.num_pending);
  const problem = asOptionalText(batch.cancel_by_xai_message);
  if (problem !== undefined && asCount(counts.num_success) === 0)
    return { state: 'failed', problem: scrubProviderMessage(problem) };
  const isRunning = pending > 0 || asCount(counts.num_requests) === 0;
  const isCancelled = asOptionalText(batch.cancel_time) !== undefined;
  return {
    state: isRunning ? 'running' : 'ended',
    // Those have no results.
    ...(!isRunning && isCancelled && { unanswered: 'cancelled' }),
    counts: { completed: asCount(counts.num_success), failed: asCount(counts.num_error) },
  };
}

/** The statuses of gRPC, as HTTP has them. */
const statuses: Readonly<Record<string, number>> = {
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  11: 400,
  14: 503,
  16: 401,
};
const cancelledCode = 1;

/** The answer stands under the name of its endpoint. */
function resultOf({ batch_request_id, batch_result, error: ownError }: JsonObject): LineResult {
  const id = asText(batch_request_id);
  const { response, error = ownError }: JsonObject = asObject(batch_result);
  const [body] = Object.values(asObject<JsonObject>(response));
  if (body !== undefined) return { id, status: 200, body: JSON.stringify(body) };
  const { code, message }: JsonObject = asObject(error);
  if (code === cancelledCode) return { id, unanswered: 'cancelled' };
  const failure = { error: { message: asText(message), code: null } };
  return { id, status: lookUp(statuses, String(code)) ?? 500, body: JSON.stringify(failure) };
}
