/**
 * Jobs of Bedrock that read their records from a bucket and write the answers there. Sources: AWS, Bedrock API reference,
 * CreateModelInvocationJob, GetModelInvocationJob (what is validated when), ListModelInvocationJobs, StopModelInvocationJob; Bedrock user guide,
 * "Format and upload your batch inference data", "View the results", "Process multiple prompts with batch inference" (no tools).
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
import { type Handler, jsonAnswer, newId, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { isObject, objectOf, textOf } from '../json.ts';
import { refuse } from './refuse.ts';

interface Invocation {
  readonly id: string;
  readonly arn: string;
  readonly request: JsonObject;
  readonly submittedAt: number;
  /** Absent: its records were refused. */
  readonly job?: Job;
  readonly problem?: string;
}

const jobs = createKept<Invocation>(200);
const minRecords = 100;
const maxRecords = 50_000;
const account = '000000000000';

/** A role with another name is not one that Bedrock may assume. */
const roleName = new RegExp(`^arn:aws:iam::${account}:role/sandbox-[\\w-]+$`);

/** Undefined for a path that is another one. `live` answers the records; `isModel` says whether Bedrock has a model. */
export function answerJobs(
  request: SandboxRequest,
  live: Handler,
  isModel: (id: string) => boolean,
): SandboxResponse | undefined {
  const { method, path, provider } = request;
  const own = /^\/bedrock(\/.*)$/.exec(path)?.[1] ?? path;
  if (own === '/model-invocation-job' && method === 'POST') return create(request, live, isModel);
  if (own === '/model-invocation-jobs' && method === 'GET') return list(request);
  const [, name, action] = /^\/model-invocation-job\/([^/]+)(\/stop)?$/.exec(own) ?? [];
  if (name === undefined) return undefined;
  const found = jobs.find(provider, decodeURIComponent(name).split('/').at(-1) ?? '');
  if (!found) return refuse('The specified job does not exist.', 404, 'ResourceNotFoundException');
  if (method === 'GET' && action === undefined) return jsonAnswer(describe(found));
  return method === 'POST' && action !== undefined ? stop(found) : undefined;
}

function create(request: SandboxRequest, live: Handler, isModel: (id: string) => boolean): SandboxResponse {
  const asked = checkCreation(objectOf(request.body), isModel);
  const before = jobs
    .list(request.provider)
    .find((one) => asked.clientRequestToken && one.request.clientRequestToken === asked.clientRequestToken);
  if (before) return jsonAnswer({ jobArn: before.arn });
  const id = newId('').slice(0, 12);
  const arn = `arn:aws:bedrock:us-east-1:${account}:model-invocation-job/${id}`;
  const begun = { id, arn, request: asked, submittedAt: Date.now() };
  const lines = readRecords(asked);
  const rest =
    typeof lines === 'string'
      ? { problem: lines }
      : { job: beginJob(lines, (line) => answerRecord(live, request, line), request.pace) };
  jobs.add(request.provider, id, { ...begun, ...rest });
  return jsonAnswer({ jobArn: arn });
}

const required = ['jobName', 'roleArn', 'modelId', 'inputDataConfig', 'outputDataConfig'];

function checkCreation(asked: JsonObject, isModel: (id: string) => boolean): JsonObject {
  const absent = required.find((name) => !(name in asked));
  if (absent !== undefined) refuse(`1 validation error detected: Value at '${absent}' must not be null`);
  if (!/^[a-zA-Z0-9][a-zA-Z0-9+\-.]{0,62}$/.test(textOf(asked.jobName))) {
    refuse("1 validation error detected: Value at 'jobName' failed to satisfy constraint");
  }
  if (!roleName.test(textOf(asked.roleArn))) {
    refuse(
      `User is not authorized to perform: iam:PassRole on resource: ${textOf(asked.roleArn)}`,
      403,
      'AccessDeniedException',
    );
  }
  const hours = Number(asked.timeoutDurationInHours ?? 24);
  if (!(hours >= 24 && hours <= 168)) {
    refuse("1 validation error detected: Value at 'timeoutDurationInHours' failed to satisfy constraint");
  }
  const type = asked.modelInvocationType ?? 'InvokeModel';
  if (type !== 'InvokeModel' && type !== 'Converse') refuse('The model invocation type is invalid.');
  if (!isModel(textOf(asked.modelId))) refuse('The provided model identifier is invalid.');
  // Source: AWS, Bedrock user guide, "Supported Regions and models for batch inference", which has none that rerank.
  if (/rerank/.test(textOf(asked.modelId))) {
    refuse(`The provided model ${textOf(asked.modelId)} does not support batch inference.`);
  }
  return asked;
}

/** The bucket and the key of a place. */
function placeOf(config: unknown, name: string) {
  const [, bucket = '', key = ''] =
    /^s3:\/\/([^/]+)\/(.*)$/.exec(textOf(objectOf(objectOf(config)[name]).s3Uri)) ?? [];
  return { bucket, key };
}

const inputOf = ({ inputDataConfig }: JsonObject) => placeOf(inputDataConfig, 's3InputDataConfig');
const outputOf = ({ outputDataConfig }: JsonObject) => placeOf(outputDataConfig, 's3OutputDataConfig');

/** The records, or why the job fails when it is validated. */
function readRecords(asked: JsonObject): readonly BatchLine[] | string {
  const { bucket, key } = inputOf(asked);
  const bytes = findObject(bucket, key);
  if (!bucketExists(outputOf(asked).bucket)) return 'The output bucket does not exist.';
  if (!bytes || !key.endsWith('.jsonl')) return 'No JSONL file was found at the input location.';
  const rows = rowsIn(bytes);
  if (rows.length < minRecords) {
    return `Batch job contains less records (${rows.length}) than the required minimum of: ${minRecords}`;
  }
  if (rows.length > maxRecords) return `Batch job contains more records than the maximum of: ${maxRecords}`;
  const records = rows.filter(isRecord);
  if (records.length < rows.length)
    return 'A record of the input file is no JSON object in the required format.';
  if (new Set(records.map(({ recordId }) => recordId)).size < records.length) {
    return 'The input file has a record id more than once.';
  }
  const action = asked.modelInvocationType === 'Converse' ? 'converse' : 'invoke';
  const path = `/model/${encodeURIComponent(textOf(asked.modelId))}/${action}`;
  return records.map(({ recordId, modelInput }) => ({ id: textOf(recordId), path, body: modelInput }));
}

const isRecord = (row: unknown): row is JsonObject =>
  isObject(row) && textOf(row.recordId) !== '' && isObject(row.modelInput);

function answerRecord(live: Handler, request: SandboxRequest, line: BatchLine): LineAnswer {
  if (line.path.endsWith('/converse') && 'toolConfig' in objectOf(line.body)) {
    return { status: 400, body: { message: 'Tool use is not supported in batch inference.' } };
  }
  return answerAlone(live, request, line);
}

function stop({ job }: Invocation): SandboxResponse {
  if (!job || job.look().ending !== undefined) {
    refuse('The job has ended and cannot be stopped.', 400, 'ConflictException');
  }
  job.cancel();
  return jsonAnswer({});
}

function list({ provider, query }: SandboxRequest): SandboxResponse {
  const part = query.get('nameContains') ?? '';
  const found = jobs.list(provider).filter(({ request }) => textOf(request.jobName).includes(part));
  const sorted = query.get('sortOrder') === 'Ascending' ? found.toReversed() : found;
  return jsonAnswer({ invocationJobSummaries: sorted.slice(0, 1_000).map(describe) });
}

function describe(invocation: Invocation): JsonObject {
  const { arn, request, submittedAt, job, problem } = invocation;
  const common = { ...request, jobArn: arn, submitTime: new Date(submittedAt).toISOString() };
  if (!job) return { ...common, status: 'Failed', message: problem };
  const progress = job.look();
  if (progress.ending !== undefined) writeOutput(invocation, progress);
  const { answered, open, endedAt } = progress;
  const failed = answered.filter(({ answer }) => answer.status !== 200).length;
  return {
    ...common,
    status: statusOf(progress),
    totalRecordCount: answered.length + open.length,
    processedRecordCount: answered.length,
    successRecordCount: answered.length - failed,
    errorRecordCount: failed,
    ...(endedAt !== undefined && { endTime: new Date(endedAt).toISOString() }),
  };
}

function statusOf({ ending, answered }: Progress): string {
  if (ending === 'completed') return 'Completed';
  if (ending === 'cancelled') return 'Stopped';
  if (ending === 'expired') return answered.length > 0 ? 'PartiallyCompleted' : 'Expired';
  return answered.length > 0 ? 'InProgress' : 'Scheduled';
}

const written = new WeakSet<Job>();

function writeOutput({ id, request, job }: Invocation, { answered, open }: Progress): void {
  if (!job || written.has(job)) return;
  written.add(job);
  const input = inputOf(request);
  const { bucket, key } = outputOf(request);
  const folder = `${key.replace(/\/?$/, '/')}${id}/`;
  const rows = answered.map(
    ({ id: recordId, answer }) => `${JSON.stringify({ recordId, ...resultOf(answer) })}\n`,
  );
  const failed = answered.filter(({ answer }) => answer.status !== 200).length;
  const manifest = {
    totalRecordCount: answered.length + open.length,
    processedRecordCount: answered.length,
    successRecordCount: answered.length - failed,
    errorRecordCount: failed,
  };
  putObject(bucket, `${folder}${input.key.split('/').at(-1)}.out`, Buffer.from(rows.join('')));
  putObject(bucket, `${folder}manifest.json.out`, Buffer.from(JSON.stringify(manifest)));
}

const resultOf = ({ status, body }: LineAnswer): JsonObject =>
  status === 200
    ? { modelOutput: body }
    : { error: { errorCode: status, errorMessage: textOf(objectOf(body).message) } };
