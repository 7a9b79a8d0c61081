/** Reads the parameters of a request, and where the caller wrote them. */
import { createHash } from 'node:crypto';
import type { FieldPaths } from '../../../core/generation/original/source.ts';
import type { GenerationParameters, ResponseFormat, ServiceTier } from '../../../core/generation/request.ts';
import { given } from '../../read-request.ts';
import { maxSafetyId, maxStops } from '../../request-schema.ts';
import { leaveOut, type Notes, refuse, replace } from './notes.ts';
import type { MessagesBody } from './schema.ts';

export function readParameters(body: MessagesBody, notes: Notes): GenerationParameters {
  const { max_tokens: limit, metadata } = body;
  if (limit === 0) {
    refuse(
      notes,
      'max_tokens',
      "of 0 fills the cache of Anthropic's own models alone: other models need at least 1",
    );
  }
  const format = readFormat(body);
  const tier = readTier(body, notes);
  return {
    max_completion_tokens: limit,
    ...given(body, ['temperature', 'top_p', 'top_k']),
    ...readStops(body, notes),
    ...(format && { response_format: format }),
    ...(tier && { service_tier: tier }),
    ...(metadata?.user_id && { user: readUserId(metadata.user_id, notes) }),
  };
}

/** The caller's names of parameters. */
export function parameterPaths(body: MessagesBody): FieldPaths {
  const format = body.output_config?.format ? 'output_config.format' : 'output_format';
  return {
    max_completion_tokens: 'max_tokens',
    stop: 'stop_sequences',
    user: 'metadata.user_id',
    service_tier: body.speed === 'fast' ? 'speed' : 'service_tier',
    parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    response_format: format,
    'response_format.json_schema': format,
  };
}

/** Other protocols have at most four, and do without a list of none. */
function readStops(
  { stop_sequences: stops }: MessagesBody,
  notes: Notes,
): Pick<GenerationParameters, 'stop'> {
  if (!stops || stops.length === 0) return {};
  if (stops.length <= maxStops) return { stop: stops };
  replace(notes, 'stop_sequences', {
    before: `${stops.length} items`,
    after: `${maxStops} items`,
    reason: `Other protocols have at most ${maxStops} stop sequences. The first ones are used.`,
  });
  return { stop: stops.slice(0, maxStops) };
}

/** Anthropic's models always keep to the schema. */
function readFormat({ output_config: config, output_format: old }: MessagesBody): ResponseFormat | undefined {
  const format = config?.format ?? old;
  if (!format) return undefined;
  return { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } };
}

const tiers: Readonly<Record<string, ServiceTier>> = { auto: 'auto', standard_only: 'default' };

/** The fast mode is a tier of its own: it has its own price. */
function readTier({ service_tier: tier, speed }: MessagesBody, notes: Notes): ServiceTier | undefined {
  if (speed === 'fast') return 'fast';
  if (speed != null && speed !== 'standard') leaveOut(notes, 'speed', speed.slice(0, 64));
  if (tier == null) return undefined;
  if (Object.hasOwn(tiers, tier)) return tiers[tier];
  leaveOut(notes, 'service_tier', tier.slice(0, 64));
  return undefined;
}

/**
 * Claude Code's is a JSON text of 200 characters. OpenAI takes 64 (its schema of `safety_identifier`), DeepSeek letters, digits, `_` and
 * `-` (anthropics/claude-code issue 56643): another one is hashed, so that users remain distinct.
 */
function readUserId(id: string, notes: Notes): string {
  if (id.length <= maxSafetyId && /^[\w-]+$/.test(id)) return id;
  replace(notes, 'metadata.user_id', {
    before: `${id.length} characters`,
    after: `${maxSafetyId} characters`,
    reason: `Other providers take at most ${maxSafetyId} letters, digits, dashes and underscores: its SHA-256 is sent.`,
  });
  return createHash('sha256').update(id).digest('hex');
}
