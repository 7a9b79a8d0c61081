/**
 * Batches of the Gemini API. Sources: ai.google.dev, "Batch API" and its reference (states, no results after 48 hours, at most 100
 * at a time, not idempotent); for the rows of embeddings, google-gemini/cookbook, quickstarts/Batch_mode.ipynb; for the name of
 * the file with results, googleapis/python-genai issue 1613.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { rowsIn } from '../batches/buckets.ts';
import {
  answerAlone,
  type BatchLine,
  beginJob,
  type Job,
  type LineAnswer,
  type Progress,
} from '../batches/job.ts';
import { createKept } from '../batches/kept.ts';
import { isEmbedder } from '../embeddings/models.ts';
import { type Handler, jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { isObject, objectOf, objectsOf, textOf } from '../json.ts';
import { findFile, keepFile } from './files.ts';
import { refuse, refuseUnknown } from './refuse.ts';

interface Batch {
  /** `batches/…`. */
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly model: string;
  readonly displayName: string;
  readonly fileName: string;
  readonly lines: number;
  readonly job: Job;
}

const batches = createKept<Batch>(500);
const maxRunning = 100;

/** By the action that creates them: how a row is asked of the live API, and what stands in the row of its answer. */
const kinds = {
  batchGenerateContent: {
    type: 'GenerateContentBatch',
    path: (model: string) => `/models/${model}:generateContent`,
    body: (request: JsonObject, _model: string): JsonObject => request,
    response: (answer: JsonObject): JsonObject => answer,
  },
  asyncBatchEmbedContent: {
    type: 'EmbedContentBatch',
    path: (model: string) => `/models/${model}:batchEmbedContents`,
    body: (request: JsonObject, model: string): JsonObject => ({
      requests: [{ model: `models/${model}`, ...request }],
    }),
    response: ({ embeddings }: JsonObject): JsonObject => ({
      tokenCount: '1',
      embedding: objectsOf(embeddings)[0],
    }),
  },
} as const;

/** Undefined for a path that is another one. `live` answers the requests of the rows. */
export function answerBatches(request: SandboxRequest, live: Handler): SandboxResponse | undefined {
  const { method, path, provider } = request;
  const [, model, action = ''] =
    /^\/models\/([^/:]+):(batchGenerateContent|asyncBatchEmbedContent)$/.exec(path) ?? [];
  if (model !== undefined && method === 'POST') {
    return create(request, live, action as keyof typeof kinds, decodeURIComponent(model));
  }
  if (path === '/batches' && method === 'GET') return list(request);
  const [, name, called] = /^\/(batches\/[^/:]+)(:cancel)?$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const batch = batches.find(provider, name);
  if (!batch) return refuse(`Requested entity was not found: ${name}.`, 404, 'NOT_FOUND');
  if (method === 'GET') return jsonAnswer(describe(batch, provider));
  if (method === 'POST' && called !== undefined) return cancel(batch);
  if (method !== 'DELETE') return undefined;
  batches.remove(name);
  return jsonAnswer({});
}

function create(
  request: SandboxRequest,
  live: Handler,
  kind: keyof typeof kinds,
  model: string,
): SandboxResponse {
  const { provider, pace } = request;
  checkModel(model, kind);
  const batch = objectOf(objectOf(request.body).batch);
  const displayName = textOf(batch.displayName ?? batch.display_name);
  const input = objectOf(batch.inputConfig ?? batch.input_config);
  const fileName = textOf(input.fileName ?? input.file_name);
  if (displayName === '')
    refuse('* BatchGenerateContentRequest.batch.display_name: display_name is required.');
  if (fileName === '') refuse('* BatchGenerateContentRequest.batch.input_config: source is required.');
  const lines = readRows(findFile(provider, fileName).bytes, kind, model);
  const running = batches.list(provider).filter(({ job }) => job.look().ending === undefined);
  if (running.length >= maxRunning) {
    refuse('You exceeded your current quota of concurrent batches.', 429, 'RESOURCE_EXHAUSTED');
  }
  const job = beginJob(lines, (line) => answerAlone(live, request, line), pace);
  const name = `batches/${newId('')}${newId('').slice(0, 12)}`;
  const created = { name, kind, model, displayName, fileName, lines: lines.length, job };
  return jsonAnswer(describe(batches.add(provider, name, created), provider));
}

function checkModel(model: string, kind: keyof typeof kinds): void {
  if (kind === 'asyncBatchEmbedContent' ? isEmbedder(model) : /^gemini-/.test(model)) return;
  const message = `models/${model} is not found for API version v1beta, or is not supported for ${kind}.`;
  refuse(message, 404, 'NOT_FOUND');
}

const fields = new Set(['key', 'request']);

/** One row that cannot be read, and there is no batch. */
function readRows(bytes: Buffer, kind: keyof typeof kinds, model: string): readonly BatchLine[] {
  const { path, body } = kinds[kind];
  const rows = rowsIn(bytes);
  if (rows.length === 0) refuse('The input file is empty.');
  return rows.map((parsed, index) => {
    if (!isObject(parsed) || !isObject(parsed.request)) {
      return refuse(`Failed to parse the input file: line ${index + 1} is no valid request.`);
    }
    const unknown = Object.keys(parsed).find((name) => !fields.has(name));
    if (unknown !== undefined) refuseUnknown(unknown, '');
    return { id: textOf(parsed.key), path: path(model), body: body(parsed.request, model) };
  });
}

function cancel({ job, name }: Batch): SandboxResponse {
  if (job.look().ending !== undefined) {
    refuse(`Batch ${name} has ended and cannot be cancelled.`, 400, 'FAILED_PRECONDITION');
  }
  job.cancel();
  return jsonAnswer({});
}

const maxPageSize = 100;

/** The newest first. */
function list({ provider, query }: SandboxRequest): SandboxResponse {
  const start = Number(query.get('pageToken') ?? 0);
  const size = Math.min(Number(query.get('pageSize')) || 10, maxPageSize);
  const all = batches.list(provider);
  const operations = all.slice(start, start + size).map((batch) => describe(batch, provider));
  const next = start + size < all.length && { nextPageToken: `${start + size}` };
  return jsonAnswer({ ...(operations.length > 0 && { operations }), ...next });
}

const errors = {
  cancelled: { code: 1, message: 'The batch was cancelled.' },
  expired: { code: 4, message: 'The batch has run for more than 48 hours.' },
};

const api = 'type.googleapis.com/google.ai.generativelanguage.v1main';

/** As an operation. Only a batch that is complete has results. */
function describe(batch: Batch, provider: string): JsonObject {
  const { name, kind, model, displayName, fileName, lines, job } = batch;
  const progress = job.look();
  const { answered, ending, endedAt = Date.now() } = progress;
  const failed = answered.filter(({ answer }) => answer.status !== 200).length;
  const output = ending === 'completed' && { responsesFile: resultsOf(batch, progress, provider) };
  const metadata = {
    '@type': `${api}.${kinds[kind].type}`,
    model: `models/${model}`,
    displayName,
    inputConfig: { fileName },
    ...(output && { output }),
    createTime: new Date(job.startedAt).toISOString(),
    ...(ending !== undefined && { endTime: new Date(endedAt).toISOString() }),
    updateTime: new Date(endedAt).toISOString(),
    batchStats: {
      requestCount: `${lines}`,
      // A count of 0 is left out.
      ...counted('successfulRequestCount', answered.length - failed),
      ...counted('failedRequestCount', failed),
      ...counted('pendingRequestCount', lines - answered.length),
    },
    state: `BATCH_STATE_${stateOf(progress)}`,
    name,
  };
  const failure = ending !== undefined && ending !== 'completed' && { error: errors[ending] };
  const response = output && { response: { '@type': `${api}.${kinds[kind].type}Output`, ...output } };
  return { name, metadata, ...(ending !== undefined && { done: true }), ...failure, ...response };
}

const counted = (name: string, count: number) => (count > 0 ? { [name]: `${count}` } : {});

function stateOf({ ending, answered }: Progress): string {
  if (ending === 'completed') return 'SUCCEEDED';
  return ending?.toUpperCase() ?? (answered.length === 0 ? 'PENDING' : 'RUNNING');
}

const written = new WeakSet<Job>();

/** The name of the file with the results, which is longer than other methods take. */
function resultsOf({ name, kind, job }: Batch, { answered }: Progress, provider: string): string {
  const file = `files/batch-${name.slice('batches/'.length)}`;
  if (written.has(job)) return file;
  written.add(job);
  const rows = answered.map(({ id, answer }) => `${JSON.stringify(rowOf(id, answer, kind))}\n`);
  const bytes = Buffer.from(rows.join(''));
  keepFile(provider, {
    name: file,
    displayName: '',
    mimeType: 'application/jsonl',
    bytes,
    isGenerated: true,
  });
  return file;
}

/** The numbers of gRPC for the statuses of HTTP. */
const codes: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 429: 8, 500: 13, 503: 14 };

function rowOf(key: string, { status, body }: LineAnswer, kind: keyof typeof kinds): JsonObject {
  if (status === 200) return { response: kinds[kind].response(objectOf(body)), key };
  const { message } = objectOf(objectOf(body).error);
  return { error: { code: codes[status] ?? 2, message: textOf(message) }, key };
}
