/** Models as the admin API shows them: what they can do, what they cost the caller, and where they are served. */
import * as z from 'zod/mini';
import { modelStatuses } from '../../core/catalog/model.ts';
import { endpoints } from '../../core/catalog/model-endpoints.ts';
import { reasoningEfforts } from '../../core/generation/parameters.ts';
import { healthSchema } from '../health-schema.ts';
import { cursor, listOf, pageLimit } from '../list-schema.ts';
import { tenantName } from '../tenancy-schema.ts';

/** Models of one page: the whole catalog that ships with the gateway. */
export const maxModelPage = 1_000;
export const defaultModelPage = 200;

/** Characters of a text to search for. */
const maxSearch = 100;

export const modelsListQuery = z.strictObject({
  limit: pageLimit(maxModelPage),
  after: cursor(),
  status: z.optional(z.enum(modelStatuses)),
  search: z.optional(z.string().check(z.maxLength(maxSearch))),
  /** For operators: the prices that this tenant is charged. */
  tenant: z.optional(tenantName()),
});

/** One amount of a price, in US dollars as text; `uplift` in percent. */
const priceLineSchema = z.object({
  what: z.string(),
  usd: z.string(),
  /** What the amount is for: `million tokens`, `image`. */
  per: z.string(),
  /** When it applies: hours, a service tier, a length of the input; empty: usually. */
  applies_to: z.string(),
});

/** In US dollars per million tokens, as text; null: as `input`. */
export const priceSchema = z.object({
  input: z.string(),
  output: z.string(),
  cached_input: z.nullable(z.string()),
  cache_write: z.nullable(z.string()),
  /** Every amount that is known, those above among them. */
  lines: z.array(priceLineSchema),
});

/** One of the routes to a deployment: ids and regions of its own for the region that calls it. */
const routeSchema = z.object({
  /** The provider's id of the model, for operators only: it may name an account. */
  upstream_id: z.nullable(z.string()),
  /** The regions and region groups that can call it; null: all. */
  from: z.nullable(z.array(z.string())),
  /** All regions and region groups that process or keep what is sent; null: unknown. */
  regions: z.nullable(z.array(z.string())),
  /** Null: as the model's. */
  price: z.nullable(priceSchema),
  /** False: what it costs is unknown, whatever the model costs elsewhere. */
  price_known: z.boolean(),
});

export const deploymentSchema = z.object({
  provider: z.string(),
  /** A region of the provider, or `global`. */
  region: z.string(),
  /** The preferred first; at least one. */
  ways: z.array(routeSchema),
  /** True: as preferred as the one before it. */
  equal_to_previous: z.boolean(),
  /** Whether the provider trains on what it is sent or keeps it, by the operator's contract; null: unknown. */
  collects_data: z.nullable(z.boolean()),
  retains_data: z.nullable(z.boolean()),
  health: healthSchema,
});

const capabilitiesSchema = z.object({
  operations: z.array(z.enum(endpoints)),
  input: z.array(z.string()),
  output: z.array(z.string()),
  /** Null: it does not reason. */
  reasoning: z.nullable(
    z.object({ efforts: z.array(z.enum(reasoningEfforts)), default_effort: z.enum(reasoningEfforts) }),
  ),
  /** Null: by instructions only. */
  structured_output: z.nullable(z.enum(['schema', 'object'])),
  web_search: z.boolean(),
  fills_in: z.boolean(),
  /** Of an embedding model, by default. */
  dimensions: z.nullable(z.int()),
});

export const modelSchema = z.object({
  object: z.literal('model'),
  /** `owner/name`. */
  id: z.string(),
  owner: z.string(),
  /** For people. */
  name: z.string(),
  status: z.enum(modelStatuses),
  /** The id to use in its place. */
  replacement: z.nullable(z.string()),
  created_at: z.int(),
  /** Further names that requests may have for it, the operator's among them. */
  aliases: z.array(z.string()),
  capabilities: capabilitiesSchema,
  /** In tokens; null: unknown. */
  context: z.object({
    window: z.nullable(z.int()),
    input: z.nullable(z.int()),
    output: z.nullable(z.int()),
  }),
  /** Whether the tenant may use it. */
  allowed: z.boolean(),
  /** Whether its row ships with the gateway or is the operator's own. */
  written_by: z.enum(['seed', 'operator']),
  /** What the tenant is charged now; for operators what the provider costs. Null: unknown. */
  price: z.nullable(priceSchema),
  /** The preferred first. */
  places: z.array(deploymentSchema),
});

/** A row of the catalog that cannot be used. */
const faultyRowSchema = z.object({
  id: z.string(),
  written_by: z.enum(['seed', 'operator']),
  fault: z.string(),
});

export const modelsListAnswer = z.object({
  ...listOf(modelSchema).shape,
  /** Of the whole catalog, with every page, for operators; otherwise empty. */
  faulty: z.array(faultyRowSchema),
});

export type ModelsListQuery = z.infer<typeof modelsListQuery>;
export type ModelsListAnswer = z.infer<typeof modelsListAnswer>;
export type ModelAnswer = z.infer<typeof modelSchema>;
export type DeploymentAnswer = z.infer<typeof deploymentSchema>;
export type RouteAnswer = z.infer<typeof routeSchema>;
export type PriceAnswer = z.infer<typeof priceSchema>;
export type CapabilitiesAnswer = z.infer<typeof capabilitiesSchema>;
