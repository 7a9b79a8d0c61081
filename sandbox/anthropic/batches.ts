/**
 * Anthropic's Message Batches. Sources: platform.claude.com, "Batch processing" and the reference of `/v1/messages/batches`;
 * `resources/messages/batches.ts` in @anthropic-ai/sdk 1.12.0.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { answerAlone, type BatchLine, beginJob, type Job, type LineAnswer } from '../batches/job.ts';
import { createKept } from '../batches/kept.ts';
import { type Handler, jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { isObject, listOf, objectOf, textOf } from '../json.ts';
import { refuse } from './refuse.ts';

interface MessageBatch {
  readonly id: string;
  readonly total: number;
  readonly job: Job;
  /** Unix milliseconds. */
  cancelledAt?: number;
}

const base = '/messages/batches';
const path = '/messages';
const maxRequests = 100_000;
const dayMs = 86_400_000;

const kept = createKept<MessageBatch>(1_000);

export const isBatchPath = (asked: string): boolean => asked === base || asked.startsWith(`${base}/`);

/** `live`: what answers the requests. */
export function answerBatches(request: SandboxRequest, live: Handler): SandboxResponse {
  const { method, provider } = request;
  const [, id = '', action] = request.path.slice(base.length).split('/');
  if (id === '' && method === 'POST') return jsonAnswer(write(create(request, live)));
  if (id === '' && method === 'GET') return list(request);
  const batch = kept.find(provider, id);
  if (batch === undefined) refuse('Not found', 404, 'not_found_error');
  if (method === 'GET' && action === undefined) return jsonAnswer(write(batch));
  if (method === 'GET' && action === 'results') return results(batch);
  if (method === 'POST' && action === 'cancel') return cancel(batch);
  if (method === 'DELETE' && action === undefined) return remove(batch);
  return refuse('Not Found', 404, 'not_found_error');
}

/** The requests themselves are checked later, each on its own. */
function create(request: SandboxRequest, live: Handler): MessageBatch {
  const { requests } = objectOf(request.body);
  const all = listOf(requests);
  if (all.length === 0) refuse('requests: List should have at least 1 item after validation, not 0');
  if (all.length > maxRequests) refuse(`requests: List should have at most ${maxRequests} items`);
  const lines = all.map(readRequest);
  const ids = new Set(lines.map((line) => line.id));
  if (ids.size < lines.length) refuse('requests: custom_id must be unique within a batch');
  const id = newId('msgbatch_');
  const answer = (line: BatchLine) => refusedInBatches(line) ?? answerAlone(live, request, line);
  return kept.add(request.provider, id, {
    id,
    total: lines.length,
    job: beginJob(lines, answer, request.pace),
  });
}

function readRequest(value: unknown, index: number): BatchLine {
  const { custom_id, params } = objectOf(value);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(custom_id)))
    refuse(`requests.${index}.custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`);
  if (!isObject(params)) refuse(`requests.${index}.params: Field required`);
  return { id: textOf(custom_id), path, body: params };
}

function refusedInBatches({ body }: BatchLine): LineAnswer | undefined {
  const { stream, speed, max_tokens } = objectOf(body);
  const message =
    (stream === true && 'stream: Streaming is not supported in batches') ||
    (speed !== undefined && 'speed: Extra inputs are not permitted') ||
    (max_tokens === 0 && 'max_tokens: Input should be greater than or equal to 1');
  return message
    ? { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
    : undefined;
}

function list({ provider, query }: SandboxRequest): SandboxResponse {
  const all = kept.list(provider);
  const after = query.get('after_id');
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const page = all.slice(from, from + Number(query.get('limit') ?? 20));
  return jsonAnswer({
    data: page.map(write),
    has_more: from + page.length < all.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  });
}

/** Until the end, all requests count as being processed. */
function write({ id, total, job, cancelledAt }: MessageBatch): JsonObject {
  const { answered, open, ending, endedAt } = job.look();
  const succeeded = answered.filter(({ answer }) => answer.status === 200).length;
  const none = { processing: total, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const counts = {
    processing: 0,
    succeeded,
    errored: answered.length - succeeded,
    canceled: ending === 'cancelled' ? open.length : 0,
    expired: ending === 'expired' ? open.length : 0,
  };
  return {
    id,
    type: 'message_batch',
    processing_status: ending ? 'ended' : 'in_progress',
    request_counts: ending ? counts : none,
    created_at: dateOf(job.startedAt),
    expires_at: dateOf(job.startedAt + dayMs),
    ended_at: dateOf(endedAt),
    cancel_initiated_at: dateOf(cancelledAt),
    archived_at: null,
    results_url: ending ? `https://api.anthropic.com/v1${base}/${id}/results` : null,
  };
}

const dateOf = (milliseconds?: number): string | null =>
  milliseconds === undefined ? null : new Date(milliseconds).toISOString();

function results({ id, job }: MessageBatch): SandboxResponse {
  const { answered, open, ending } = job.look();
  if (!ending) refuse(`Batch ${id} has not ended: it has no results yet.`);
  const lines = [
    ...answered.map(({ id: custom_id, answer }) => ({ custom_id, result: resultOf(answer) })),
    ...open.map((custom_id) => ({
      custom_id,
      result: { type: ending === 'expired' ? 'expired' : 'canceled' },
    })),
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return { status: 200, headers: { 'content-type': 'application/x-jsonl' }, chunks: [text] };
}

const resultOf = ({ status, body }: LineAnswer): object =>
  status === 200 ? { type: 'succeeded', message: body } : { type: 'errored', error: body };

function cancel(batch: MessageBatch): SandboxResponse {
  if (batch.job.look().ending) refuse(`Batch ${batch.id} has ended: it cannot be canceled.`);
  batch.job.cancel();
  batch.cancelledAt = Date.now();
  return jsonAnswer({ ...write(batch), processing_status: 'canceling', ended_at: null, results_url: null });
}

function remove({ id, job }: MessageBatch): SandboxResponse {
  if (!job.look().ending) refuse(`Batch ${id} has not ended: it cannot be deleted.`);
  kept.remove(id);
  return jsonAnswer({ id, type: 'message_batch_deleted' });
}
