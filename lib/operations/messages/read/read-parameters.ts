/** Reads the parameters of a request, and where the caller wrote them. */
import { createHash } from 'node:crypto';
import { invalid } from '../../../core/errors/invalid.ts';
import type { FieldPaths } from '../../../core/generation/original/source.ts';
import { reasoningEfforts } from '../../../core/generation/parameters.ts';
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

type ThinkingBody = Pick<MessagesBody, 'thinking' | 'output_config' | 'max_tokens'>;
type Parameters = Pick<
  GenerationParameters,
  'reasoning_effort' | 'reasoning_max_tokens' | 'reasoning_summary'
>;

interface ReadThinking {
  readonly parameters: Parameters;
  /** The caller's names of these. */
  readonly paths: FieldPaths;
}

/** The beta in which the budget is one of all thoughts between calls, so that it may be above the limit of one answer. */
const interleaved = 'interleaved-thinking-2025-05-14';

/** `betas`: the header `anthropic-beta`. Throws GatewayError `invalid_request` for a budget that is missing. */
export function readThinking(body: ThinkingBody, betas: string, notes: Notes): ReadThinking {
  const { type, display } = body.thinking ?? {};
  const paths = { reasoning_summary: 'thinking.display' };
  // Who switches thinking off wants none, whatever effort the answer is worth.
  if (type === 'disabled') {
    return {
      parameters: { reasoning_effort: 'none' },
      paths: { ...paths, reasoning_effort: 'thinking.type' },
    };
  }
  const summary: Parameters = display === 'summarized' ? { reasoning_summary: 'auto' } : {};
  const effort = readEffort(body, notes);
  const budget = type === 'enabled' ? readBudget(body, betas, notes) : undefined;
  if (effort) {
    return {
      parameters: { ...summary, reasoning_effort: effort },
      paths: { ...paths, reasoning_effort: 'output_config.effort' },
    };
  }
  // The effort is the model's own choice where thinking is adaptive.
  if (type !== undefined && type !== 'enabled' && type !== 'adaptive') {
    leaveOut(notes, 'thinking.type', type.slice(0, 64));
  }
  return {
    parameters: { ...summary, ...(budget !== undefined && { reasoning_max_tokens: budget }) },
    paths: { ...paths, reasoning_effort: 'thinking', reasoning_max_tokens: 'thinking.budget_tokens' },
  };
}

function readEffort({ output_config: config }: ThinkingBody, notes: Notes) {
  if (config?.effort == null) return undefined;
  const known = reasoningEfforts.find((effort) => effort === config.effort);
  if (!known) leaveOut(notes, 'output_config.effort', config.effort.slice(0, 64));
  return known;
}

/** Anthropic refuses a budget that leaves nothing of the answer. One below its minimum is fitted to the target. */
function readBudget({ thinking, max_tokens: limit }: ThinkingBody, betas: string, notes: Notes): number {
  const { budget_tokens: budget } = thinking ?? {};
  if (budget == null)
    throw invalid('thinking.budget_tokens', "is required where 'thinking.type' is 'enabled'");
  if (budget >= limit && !betas.includes(interleaved)) {
    refuse(notes, 'thinking.budget_tokens', `must be less than 'max_tokens', which is ${limit}`);
  }
  return budget;
}
