/**
 * xAI's batches: counts in place of a status, and results by pages. Sources: docs.x.ai, "Batch API"; xai-sdk 1.21 (PyPI),
 * proto/v6/batch_pb2.pyi; the tests of xAI's batches in BerriAI/litellm, whose answers over HTTP these are.
 */
import { answerAlone, beginJob, type Job, type LineAnswer } from '../../batches/job.ts';
import { createKept } from '../../batches/kept.ts';
import {
  type Handler,
  jsonAnswer,
  newId,
  type SandboxRequest,
  type SandboxResponse,
} from '../../exchange.ts';
import { objectOf, textOf } from '../../json.ts';
import { refuse, refuseMissing } from '../refuse.ts';
import type { BatchApi } from './batch-api.ts';
import { answerFiles, type FileRules, findFile, isFilePath, now } from './files.ts';
import { readLines } from './lines.ts';

interface XaiBatch {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly createdAt: number;
  readonly total: number;
  /** Why xAI has cancelled it. */
  readonly problem?: string | undefined;
  readonly job: Job;
  isCancelled: boolean;
}

const files: FileRules = { purposes: ['batch', 'assistants'], withoutPurpose: true };
const endpoint = '/v1/chat/completions';
const thirtyDays = 30 * 86_400;

/** Of a page of batches or results, where none is asked for. */
const pageSize = 100;

const kept = createKept<XaiBatch>(1_000);

export const xaiBatches: BatchApi = {
  owns: (path) => isFilePath(path) || path === '/batches' || path.startsWith('/batches/'),
  answer(request, live) {
    const { method, path, provider, query } = request;
    if (isFilePath(path)) return answerFiles(request, files);
    if (path === '/batches' && method === 'POST') return jsonAnswer(write(create(request, live)));
    if (path === '/batches' && method === 'GET') {
      const { page, token } = pageOf(kept.list(provider), query);
      return jsonAnswer({ batches: page.map(write), pagination_token: token });
    }
    const [, , name = '', part] = path.split('/');
    const [id = '', action] = name.split(':');
    const batch = kept.find(provider, id);
    if (batch === undefined) refuse(`Batch ${id} not found.`, null, null, 404);
    if (method === 'POST' && action === 'cancel') {
      batch.job.cancel();
      batch.isCancelled = true;
      return jsonAnswer(write(batch));
    }
    if (method === 'GET' && part === 'results') return results(batch, query);
    if (method === 'GET' && part === undefined) return jsonAnswer(write(batch));
    return refuse(`Invalid URL (${method} ${path})`, null, null, 404);
  },
};

function create(request: SandboxRequest, live: Handler): XaiBatch {
  const { provider, pace } = request;
  const body = objectOf(request.body);
  for (const field of ['name', 'input_file_id']) if (!(field in body)) refuseMissing(field);
  const input = textOf(body.input_file_id);
  const file = findFile(provider, input);
  if (file === undefined) refuse(`File ${input} not found.`, 'input_file_id', null, 404);
  const { lines, problem } = readLines(file.bytes, {}, { endpoint });
  const id = newId('batch_');
  return kept.add(provider, id, {
    id,
    name: textOf(body.name),
    input,
    createdAt: now(),
    total: lines.length,
    problem: problem?.message,
    job: beginJob(lines, (line) => answerAlone(live, request, line), pace),
    isCancelled: problem !== undefined,
  });
}

function write({ id, name, input, createdAt, total, problem, job, isCancelled }: XaiBatch): object {
  const { answered, open, ending } = job.look();
  const succeeded = answered.filter(({ answer }) => answer.status < 400).length;
  const at = new Date(createdAt * 1_000).toISOString();
  return {
    batch_id: id,
    name,
    input_file_id: input,
    create_time: at,
    expire_time: new Date((createdAt + thirtyDays) * 1_000).toISOString(),
    cancel_time: isCancelled ? at : null,
    cancel_by_xai_message: problem ?? null,
    state: {
      num_requests: total,
      num_pending: ending ? 0 : open.length,
      num_success: succeeded,
      num_error: answered.length - succeeded,
      num_cancelled: ending ? open.length : 0,
    },
  };
}

function results({ job }: XaiBatch, query: URLSearchParams): SandboxResponse {
  const { page, token } = pageOf(job.look().answered, query);
  const written = page.map(({ id, answer }) => ({ batch_request_id: id, batch_result: resultOf(answer) }));
  return jsonAnswer({ results: written, pagination_token: token });
}

/** The status of gRPC for one of HTTP. */
const codes: Readonly<Record<number, number>> = { 400: 3, 404: 5, 429: 8 };
const internalError = 13;

const resultOf = ({ status, body }: LineAnswer): object =>
  status < 400
    ? { response: { chat_get_completion: body } }
    : {
        error: {
          code: codes[status] ?? internalError,
          message: textOf(objectOf(objectOf(body).error).message),
        },
      };

/** A token is where the next page begins. */
function pageOf<Item>(all: readonly Item[], query: URLSearchParams) {
  const from = Number(query.get('pagination_token') ?? 0);
  const to = from + Number(query.get('limit') ?? pageSize);
  return { page: all.slice(from, to), token: to < all.length ? `${to}` : null };
}
