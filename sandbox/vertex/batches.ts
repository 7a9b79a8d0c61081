/**
 * Batches on Vertex: jobs that read their rows from a bucket and write them there with the answers. Sources: Google Cloud, "Batch
 * inference with Gemini" and "from Cloud Storage", "Batch predictions with Anthropic Claude models" (four at a time), JobState. That a
 * file fails as a whole whose fields have several types is what its users report, not what is documented.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { bucketExists, findObject, putObject, rowsIn } from '../batches/buckets.ts';
import {
  answerAlone,
  type BatchLine,
  beginJob,
  type Job,
  type LineAnswer,
  type Progress,
} from '../batches/job.ts';
import { createKept } from '../batches/kept.ts';
import { type Handler, jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { refuse } from '../google/refuse.ts';
import { isObject, listOf, objectOf, textOf } from '../json.ts';

interface Batch {
  readonly id: string;
  /** The whole path. */
  readonly name: string;
  readonly asked: JsonObject;
  readonly rows: readonly JsonObject[];
  /** Absent: the file was refused. */
  readonly job?: Job;
}

const batches = createKept<Batch>(200);
let made = 0;
const maxOfClaude = 4;

const models = /^publishers\/(google\/models\/gemini-[^/:]+|anthropic\/models\/claude-[^/:]+)$/;

/** Undefined for a path that is another one. `live` answers the requests of the rows. */
export function answerBatches(request: SandboxRequest, live: Handler): SandboxResponse | undefined {
  const { method, provider, path } = request;
  const [, parent = '', id, action] =
    /^(\/projects\/[^/]+\/locations\/[^/]+)\/batchPredictionJobs(?:\/(\d+)(:cancel)?)?$/.exec(path) ?? [];
  if (parent === '') return undefined;
  if (id === undefined) return method === 'POST' ? create(request, live, parent) : list(request);
  const batch = batches.find(provider, id);
  if (!batch) return refuse('The BatchPredictionJob does not exist.', 404, 'NOT_FOUND');
  if (method === 'GET') return jsonAnswer(describe(batch));
  const isOver = !isRunning(batch);
  if (method === 'POST' && action !== undefined) {
    if (isOver) refuse('The job has ended and cannot be cancelled.', 400, 'FAILED_PRECONDITION');
    batch.job?.cancel();
    return jsonAnswer({});
  }
  if (method !== 'DELETE') return undefined;
  if (!isOver) refuse('The job is running and cannot be deleted.', 400, 'FAILED_PRECONDITION');
  batches.remove(id);
  return jsonAnswer({ name: `${batch.name}/operations/1`, done: true });
}

const isRunning = ({ job }: Batch): boolean => job !== undefined && job.look().ending === undefined;

function create(request: SandboxRequest, live: Handler, parent: string): SandboxResponse {
  const { provider, pace } = request;
  const asked = objectOf(request.body);
  const model = textOf(asked.model);
  if (textOf(asked.displayName) === '') refuse('The display name is required.');
  if (!models.test(model)) refuse(`Model ${model} does not exist or has no batches.`, 404, 'NOT_FOUND');
  const isClaude = model.startsWith('publishers/anthropic/');
  if (isClaude && parent.endsWith('/locations/global'))
    refuse('The location global has no batches of Claude.');
  const running = batches.list(provider).filter((one) => isRunning(one) && isClaudes(one));
  if (isClaude && running.length >= maxOfClaude) {
    refuse('Quota exceeded for concurrent batches.', 429, 'RESOURCE_EXHAUSTED');
  }
  const rows = readInput(asked);
  made += 1;
  const id = `${Date.now()}${made}`;
  const lines = readLines(rows, `${parent}/${model}:${isClaude ? 'rawPredict' : 'generateContent'}`);
  const job = lines && beginJob(lines, (line) => answerAlone(live, request, line), pace);
  const batch = {
    id,
    name: `${parent.slice(1)}/batchPredictionJobs/${id}`,
    asked,
    rows: rows.filter(isObject),
  };
  return jsonAnswer(describe(batches.add(provider, id, { ...batch, ...(job && { job }) })));
}

const isClaudes = ({ asked }: Batch): boolean => textOf(asked.model).startsWith('publishers/anthropic/');

/** The bucket and the key of a place. */
function placeOf(uri: unknown) {
  const [, bucket = '', key = ''] = /^gs:\/\/([^/]+)\/(.*)$/.exec(textOf(uri)) ?? [];
  return { bucket, key };
}

function readInput({ inputConfig, outputConfig }: JsonObject): readonly unknown[] {
  const { instancesFormat, gcsSource } = objectOf(inputConfig);
  const { bucket, key } = placeOf(listOf(objectOf(gcsSource).uris)[0]);
  const output = placeOf(objectOf(objectOf(outputConfig).gcsDestination).outputUriPrefix);
  const bytes = findObject(bucket, key);
  if (instancesFormat !== 'jsonl') refuse('The format of the instances is invalid.');
  if (!bytes) refuse(`The file gs://${bucket}/${key} does not exist.`);
  if (!bucketExists(output.bucket)) refuse('The bucket of the output does not exist.');
  return rowsIn(bytes);
}

/** Undefined where the file as a whole is refused: by one row, or by rows whose fields have several types. */
function readLines(rows: readonly unknown[], path: string): readonly BatchLine[] | undefined {
  const types = new Map<string, string>();
  const isRead = (row: unknown) => isObject(row) && isObject(row.request) && haveOneType(row, '', types);
  if (rows.length === 0 || !rows.every(isRead)) return undefined;
  return rows.map((row, index) => ({ id: `${index}`, path, body: bodyOf(objectOf(objectOf(row).request)) }));
}

/** Labels are for the bill. */
const bodyOf = ({ labels: _, ...body }: JsonObject): JsonObject => body;

function haveOneType(value: unknown, path: string, types: Map<string, string>): boolean {
  if (Array.isArray(value)) return value.every((one) => haveOneType(one, `${path}[]`, types));
  const type = isObject(value) ? 'object' : typeof value;
  const known = types.get(path) ?? type;
  types.set(path, known);
  if (known !== type) return false;
  return (
    !isObject(value) ||
    Object.entries(value).every(([name, one]) => haveOneType(one, `${path}.${name}`, types))
  );
}

function list({ provider, query }: SandboxRequest): SandboxResponse {
  const [, name] = /^displayName="(.*)"$/.exec(query.get('filter') ?? '') ?? [];
  const found = batches
    .list(provider)
    .filter(({ asked }) => name === undefined || asked.displayName === name)
    .slice(0, 100);
  return jsonAnswer({ ...(found.length > 0 && { batchPredictionJobs: found.map(describe) }) });
}

const states = { cancelled: 'CANCELLED', completed: 'SUCCEEDED', expired: 'EXPIRED' };

function describe(batch: Batch): JsonObject {
  const { name, asked, job } = batch;
  if (!job) {
    const error = { code: 3, message: 'Failed to import data.' };
    return { ...asked, name, state: 'JOB_STATE_FAILED', error };
  }
  const progress = job.look();
  const { answered, open, ending } = progress;
  const failed = answered.filter(({ answer }) => answer.status !== 200).length;
  return {
    ...asked,
    name,
    createTime: new Date(job.startedAt).toISOString(),
    state: `JOB_STATE_${ending ? states[ending] : answered.length > 0 ? 'RUNNING' : 'QUEUED'}`,
    completionStats: {
      successfulCount: `${answered.length - failed}`,
      failedCount: `${failed}`,
      incompleteCount: `${open.length}`,
    },
    ...(ending && { outputInfo: { gcsOutputDirectory: writeOutput(batch, progress) } }),
  };
}

/** Rows that were completed are written, however the job ended. */
function writeOutput({ asked, rows, id }: Batch, { answered }: Progress): string {
  const { bucket, key } = placeOf(objectOf(objectOf(asked.outputConfig).gcsDestination).outputUriPrefix);
  const folder = `${key}/prediction-model-${id}`;
  const written = answered.map((one) => `${JSON.stringify(rowOf(rows[Number(one.id)] ?? {}, one.answer))}\n`);
  putObject(bucket, `${folder}/predictions.jsonl`, Buffer.from(written.join('')));
  return `gs://${bucket}/${folder}`;
}

const rowOf = (row: JsonObject, { status, body }: LineAnswer): JsonObject => ({
  ...row,
  processed_time: new Date().toISOString(),
  ...(status === 200
    ? { status: '', response: body }
    : { status: `Bad Request: ${JSON.stringify(body)}`, response: {} }),
});
