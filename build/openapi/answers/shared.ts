/** Parts that the answers of several operations have. */
import * as z from 'zod';

export const unixSeconds = z.int().describe('When it was created, in Unix seconds.');
export const answeringModel = z
  .string()
  .describe('The model that answered, as `owner/model`. After a fallback it is not the requested one.');
export const count = (description: string) => z.int().min(0).describe(description);

/** An object that is passed on in the form in which the caller or the provider wrote it. */
export const anyObject = (description: string) => z.looseObject({}).describe(description);

export const nullable = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.null()]);

const normalization = z
  .object({
    param: z.string().describe('The path of the parameter in the request.'),
    action: z.enum(['strip', 'override', 'add']).describe('What the gateway did with it.'),
    before: z.unknown().optional().describe('The value in the request.'),
    after: z.unknown().optional().describe('The value that was sent to the provider.'),
    reason: z.string().describe('Why.'),
  })
  .meta({ id: 'Normalization', description: 'A parameter that the gateway changed.' });

const deprecation = z
  .object({
    param: z.string().describe('The deprecated parameter, or `model`.'),
    message: z.string().describe('What to use instead.'),
  })
  .meta({ id: 'Deprecation', description: 'Something that the request uses and that is going away.' });

const attempt = z
  .object({
    provider: z.string().describe('The provider.'),
    region: z.string().describe('Its region.'),
    status: z
      .enum(['succeeded', 'failed', 'skipped'])
      .describe('How the attempt ended; `skipped`: the target was passed over.'),
    model: z.string().describe('The model, as `owner/model`.'),
    requested: z.string().optional().describe('What the request called the model, if not by this id.'),
    latency_ms: z
      .number()
      .min(0)
      .describe('How long it took until the first token or the failure, in milliseconds.'),
    reason: z
      .string()
      .optional()
      .describe(
        'The error code of a failed attempt. Of a skipped target `failing` (it failed repeatedly within the last seconds, so that others were tried first), or the field of the request, or the setting of the operator, that excludes it.',
      ),
  })
  .meta({
    id: 'RoutingAttempt',
    description: 'A target that the request was sent to, or that was passed over.',
  });

export const debug = z
  .object({
    normalizations: z
      .array(normalization)
      .optional()
      .describe('What the gateway changed for the target that answered.'),
    deprecations: z.array(deprecation).optional().describe('What the request uses that is going away.'),
    routing: z.array(attempt).optional().describe('The targets, in the order in which they were tried.'),
    cost: nullable(z.number())
      .optional()
      .describe('What the request is charged, in US dollars; null if it is not known.'),
  })
  .meta({
    id: 'Debug',
    description: 'What happened to the request. Only the categories of `extra.debug` are present.',
  });

const logprob = z.object({
  token: z.string().describe('The token.'),
  logprob: z.number().describe('Its log probability.'),
  bytes: nullable(z.array(z.int())).describe('Its UTF-8 bytes.'),
});

export const tokenLogprob = logprob
  .extend({ top_logprobs: z.array(logprob).describe('The most likely tokens at this position.') })
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
