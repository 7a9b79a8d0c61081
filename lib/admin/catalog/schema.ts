/** Hosts, rows of models and aliases as the admin API shows them, and the input that sets one. */
import * as z from 'zod/mini';
import { deletedOf, listOf } from '../list-schema.ts';

/** Of the path. What the names may be is checked where they are given. */
const segment = () => z.string().check(z.maxLength(100));
export const hostPath = z.strictObject({ host: segment() });
export const modelPath = z.strictObject({ owner: segment(), model: segment() });
export const aliasPath = z.strictObject({ alias: segment() });

const row = () => z.record(z.string(), z.unknown());

/** The row as a whole: what it leaves out has its default. */
export const rowInput = z.strictObject({ row: row() });

const hostSchema = z.object({
  object: z.literal('host'),
  id: z.string(),
  /** Null: the row is malformed. */
  base_url: z.nullable(z.string()),
  /** `file`: by the hosts file of a local gateway, where alone it can be changed. */
  written_by: z.enum(['operator', 'file']),
  /** What changes expect in `If-Match`. */
  etag: z.string(),
  row: z.nullable(row()),
});
export const hostsListAnswer = listOf(hostSchema);
export const hostsPutAnswer = z.extend(hostSchema, { created: z.boolean() });
export const hostsDeleteAnswer = z.extend(deletedOf('host'), {
  /** The models that still name it. */
  models: z.array(z.string()),
});

export const modelRowSchema = z.object({
  object: z.literal('model.row'),
  id: z.string(),
  /** `seed`: it ships with the gateway. */
  written_by: z.enum(['seed', 'operator']),
  etag: z.string(),
  /** Null: the row is malformed. */
  row: z.nullable(row()),
});
export const modelsPutAnswer = z.extend(modelRowSchema, {
  created: z.boolean(),
  /** Names without an owner that other models have, too: callers must use the id. */
  shared_names: z.array(z.string()),
});
export const modelsDeleteAnswer = deletedOf('model.row');

export const maxAliasTargets = 10;

const condition = z
  .strictObject({
    tools: z.optional(z.literal(true)),
    images: z.optional(z.literal(true)),
    input_tokens_above: z.optional(z.int().check(z.gte(0), z.lte(999_999_999))),
  })
  .check(z.refine((given) => Object.keys(given).length > 0, 'must have a condition'));

const target = z.strictObject({
  model: z.string().check(z.maxLength(150)),
  weight: z.optional(z.int().check(z.gte(1), z.lte(9_999))),
  when: z.optional(condition),
});

export const aliasesPutInput = z.strictObject({
  targets: z.array(target).check(z.minLength(1), z.maxLength(maxAliasTargets)),
});

export const aliasSchema = z.object({
  object: z.literal('alias'),
  id: z.string(),
  etag: z.string(),
  targets: z.array(z.required(target, { model: true, weight: true })),
});
export const aliasesListAnswer = listOf(aliasSchema);
export const aliasesDeleteAnswer = deletedOf('alias');

export type RowInput = z.infer<typeof rowInput>;
export type HostAnswer = z.infer<typeof hostSchema>;
export type HostsListAnswer = z.infer<typeof hostsListAnswer>;
export type HostsPutAnswer = z.infer<typeof hostsPutAnswer>;
export type HostsDeleteAnswer = z.infer<typeof hostsDeleteAnswer>;
export type ModelRowAnswer = z.infer<typeof modelRowSchema>;
export type ModelsPutAnswer = z.infer<typeof modelsPutAnswer>;
export type ModelsDeleteAnswer = z.infer<typeof modelsDeleteAnswer>;
export type AliasesPutInput = z.infer<typeof aliasesPutInput>;
export type AliasAnswer = z.infer<typeof aliasSchema>;
export type AliasesListAnswer = z.infer<typeof aliasesListAnswer>;
export type AliasesDeleteAnswer = z.infer<typeof aliasesDeleteAnswer>;
