/** How the batch APIs of OpenAI's shape differ: a row for each provider. */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { listOf, objectOf, textOf } from '../../json.ts';
import type { FileRules } from './files.ts';
import type { LineProblem, LineRules } from './lines.ts';

export type BatchStatus =
  | 'validating'
  | 'failed'
  | 'in_progress'
  | 'completed'
  | 'expired'
  | 'cancelling'
  | 'cancelled';

/** A batch, before it is written in a provider's words. Times are in Unix seconds. */
export interface BatchView {
  readonly id: string;
  readonly status: BatchStatus;
  readonly asked: AskedBatch;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly outputFile: string | null;
  readonly errorFile: string | null;
  readonly problem?: LineProblem | undefined;
  readonly counts: { readonly total: number; readonly completed: number; readonly failed: number };
}

/** What a batch is created with. */
export interface AskedBatch {
  readonly input: string;
  readonly endpoint: string;
  readonly model?: string | undefined;
  readonly metadata: JsonObject | null;
}

export interface BatchShape {
  readonly files: FileRules;
  readonly lines: LineRules;
  /** Where batches are; absent: at `/batches`. */
  readonly batches?: string;
  readonly endpoints: readonly string[];
  /** Which completion windows it takes; absent: it has none. */
  readonly windows?: RegExp;
  /** Fields of a new batch that it requires, besides the window. */
  readonly requires: readonly string[];
  readonly read: (body: JsonObject) => AskedBatch;
  readonly write: (view: BatchView) => object;
  readonly writeCreated?: (written: object) => object;
  readonly writeList?: (written: readonly object[]) => object;
  /** Whether a batch can be deleted. */
  readonly deletes?: true;
}

const daySeconds = 86_400;

const readOpenai = (body: JsonObject): AskedBatch => ({
  input: textOf(body.input_file_id),
  endpoint: textOf(body.endpoint),
  metadata: 'metadata' in body ? objectOf(body.metadata) : null,
});

function writeOpenai(view: BatchView): object {
  const { id, status, asked, createdAt, endedAt, outputFile, errorFile, problem, counts } = view;
  const at = (...ending: readonly BatchStatus[]) => (ending.includes(status) ? (endedAt ?? createdAt) : null);
  return {
    id,
    object: 'batch',
    endpoint: asked.endpoint,
    errors: problem ? { object: 'list', data: [problem] } : null,
    input_file_id: asked.input,
    completion_window: '24h',
    status,
    output_file_id: outputFile,
    error_file_id: errorFile,
    created_at: createdAt,
    in_progress_at: problem || status === 'validating' ? null : createdAt,
    expires_at: createdAt + daySeconds,
    finalizing_at: at('completed'),
    completed_at: at('completed'),
    failed_at: at('failed'),
    expired_at: at('expired'),
    cancelling_at: at('cancelling', 'cancelled'),
    cancelled_at: at('cancelled'),
    request_counts: counts,
    metadata: asked.metadata,
  };
}

/** Source: `resources/batches.ts` and `resources/files.ts` in openai 7.55 (npm); OpenAI's guide "Batch API". */
export const openaiBatches: BatchShape = {
  files: {
    purposes: ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'],
    expiry: {
      anchor: 'expires_after[anchor]',
      seconds: 'expires_after[seconds]',
      min: 3_600,
      max: 30 * daySeconds,
    },
  },
  lines: { alike: ['model'], ofOpenai: true },
  endpoints: ['chat/completions', 'responses', 'embeddings', 'completions', 'images/generations'].map(
    (path) => `/v1/${path}`,
  ),
  windows: /^24h$/,
  requires: ['input_file_id', 'endpoint', 'completion_window'],
  read: readOpenai,
  write: writeOpenai,
};

/** Source: MicrosoftDocs/azure-ai-docs, articles/foundry/openai/includes/batch/batch-rest.md, whose answers begin with a capital. */
export const azureBatches: BatchShape = {
  ...openaiBatches,
  files: {
    purposes: ['assistants', 'batch', 'fine-tune'],
    expiry: {
      anchor: 'expires_after.anchor',
      seconds: 'expires_after.seconds',
      min: 14 * daySeconds,
      max: 30 * daySeconds,
    },
  },
  endpoints: ['chat/completions', 'responses', 'embeddings'].map((path) => `/v1/${path}`),
  write: (view) => ({ ...writeOpenai(view), ...(view.status === 'validating' && { status: 'Validating' }) }),
};

const chatOnly: BatchShape = {
  ...openaiBatches,
  files: { purposes: ['batch'] },
  lines: {},
  endpoints: ['/v1/chat/completions'],
};

/** Source: groq 1.7.0 (PyPI), types/batch_create_params.py: "Durations from `24h` to `7d` are supported." */
export const groqBatches: BatchShape = { ...chatOnly, windows: /^(?:24h|[1-7]d)$/ };

/** Sources: platform.kimi.com, "Batch API", and its OpenAPI description of `/v1/batches`: "formats like 12h, 1d, 3d". */
export const moonshotBatches: BatchShape = {
  ...chatOnly,
  lines: { alike: ['model'] },
  windows: /^(?:1[2-9]h|24h|[1-7]d)$/,
};

/** Source: Alibaba Cloud Model Studio, "OpenAI compatible - Batch (file input)". */
export const alibabaBatches: BatchShape = {
  ...chatOnly,
  files: { purposes: ['batch', 'file-extract', 'fine-tune'], onlyOutputs: true },
  lines: { alike: ['model', 'enable_thinking'] },
  endpoints: ['/v1/chat/completions', '/v1/embeddings'],
  windows: /^\d+[hd]$/,
};

/** Source: together 3.1.1 (PyPI), types/batch_job.py; docs.together.ai, "Run a batch job". */
export const togetherBatches: BatchShape = {
  files: { upload: '/files/upload', purposes: ['fine-tune', 'eval', 'batch-api'], requires: ['file_name'] },
  lines: { isBare: true },
  endpoints: ['/v1/chat/completions'],
  requires: ['input_file_id', 'endpoint'],
  read: readOpenai,
  write: ({ id, status, asked, createdAt, endedAt, outputFile, errorFile, problem, counts }) => ({
    id,
    status: status === 'cancelling' ? 'CANCELLED' : status.toUpperCase(),
    input_file_id: asked.input,
    endpoint: asked.endpoint,
    created_at: new Date(createdAt * 1_000).toISOString(),
    completed_at: endedAt === null ? null : new Date(endedAt * 1_000).toISOString(),
    progress: counts.total === 0 ? 0 : (100 * (counts.completed + counts.failed)) / counts.total,
    ...(outputFile !== null && { output_file_id: outputFile }),
    ...(errorFile !== null && { error_file_id: errorFile }),
    ...(problem && { error: problem.message }),
  }),
  writeCreated: (job) => ({ job }),
  writeList: (jobs) => jobs,
};

const mistralStatuses: Readonly<Record<BatchStatus, string>> = {
  validating: 'QUEUED',
  in_progress: 'RUNNING',
  completed: 'SUCCESS',
  failed: 'FAILED',
  expired: 'TIMEOUT_EXCEEDED',
  cancelling: 'CANCELLATION_REQUESTED',
  cancelled: 'CANCELLED',
};

/** Source: mistralai 3.7.0 (PyPI), client/models/batchjob.py and createbatchjobrequest.py. */
export const mistralBatches: BatchShape = {
  files: { purposes: ['fine-tune', 'batch', 'ocr'] },
  lines: { isBare: true },
  batches: '/batch/jobs',
  endpoints: ['/v1/chat/completions', '/v1/embeddings', '/v1/fim/completions'],
  requires: ['endpoint', 'input_files', 'model'],
  read: (body) => ({
    input: textOf(listOf(body.input_files)[0]),
    endpoint: textOf(body.endpoint),
    model: textOf(body.model),
    metadata: 'metadata' in body ? objectOf(body.metadata) : null,
  }),
  write: ({ id, status, asked, createdAt, endedAt, outputFile, errorFile, problem, counts }) => ({
    id,
    object: 'batch',
    input_files: [asked.input],
    endpoint: asked.endpoint,
    model: asked.model,
    metadata: asked.metadata,
    errors: problem ? [{ message: problem.message, count: 1 }] : [],
    status: mistralStatuses[status],
    created_at: createdAt,
    started_at: createdAt,
    completed_at: endedAt,
    total_requests: counts.total,
    completed_requests: counts.completed + counts.failed,
    succeeded_requests: counts.completed,
    failed_requests: counts.failed,
    output_file: outputFile,
    error_file: errorFile,
  }),
  writeList: (data) => ({ object: 'list', data, total: data.length }),
  deletes: true,
};
