/**
 * Sends the next lines of a job: what they may be charged is reserved, and that they are about to be sent is written, before they are.
 * Where the outcome is not known, the provider is asked for the job until it is certain that it has none; only then are they sent again.
 */
import type { BatchJob } from '../../core/batches.ts';
import { asGatewayError, type GatewayError } from '../../core/errors/errors.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FoundApiKey } from '../../core/ports/api-keys.ts';
import { allowsModel } from '../../core/tenancy.ts';
import type { BatchForm, JobLine, JobToSubmit, LineRequest } from '../../providers/batches/batch-form.ts';
import { jobIdOf, lineIdOf, readTexts, sliceOf } from '../lines/job-lines.ts';
import type { NoAnswer } from '../lines/results.ts';
import type { JobSnapshot } from '../ports.ts';
import {
  attempt,
  endingOf,
  endingWith,
  isInFlight,
  readSnapshot,
  stragglersUntil,
  type Work,
  warn,
} from '../work.ts';
import { settleUnanswered } from './settle.ts';

/** How often the same lines are sent, where the provider has no job of them. */
const maxAttempts = 3;

/** For how many polls a job is looked for that its provider may still be making. */
const findPolls = 10;

const codeOf = ({ code, kind, message }: GatewayError): NoAnswer => ({ code: code ?? kind, message });

/** Why the lines are not sent at all; undefined: they may be. `key`: that of the batch as it is now. */
async function refusalOf(
  { parts }: Work,
  job: BatchJob,
  key: FoundApiKey | undefined,
): Promise<NoAnswer | undefined> {
  if (!key || endingWith(key)) return endingWith(key);
  const mayUse = [key.keyPolicy, key.tenantPolicy].every((policy = {}) => allowsModel(policy, job.model));
  if (!mayUse) {
    const message = `The model '${job.model}' is not allowed for the API key of the batch by now.`;
    return { code: 'model_not_allowed', message };
  }
  if (!(await parts.isServed(job)))
    return { code: 'model_not_found', message: `The model '${job.model}' is no longer served.` };
  const code = await parts.barredBy(job, key);
  return code && { code, message: barred[code] };
}

const barred = {
  data_policy: 'The data policy of the API key of the batch does not allow a batch at its provider by now.',
  batch_not_supported:
    'The tenant has a key of its own for the model by now, and batches are sent with none.',
};

/** Of a job that is planned. */
export async function submitPlanned(work: Work, job: BatchJob, form: BatchForm): Promise<BatchJob> {
  const { key: ofCreation } = work.held.current();
  const key = await work.parts.findKey(ofCreation.hash);
  const refused = endingOf(work) ?? (await refusalOf(work, job, key));
  // Where a reservation was begun, it may be there: it is found, and given back with its lines.
  if (refused && job.submittingAt === undefined) return await settleUnanswered(work, job, refused);
  const snapshot = await readSnapshot(work.parts, job);
  const reserved = job.hold
    ? await begin(work, job)
    : await reserve(work, job, { key: key ?? ofCreation, snapshot, form });
  if (refused && reserved.status !== 'settled') return await settleUnanswered(work, reserved, refused);
  return reserved.status === 'submitting' ? await submit(work, reserved, snapshot, form) : reserved;
}

/** Of a job with a reservation. */
const begin = ({ parts, put }: Work, job: BatchJob): Promise<BatchJob> =>
  put({ ...job, status: 'submitting', attempts: job.attempts + 1, polls: 0, submittingAt: parts.now() });

interface ToReserve {
  /** With the limits of now. */
  readonly key: FoundApiKey;
  readonly snapshot: JobSnapshot;
  readonly form: BatchForm;
}

/** Rejects where it is not known whether anything is reserved. */
async function reserve(work: Work, job: BatchJob, { key, snapshot, form }: ToReserve): Promise<BatchJob> {
  const { parts, held, put } = work;
  const batch = held.current();
  const { submittingAt: at = parts.now() } = job;
  // Written first: repeated after a crash, it is the same reservation.
  const begun = job.submittingAt === undefined ? await put({ ...job, submittingAt: at }) : job;
  const amounts = snapshot.amounts.slice(job.answered, job.lines);
  try {
    const { hold, lines } = await parts.holds.reserve(key, {
      batch: batch.id,
      first: snapshot.first,
      line: snapshot.numbers[job.answered] ?? job.firstLine,
      at,
      user: snapshot.first.user,
      amounts,
      atLeast: Math.min(amounts.length, form.limits.minLines ?? 1),
      until: stragglersUntil(batch) + 3_600_000,
    });
    return await begin(work, { ...begun, hold, sending: lines });
  } catch (thrown) {
    const error = asGatewayError(thrown);
    if (!notReserved.includes(error.kind)) throw thrown;
    const others = work.jobs().some((one) => one.n !== job.n && isInFlight(one));
    const mayFit = error.kind === 'rate_limited' || (error.kind !== 'permission_denied' && others);
    if (mayFit) return await put({ ...begun, nextAt: parts.now() + parts.pollMs });
    const code = isUsedUp(error) ? 'insufficient_quota' : codeOf(error).code;
    return await settleUnanswered(work, begun, { code, message: error.message });
  }
}

/** Refusals, after which nothing is reserved. */
const notReserved: readonly GatewayError['kind'][] = [
  'insufficient_quota',
  'budget_used_up',
  'rate_limited',
  'permission_denied',
];

const isUsedUp = ({ kind }: GatewayError): boolean =>
  kind === 'insufficient_quota' || kind === 'budget_used_up';

async function submit(work: Work, job: BatchJob, snapshot: JobSnapshot, form: BatchForm): Promise<BatchJob> {
  const { parts, held, put } = work;
  let noted = job;
  const note = async (upstream: BatchJob['upstream']) => {
    noted = await put({ ...noted, ...(upstream && { upstream }) });
  };
  try {
    const account = await parts.openAccount(job.provider, job.region);
    const upstream = await form.submit(account, toSubmit(work, job, snapshot), note);
    return await put({
      ...noted,
      status: 'submitted',
      upstream,
      polls: 0,
      nextAt: parts.now() + parts.pollMs,
    });
  } catch (thrown) {
    const error = asGatewayError(thrown);
    warn(work, job, 'submit', error);
    if (held.current().status === 'cancelling' || !isRefusal(error))
      return await put({ ...noted, nextAt: parts.now() + parts.pollMs });
    if (error.status === 429) return await withdraw(work, noted, form);
    await removeUpstream(work, noted, form);
    return await settleUnanswered(work, noted, codeOf(error), noted.sending);
  }
}

/** The provider has answered that it does not take the job. */
const isRefusal = ({ kind, recovery, status }: GatewayError): boolean =>
  status < 499 && (kind.startsWith('upstream_') || recovery === 'none');

/** A job for which the provider has no room: it is sent later, and what is reserved stays so. */
export async function withdraw(work: Work, job: BatchJob, form: BatchForm): Promise<BatchJob> {
  const { parts, put } = work;
  await removeUpstream(work, job, form);
  const { upstream: _, ...left } = job;
  return await put({ ...left, status: 'planned', nextAt: parts.now() + 5 * parts.pollMs });
}

function toSubmit({ parts, held }: Work, job: BatchJob, snapshot: JobSnapshot): JobToSubmit {
  const batch = held.current();
  const id = jobIdOf(batch, job);
  const { lines = [], requests = [] } = job.parts;
  async function* jobLines(): AsyncGenerator<JobLine> {
    const texts = readTexts(requests, parts.bytes);
    for await (const text of sliceOf(texts, job.answered, job.answered + job.sending)) {
      const { n, request } = parseJson(text) as { readonly n: number; readonly request: LineRequest };
      yield { id: lineIdOf(id, n), request };
    }
  }
  const all = (requests.length > 0 ? requests : lines).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    id,
    attempt: job.attempts,
    upstreamModel: snapshot.upstreamModel,
    path: snapshot.path,
    count: job.sending,
    lines: jobLines,
    bytes: Math.ceil((all * job.sending) / job.lines),
    metadata: { batch: batch.id, job: id },
  };
}

/** Of a job whose submission has begun: by a worker that is gone, or without an answer. */
export async function findSubmitted(work: Work, job: BatchJob, form: BatchForm): Promise<BatchJob> {
  const { parts, held, put } = work;
  const { submittingAt = 0 } = job;
  const account = await parts.openAccount(job.provider, job.region);
  const sought = {
    id: jobIdOf(held.current(), job),
    attempt: job.attempts,
    count: job.sending,
    submittingAt,
  };
  const [adopted, ...others] = await form.find(account, sought, job.upstream);
  for (const other of others) {
    await attempt(work, job, 'cancel', () => form.cancel(account, other));
    parts.log.warn('batch job submitted twice', { batch: held.current().id, job: job.n });
  }
  if (adopted)
    return await put({
      ...job,
      status: 'submitted',
      upstream: { ...adopted, adopted: true },
      polls: 0,
      nextAt: parts.now(),
    });
  if (parts.now() - submittingAt < findPolls * parts.pollMs)
    return await put({ ...job, nextAt: parts.now() + parts.pollMs });
  const ending = endingOf(work);
  if (ending) return await settleUnanswered(work, job, ending);
  if (job.polls + 1 >= maxAttempts) {
    const message = 'The provider has not taken the requests, in several attempts.';
    return await settleUnanswered(work, job, { code: 'provider_unreachable', message }, job.sending);
  }
  // Each attempt uploads its lines again.
  await removeUpstream(work, job, form);
  const { upstream: _, ...left } = job;
  const again = await put({
    ...left,
    attempts: job.attempts + 1,
    polls: job.polls + 1,
    submittingAt: parts.now(),
  });
  return await submit(work, again, await readSnapshot(parts, job), form);
}

/** What the provider has of a job. False: something of it may be left. */
export async function removeUpstream(work: Work, job: BatchJob, form: BatchForm): Promise<boolean> {
  const { upstream } = job;
  if (!upstream) return true;
  return await attempt(work, job, 'remove', async () => {
    await form.remove(await work.parts.openAccount(job.provider, job.region), upstream);
  });
}
