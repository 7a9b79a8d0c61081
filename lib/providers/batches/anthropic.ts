/**
 * Anthropic's Message Batches: one request with all lines, without a name or a word of ours. One whose answer was lost is known by
 * its time and its count, and at its end by the ids in its results.
 * Sources: platform.claude.com, "Batch processing"; `resources/messages/batches.ts` in @anthropic-ai/sdk 1.12.
 */
import { asObject, objectsIn } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { readFailure } from '../../protocols/anthropic-messages/failure.ts';
import { asCount, asOptionalText, asText, lookUp } from '../../protocols/json.ts';
import {
  expectSuccess,
  finish,
  idIn,
  maxListPages,
  mayBeNewer,
  missing,
  readObject,
  settledStatuses,
} from './answers.ts';
import type {
  BatchAccount,
  BatchForm,
  JobLine,
  JobState,
  JobToSubmit,
  LineRequest,
  LineResult,
  UpstreamJob,
} from './batch-form.ts';
import { onOneLine, resultsIn, streamOf } from './json-lines.ts';

const megabyte = 1024 * 1024;
const batches = '/messages/batches';
const path = '/messages';
const betas = 'anthropic-beta';
const version = 'anthropic-version';

const one = ({ job }: UpstreamJob): string => `${batches}/${asText(job)}`;

export const anthropicBatches: BatchForm = {
  limits: { lines: 100_000, bytes: 256 * megabyte },
  refusal: refusalOf,
  // The headers are those of the whole batch.
  shared: ({ headers = {} }) => JSON.stringify([headers[betas], headers[version]]),

  async submit(account, job, note) {
    const headers = { 'content-type': 'application/json', ...(await headersOf(job)) };
    const options = { headers, body: await streamOf(() => textsOf(job)) };
    const answer = await readObject(await account.request('POST', batches, options), readFailure);
    const upstream = { job: idIn(answer.id) };
    await note(upstream);
    return upstream;
  },

  async find(account, job, known) {
    if (known?.job !== undefined) return [known];
    const { ended, running } = await likely(account, job);
    for (const upstream of ended) if (await isOf(account, upstream, job.id)) return [upstream];
    // Whose the others are is seen at their end.
    return running.slice(-1).map((upstream) => ({ ...upstream, sought: job.id }));
  },

  async poll(account, upstream) {
    const response = await account.request('GET', one(upstream));
    if (response.status === missing) return await gone(finish(response, readFailure));
    const state = stateOf(await readObject(response, readFailure));
    const { sought, ...found } = upstream;
    if (state.state !== 'ended' || sought === undefined) return state;
    return (await isOf(account, found, asText(sought)))
      ? { ...state, upstream: found }
      : { state: 'missing' };
  },

  results: (account, upstream) => readResults(account, upstream),

  // One that may be another's goes on.
  async cancel(account, upstream) {
    if (upstream.sought !== undefined) return;
    const response = await account.request('POST', `${one(upstream)}/cancel`);
    await finish(response, readFailure, settledStatuses);
  },

  async remove(account, upstream) {
    if (upstream.sought !== undefined) return;
    await finish(await account.request('DELETE', one(upstream)), readFailure);
  },
};

const gone = async (end: Promise<void>): Promise<JobState> => {
  await end;
  return { state: 'missing' };
};

function refusalOf({ path: own, body }: LineRequest): string | undefined {
  if (own !== path) return `The provider has no batches of ${own}.`;
  const { speed } = typeof body === 'string' ? asObject(parseJson(body)) : body;
  return speed === undefined ? undefined : 'The provider has no fast answers in batches.';
}

async function headersOf(job: JobToSubmit): Promise<Readonly<Record<string, string>>> {
  for await (const { request } of job.lines()) {
    const { [betas]: asked, [version]: ofVersion } = request.headers ?? {};
    return { ...(asked && { [betas]: asked }), ...(ofVersion && { [version]: ofVersion }) };
  }
  return {};
}

async function* textsOf(job: JobToSubmit): AsyncGenerator<string> {
  let before = '{"requests":[';
  for await (const line of job.lines()) {
    yield `${before}${textOf(line)}`;
    before = ',\n';
  }
  yield ']}';
}

const textOf = ({ id, request: { body } }: JobLine): string =>
  `{"custom_id":${JSON.stringify(id)},"params":${onOneLine(body)}}`;

/** Those that were made since, with as many requests. The newest come first. */
async function likely(
  account: BatchAccount,
  { count, submittingAt }: { count: number; submittingAt: number },
) {
  const ended: UpstreamJob[] = [];
  const running: UpstreamJob[] = [];
  let after = '';
  for (let page = 0; page < maxListPages; page += 1) {
    const answer = await readObject(
      await account.request('GET', `${batches}?limit=100${after}`),
      readFailure,
    );
    const listed = objectsIn(answer.data);
    for (const batch of listed) {
      if (!mayBeNewer(batch.created_at, submittingAt)) return { ended, running };
      if (totalOf(batch) !== count) continue;
      (batch.processing_status === 'ended' ? ended : running).push({ job: idIn(batch.id) });
    }
    if (answer.has_more !== true || listed.length === 0) break;
    after = `&after_id=${encodeURIComponent(asText(answer.last_id))}`;
  }
  return { ended, running };
}

const totalOf = ({ request_counts }: JsonObject): number =>
  Object.values(asObject<JsonObject>(request_counts)).reduce<number>((sum, count) => sum + asCount(count), 0);

/** Whether its results bear ids of the job. */
async function isOf(account: BatchAccount, upstream: UpstreamJob, id: string): Promise<boolean> {
  for await (const result of readResults(account, upstream)) return result.id.startsWith(id);
  return false;
}

function stateOf({ processing_status, request_counts }: JsonObject): JobState {
  const counts = asObject(request_counts);
  return {
    state: processing_status === 'ended' ? 'ended' : 'running',
    counts: { completed: asCount(counts.succeeded), failed: asCount(counts.errored) },
  };
}

async function* readResults(account: BatchAccount, upstream: UpstreamJob): AsyncGenerator<LineResult> {
  const response = await account.request('GET', `${one(upstream)}/results`);
  const { body } = await expectSuccess(response, readFailure);
  yield* resultsIn(body, resultOf);
}

const unanswered: Readonly<Record<string, 'cancelled' | 'expired'>> = {
  canceled: 'cancelled',
  expired: 'expired',
};

/** Source: platform.claude.com, "Errors". */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** A line that is no result is left out. */
function resultOf({ custom_id, result }: JsonObject): LineResult | undefined {
  const id = asOptionalText(custom_id);
  const { type, message, error }: JsonObject = asObject(result);
  if (id === undefined) return undefined;
  if (type === 'succeeded') return { id, status: 200, body: JSON.stringify(message) };
  const why = lookUp(unanswered, asText(type));
  if (why) return { id, unanswered: why };
  const { error: cause, request_id }: JsonObject = asObject(error);
  const status = lookUp(statuses, asText(asObject(cause).type)) ?? 500;
  const requestId = asOptionalText(request_id);
  return {
    id,
    status,
    ...(requestId !== undefined && { headers: { 'request-id': requestId } }),
    body: JSON.stringify(error ?? {}),
  };
}
