/** Batches as the admin API has them. Never a line of one, nor an answer. The dashboard uses these types. */
import * as z from 'zod/mini';
import { cursor, filter, listOf, pageLimit } from '../list-schema.ts';

/** Batches of one page. */
const maxBatchPage = 100;
export const defaultBatchPage = 50;

const statuses = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

const amount = z.nullable(z.int());

const counts = z.object({
  total: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  expired: z.int(),
});

/** What all answered lines have used; amounts in nano-dollars, null: unknown. What providers take is in answers to operators only. */
const use = z.object({
  input_tokens: z.int(),
  cached_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  cost_nano_usd: amount,
  provider_cost_nano_usd: z.optional(amount),
});

const about = {
  id: z.string(),
  tenant: z.string(),
  key: z.string(),
  key_name: z.nullable(z.string()),
  /** Of `/v1/batches`, or of `/v1/messages/batches`. */
  contract: z.enum(['openai', 'anthropic']),
  operation: z.string(),
  status: z.enum(statuses),
  /** Unix seconds. */
  created_at: z.int(),
  expires_at: z.int(),
  /** When it came to its status. */
  status_at: z.int(),
  counts,
  models: z.array(z.string()),
  jobs: z.int(),
  /** Null: nothing was answered yet. */
  use: z.nullable(use),
};

const batchRowSchema = z.object({ object: z.literal('batch'), ...about });

export const batchesListAnswer = z.object({
  ...listOf(batchRowSchema).shape,
  /** False: those of all tenants that have not ended. */
  has_ended: z.boolean(),
});

const job = z.object({
  /** From 0. */
  n: z.int(),
  /** The provider whose batch API answers it; `live`: its lines are single requests. */
  by: z.string(),
  model: z.string(),
  provider: z.string(),
  region: z.string(),
  lines: z.int(),
  status: z.enum(['planned', 'submitting', 'submitted', 'ended', 'settled']),
  /** How often it was submitted. */
  attempts: z.int(),
  polls: z.int(),
  /** When it is asked for again, in Unix seconds; null: not any more. */
  next_poll_at: amount,
  is_cancelled: z.boolean(),
  /** What is reserved for it in nano-dollars; null: nothing. */
  held_nano_usd: amount,
  counts,
  use: z.nullable(use),
});

const planned = z.object({
  model: z.string(),
  provider: z.string(),
  region: z.string(),
  lines: z.int(),
  by: z.enum(['native', 'live']),
  /** The price in relation to the list price; null: unknown. */
  price_factor: z.nullable(z.number()),
});

export const batchAnswer = z.object({
  object: z.literal('batch'),
  ...about,
  /** `any`: lines without a batch API of their provider are answered as single requests. */
  mode: z.enum(['native', 'any']),
  input_file_id: z.string(),
  output_file_id: z.nullable(z.string()),
  error_file_id: z.nullable(z.string()),
  /** Why its file was refused: the codes and lines. */
  problems: z.array(z.object({ code: z.string(), line: z.nullable(z.int()) })),
  plan: z.array(planned),
  job_list: z.array(job),
});

/** Without a tenant, an operator sees those of all tenants that have not ended. */
export const batchesListQuery = z.strictObject({
  tenant: filter(),
  status: z.optional(z.enum(statuses)),
  key: filter(),
  limit: pageLimit(maxBatchPage),
  after: cursor(),
});

export const batchPath = z.strictObject({ batch_id: z.string().check(z.maxLength(128)) });
export const batchQuery = z.strictObject({ ...batchPath.shape, tenant: filter() });
export const batchesCancelInput = z.strictObject({ tenant: filter() });

export const batchesCancelAnswer = z.object({
  object: z.literal('batch'),
  id: z.string(),
  tenant: z.string(),
  status: z.enum(statuses),
});

export const filesListQuery = z.strictObject({
  tenant: filter(),
  limit: pageLimit(maxBatchPage),
  after: cursor(),
});

const fileRow = z.object({
  object: z.literal('file'),
  id: z.string(),
  key: z.string(),
  filename: z.string(),
  purpose: z.string(),
  bytes: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  expires_at: z.int(),
});

export const filesListAnswer = listOf(fileRow);

export type FilesListQuery = z.infer<typeof filesListQuery>;
export type FilesListAnswer = z.infer<typeof filesListAnswer>;
export type BatchesListQuery = z.infer<typeof batchesListQuery>;
export type BatchesListAnswer = z.infer<typeof batchesListAnswer>;
export type BatchRow = z.infer<typeof batchRowSchema>;
export type BatchAnswer = z.infer<typeof batchAnswer>;
export type BatchesCancelAnswer = z.infer<typeof batchesCancelAnswer>;
