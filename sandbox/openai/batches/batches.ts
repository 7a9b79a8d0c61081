/** The batches of OpenAI's shape: a file of requests, each answered as the same handler answers it alone. */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { answerAlone, beginJob, type Job, type Progress } from '../../batches/job.ts';
import { createKept } from '../../batches/kept.ts';
import {
  type Handler,
  jsonAnswer,
  newId,
  type SandboxRequest,
  type SandboxResponse,
} from '../../exchange.ts';
import { objectOf, textOf } from '../../json.ts';
import { refuse, refuseMissing, refuseValue } from '../refuse.ts';
import { addFile, answerFiles, findFile, isFilePath, now, outputPurpose } from './files.ts';
import { type LineProblem, readLines } from './lines.ts';
import type { AskedBatch, BatchShape, BatchStatus, BatchView } from './shapes.ts';

interface SandboxBatch {
  readonly id: string;
  readonly asked: AskedBatch;
  readonly createdAt: number;
  readonly problem?: LineProblem | undefined;
  readonly total: number;
  readonly job: Job;
  /** Its result files, once it has ended. */
  files?: Pick<BatchView, 'errorFile' | 'outputFile'>;
}

const kept = createKept<SandboxBatch>(1_000);

export function isBatchPath(path: string, { batches = '/batches' }: BatchShape): boolean {
  return isFilePath(path) || path === batches || path.startsWith(`${batches}/`);
}

/** `live`: what answers the lines. */
export function answerBatches(request: SandboxRequest, shape: BatchShape, live: Handler): SandboxResponse {
  if (isFilePath(request.path)) return answerFiles(request, shape.files);
  const { method, provider, query } = request;
  const [, id = '', action] = request.path.slice((shape.batches ?? '/batches').length).split('/');
  const { write, writeCreated = (one) => one, writeList = writeOpenaiList } = shape;
  if (id === '' && method === 'POST') {
    const batch = create(request, shape, live);
    return jsonAnswer(writeCreated(write({ ...viewOf(batch, provider), status: 'validating' })));
  }
  if (id === '' && method === 'GET') {
    const after = query.get('after');
    const all = kept.list(provider);
    const page = all.slice(after === null ? 0 : all.findIndex((batch) => batch.id === after) + 1);
    return jsonAnswer(writeList(page.map((batch) => write(viewOf(batch, provider)))));
  }
  const batch = kept.find(provider, id);
  if (batch === undefined) refuse(`No batch found with id '${id}'.`, null, null, 404);
  if (method === 'GET' && action === undefined) return jsonAnswer(write(viewOf(batch, provider)));
  if (method === 'POST' && action === 'cancel') return jsonAnswer(write(cancel(batch, provider)));
  if (method === 'DELETE' && shape.deletes) {
    kept.remove(id);
    return jsonAnswer({ id, object: 'batch', deleted: true });
  }
  return refuse(`Invalid URL (${method} ${request.path})`, null, null, 404);
}

const writeOpenaiList = (data: readonly object[]) => ({ object: 'list', data, has_more: false });

function create(request: SandboxRequest, shape: BatchShape, live: Handler): SandboxBatch {
  const { provider, pace } = request;
  const body = objectOf(request.body);
  for (const name of shape.requires) if (!(name in body)) refuseMissing(name);
  const asked = shape.read(body);
  checkAsked(asked, body, shape);
  const file = findFile(provider, asked.input);
  if (file === undefined) refuse(`No such File object: ${asked.input}`, 'input_file_id', null, 404);
  if (!file.purpose.startsWith('batch')) refuse('The file has another purpose than batch.', 'input_file_id');
  const { lines, problem } = readLines(file.bytes, shape.lines, asked);
  const job = beginJob(lines, (line) => answerAlone(live, request, line), pace);
  const id = newId('batch_');
  return kept.add(provider, id, { id, asked, createdAt: now(), problem, total: lines.length, job });
}

function checkAsked(
  { endpoint, metadata }: AskedBatch,
  body: JsonObject,
  { endpoints, windows }: BatchShape,
) {
  if (!endpoints.includes(endpoint)) refuseValue(endpoint, 'endpoint', endpoints);
  const window = textOf(body.completion_window);
  if (windows && !windows.test(window)) refuseValue(window, 'completion_window', ['24h']);
  if (Object.keys(metadata ?? {}).length > 16) refuse("Invalid 'metadata': at most 16 entries.", 'metadata');
}

/** Source: BerriAI/litellm, tests of its batches, which expect this conflict. */
function cancel(batch: SandboxBatch, provider: string): BatchView {
  const { status } = viewOf(batch, provider);
  if (status !== 'in_progress') refuse(`Cannot cancel a batch with status '${status}'.`, null, null, 409);
  batch.job.cancel();
  return { ...viewOf(batch, provider), status: 'cancelling' };
}

function viewOf(batch: SandboxBatch, provider: string): BatchView {
  const { id, asked, createdAt, problem, total, job } = batch;
  const none = { outputFile: null, errorFile: null };
  if (problem) {
    const counts = { total: 0, completed: 0, failed: 0 };
    return { id, asked, createdAt, problem, status: 'failed', endedAt: createdAt, ...none, counts };
  }
  const progress = job.look();
  const { answered, ending, endedAt } = progress;
  if (ending) batch.files ??= writeFiles(id, provider, progress);
  const completed = answered.filter(({ answer }) => answer.status < 400).length;
  return {
    id,
    asked,
    createdAt,
    status: (ending ?? 'in_progress') satisfies BatchStatus,
    endedAt: endedAt === undefined ? null : Math.floor(endedAt / 1_000),
    ...(batch.files ?? none),
    counts: { total, completed, failed: (ending ? total : answered.length) - completed },
  };
}

/** Source of the lines without an answer: OpenAI's guide "Batch API", section "Batch expiration". */
function writeFiles(id: string, provider: string, { answered, open, ending }: Progress) {
  const lines = answered.map(({ id: custom_id, answer: { status, body } }) => ({
    id: newId('batch_req_'),
    custom_id,
    response: { status_code: status, request_id: newId('req_'), body },
    error: null,
  }));
  const isAnswer = ({ response }: (typeof lines)[number]) => response.status_code < 400;
  const unanswered = open.map((custom_id) => ({
    id: newId('batch_req_'),
    custom_id,
    response: null,
    error: ending === 'expired' ? expired : cancelled,
  }));
  const add = (what: string, written: readonly object[]) => {
    if (written.length === 0) return null;
    const bytes = Buffer.from(written.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return addFile(provider, { filename: `${id}_${what}.jsonl`, purpose: outputPurpose, bytes }).id;
  };
  return {
    outputFile: add('output', lines.filter(isAnswer)),
    errorFile: add('error', [...lines.filter((line) => !isAnswer(line)), ...unanswered]),
  };
}

const expired = {
  code: 'batch_expired',
  message: 'This request could not be executed before the completion window expired.',
};
const cancelled = {
  code: 'batch_cancelled',
  message: 'This request could not be executed because the batch was cancelled.',
};
