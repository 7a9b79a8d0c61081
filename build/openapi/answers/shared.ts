/** How the schemas of answers are written, and parts that several of them have. */
import * as z from 'zod';

export const text = (description: string) => z.string().describe(description);
export const integer = (description: string) => z.int().describe(description);
export const count = (description: string) => z.int().min(0).describe(description);
export const flag = (description: string) => z.boolean().describe(description);
export const always = <Value extends string>(value: Value) =>
  z.literal(value).describe(`Always \`${value}\`.`);
export const nullable = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]);
export const list = <Item extends z.ZodType>(items: Item, description: string) =>
  z.array(items).describe(description);
export const choice = <const Values extends readonly string[]>(values: Values, description: string) =>
  z.enum(values).describe(description);
export const object = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z.object(shape).describe(description);

/** An object that has a name in the document. */
export const named = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.object(shape).meta({ id, description });
/** The same, of which a provider may add fields. */
export const namedLoose = <Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) =>
  z.looseObject(shape).meta({ id, description });

export const unixSeconds = integer('When it was created, in Unix seconds.');
export const answeringModel = text(
  'The model that answered, as `owner/model`. After a fallback it is not the requested one.',
);

/** An object that is passed on in the form in which the caller or the provider wrote it. */
export const anyObject = (description: string) => z.looseObject({}).describe(description);

const normalization = named('Normalization', 'A parameter that the gateway changed.', {
  param: text('The path of the parameter in the request.'),
  action: z.enum(['strip', 'override', 'add']).describe('What the gateway did with it.'),
  before: z.unknown().optional().describe('The value in the request.'),
  after: z.unknown().optional().describe('The value that was sent to the provider.'),
  reason: text('Why.'),
});

const deprecation = named('Deprecation', 'Something that the request uses and that is going away.', {
  param: text('The deprecated parameter, or `model`.'),
  message: text('What to use instead.'),
});

const attempt = named('RoutingAttempt', 'A target that the request was sent to, or that was passed over.', {
  provider: text('The provider.'),
  region: text('Its region.'),
  status: z
    .enum(['succeeded', 'failed', 'skipped'])
    .describe('How the attempt ended; `skipped`: the target was passed over.'),
  model: text('The model, as `owner/model`.'),
  requested: text('What the request called the model, if not by this id.').optional(),
  latency_ms: z
    .number()
    .min(0)
    .describe('How long it took until the first token or the failure, in milliseconds.'),
  reason: text(
    'The error code of a failed attempt. Of a skipped target `failing` (it failed repeatedly within the last seconds, so that others were tried first), or the field of the request, or the setting of the operator, that excludes it.',
  ).optional(),
});

const dryRunTarget = named('DryRunTarget', 'A target of a request that was not sent.', {
  model: text('The model, as `owner/model`.'),
  provider: text('The provider.'),
  region: text('Its region.'),
  credential: text('The credential of your own that would be used; absent: that of the gateway.').optional(),
  excluded_by: text('Why it would not be asked: the field, the setting or the error.').optional(),
});

const dryRunReport = named('DryRun', 'What would happen to a request that was not sent.', {
  targets: list(
    dryRunTarget,
    'The targets in the order in which they would be tried, then those that would not be.',
  ),
  sent: z
    .unknown()
    .describe(
      'The body for the first target. A body of more than 64 KB is a text: its beginning, and how long it is.',
    ),
  not_fetched: list(
    z.string(),
    'The fields with URLs that the gateway would fetch for the provider. In `sent`, a placeholder stands for what they lead to.',
  ).optional(),
  normalizations: list(normalization, 'What the gateway would change for the first target.'),
  guardrails: list(
    z.object({ id: text('The id.'), version: integer('The version that applies.') }),
    'The policies that would look at the request before it is sent. They did not, so what they would block or redact is in `sent`.',
  ).optional(),
  input_tokens: count('The tokens of the input, as the gateway counts them.'),
  exact: flag(
    'Whether the provider would count as many; else they are an upper bound, of images an estimate.',
  ),
  highest_cost: nullable(z.number()).describe(
    'The most that the request may be charged, in US dollars; null if a price is not known.',
  ),
  fits: flag('Whether the limits and budgets of key, user and tenant would admit it.'),
  refused_by: z
    .object({ code: nullable(z.string()).describe('As in errors.'), message: text('What is in the way.') })
    .optional()
    .describe('The error that the limits would give.'),
  granted_output: nullable(z.int()).describe(
    'The tokens of output that the limits would grant; null where there are none, or the request does not fit.',
  ),
});

const debugReport = named(
  'Debug',
  'What happened to the request. Only the categories of `extra.debug` are present, and the report of a dry run.',
  {
    normalizations: list(normalization, 'What the gateway changed for the target that answered.').optional(),
    deprecations: list(deprecation, 'What the request uses that is going away.').optional(),
    routing: list(attempt, 'The targets, in the order in which they were tried.').optional(),
    cost: nullable(z.number())
      .optional()
      .describe('What the request is charged, in US dollars; null if it is not known.'),
    dry_run: dryRunReport.optional(),
  },
);

const logprob = z.object({
  token: text('The token.'),
  logprob: z.number().describe('Its log probability.'),
  bytes: nullable(z.array(z.int())).describe('Its UTF-8 bytes.'),
});

export const tokenLogprob = logprob
  .extend({ top_logprobs: list(logprob, 'The most likely tokens at this position.') })
  .meta({ id: 'TokenLogprob', description: 'A token and its log probability.' });

export const tokenDetails = z.object({
  cached_tokens: count('Tokens that were read from a cache.'),
  cache_write_tokens: count('Tokens that were written to a cache.'),
});

export const costInUsage = nullable(z.number())
  .optional()
  .describe(
    'What the request is charged, in US dollars, with estimates of calls whose counts were lost; null if it is not known. Only with `usage: {include: true}` or `extra.debug: ["cost"]`.',
  );

export const reasoningTokens = z.object({ reasoning_tokens: count('Tokens of the reasoning.') });

/** In every answer of a model. */
export const debug = debugReport
  .optional()
  .describe('What happened to the request, when `extra.debug` asks for it.');

export const estimated = z
  .literal(true)
  .optional()
  .describe(
    '`true` if the count is an estimate of the gateway, because the provider cannot count tokens for the model.',
  );

const verdict = z.union([
  z.object({
    type: always('moderation_results'),
    model: text('The model that classified.'),
    results: list(z.record(z.string(), z.unknown()), 'As `POST /v1/moderations` answers.'),
  }),
  z.object({ type: always('error'), code: text('Why.'), message: text('What failed.') }),
]);

export const moderation = object('How input and output were classified, where the request asks for it.', {
  input: verdict.describe('The input.'),
  output: verdict.describe('The output.'),
}).optional();
