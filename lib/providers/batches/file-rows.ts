/** The hosts whose batches have OpenAI's shape, and how they differ. */
import { asArray, asObject, objectsIn } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asCount } from '../../protocols/json.ts';
import type { BatchAccount, JobLine } from './batch-form.ts';
import {
  bareLine,
  endpointOf,
  type FileBatchRow,
  fileBatches,
  fullLine,
  type SeenBatch,
} from './file-batches.ts';

const megabyte = 1024 * 1024;

/** For how long a provider keeps files that were not deleted, in seconds. */
const weekSeconds = 7 * 86_400;
const twoWeeksSeconds = 2 * weekSeconds;

const expiresAfter = (seconds: number) => ({ anchor: 'created_at', seconds });

/** Source: `resources/batches.ts` in openai 7.55 (npm). */
function readOpenai(batch: JsonObject): SeenBatch {
  const counts = asObject(batch.request_counts);
  return {
    id: batch.id,
    input: batch.input_file_id,
    status: batch.status,
    outputs: [batch.output_file_id, batch.error_file_id],
    counts: { completed: asCount(counts.completed), failed: asCount(counts.failed) },
    total: asCount(counts.total),
    problems: objectsIn(asObject(batch.errors).data),
  };
}

/** What every host of the shape has in common with OpenAI, but for what its row replaces. */
const common = {
  limits: { lines: 50_000, bytes: 200 * megabyte },
  paths: ['/chat/completions'],
  fields: () => ({ purpose: 'batch' }),
  line: fullLine,
  create: ({ path, metadata }, input) => ({
    input_file_id: input,
    endpoint: endpointOf(path),
    completion_window: '24h',
    metadata,
  }),
  read: readOpenai,
  page: (_, last) => `/batches?limit=100${last ? `&after=${String(last.id)}` : ''}`,
} satisfies FileBatchRow;

/** Sources: OpenAI's guide "Batch API"; `resources/files.ts` in openai 7.55 (npm). */
export const openaiBatches = fileBatches({
  ...common,
  limits: { ...common.limits, inputs: 50_000 },
  paths: ['/chat/completions', '/responses', '/embeddings', '/completions', '/images/generations'],
  fields: () => ({
    purpose: 'batch',
    'expires_after[anchor]': 'created_at',
    'expires_after[seconds]': `${weekSeconds}`,
  }),
  create: (job, input) => ({
    ...common.create(job, input),
    output_expires_after: expiresAfter(weekSeconds),
  }),
});

/**
 * Only deployments of a batch type take batches, and those have names of their own: by a setting, that of the other deployment and a
 * suffix. Jobs do not expire, and files only do where that is asked for.
 * Source: MicrosoftDocs/azure-ai-docs, articles/foundry/openai/includes/batch/batch-rest.md.
 */
export const azureBatches = fileBatches({
  ...common,
  limits: { lines: 100_000, bytes: 200 * megabyte },
  paths: ['/chat/completions', '/responses'],
  fields: () => ({
    purpose: 'batch',
    'expires_after.anchor': 'created_at',
    'expires_after.seconds': `${twoWeeksSeconds}`,
  }),
  line: (line, account) => fullLine(toBatchDeployment(line, account)),
  create: (job, input) => ({
    ...common.create(job, input),
    output_expires_after: expiresAfter(twoWeeksSeconds),
  }),
});

function toBatchDeployment(line: JobLine, { settings }: BatchAccount): JobLine {
  const { 'batch-suffix': suffix = '' } = settings;
  if (suffix === '') return line;
  const { request } = line;
  const body = objectOf(request.body);
  return { ...line, request: { ...request, body: { ...body, model: `${String(body.model)}${suffix}` } } };
}

const objectOf = (body: JsonObject | string): JsonObject =>
  typeof body === 'string' ? asObject(parseJson(body)) : body;

/** Sources: groq 1.7.0 (PyPI), types/batch_create_params.py; console.groq.com/docs/batch. */
export const groqBatches = fileBatches({ ...common, limits: { lines: 50_000, bytes: 100 * megabyte } });

/** Sources: platform.kimi.com, "Batch API", and its OpenAPI description of batches and files. */
export const moonshotBatches = fileBatches({ ...common, limits: { lines: 50_000, bytes: 100 * megabyte } });

/** All lines think, or none does. Source: Alibaba Cloud Model Studio, "OpenAI compatible - Batch (file input)". */
export const alibabaBatches = fileBatches({
  ...common,
  paths: ['/chat/completions', '/embeddings'],
  limits: { lines: 50_000, bytes: 500 * megabyte, lineBytes: 6 * megabyte },
  shared: ({ body }) => String(objectOf(body).enable_thinking),
});

/** Sources: together 3.1.1 (PyPI), types/batch_job.py; docs.together.ai, "Run a batch job" and "Batch processing overview". */
export const togetherBatches = fileBatches({
  ...common,
  limits: { lines: 50_000, bytes: 100 * megabyte, lineBytes: 10 * megabyte },
  upload: '/files/upload',
  fields: (filename) => ({ purpose: 'batch-api', file_name: filename }),
  line: bareLine,
  create: ({ path }, input) => ({ input_file_id: input, endpoint: endpointOf(path) }),
  created: ({ job }) => job,
  read: (batch) => ({
    ...readOpenai(batch),
    counts: undefined,
    problems: batch.error === undefined || batch.error === null ? [] : [{ message: batch.error }],
  }),
  page: () => '/batches',
});

/** Source: mistralai 3.7.0 (PyPI), client/models/batchjob.py, createbatchjobrequest.py and jobs_api_routes_batch_get_batch_jobsop.py. */
export const mistralBatches = fileBatches({
  ...common,
  limits: { lines: 100_000, bytes: 512 * megabyte },
  paths: ['/chat/completions', '/embeddings', '/fim/completions'],
  line: bareLine,
  batches: '/batch/jobs',
  create: ({ path, upstreamModel, metadata }, input) => ({
    input_files: [input],
    endpoint: endpointOf(path),
    model: upstreamModel,
    metadata,
    timeout_hours: 24,
  }),
  read: (job) => ({
    id: job.id,
    input: asArray(job.input_files)[0],
    status: job.status,
    outputs: [job.output_file, job.error_file],
    counts: { completed: asCount(job.succeeded_requests), failed: asCount(job.failed_requests) },
    total: asCount(job.total_requests),
    problems: objectsIn(job.errors),
  }),
  page: (number) => `/batch/jobs?page=${number}&page_size=100&order_by=-created`,
  deletes: true,
});
