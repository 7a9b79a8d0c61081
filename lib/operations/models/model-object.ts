/**
 * A model as the public API shows it, and an alias of the operator in the same form: one object for the SDKs of OpenAI and of
 * Anthropic, each of which reads its own fields.
 */

import { type Model, type ModelStatus, modelStatuses } from '../../core/catalog/model.ts';
import type { ReasoningEffort } from '../../core/generation/request.ts';
import { displayName } from '../../core/names/display-name.ts';
import type { AliasTarget } from '../../core/names/names.ts';

/** A process uses what it has read of the catalog for as long. */
export const maxModelAgeSeconds = 60;

/** The fields by which lists are made, and those that are only shown. */
export interface ModelObject {
  readonly id: string;
  readonly status: ModelStatus;
  readonly lifecycle: Lifecycle;
  readonly [shown: string]: unknown;
}

/** Anthropic's stages of a model's life. */
export const lifecycles = ['active', 'deprecated', 'retired'] as const;
export type Lifecycle = (typeof lifecycles)[number];

/** A model that is not served is not available there either. */
const lifecycleOf = (status: ModelStatus): Lifecycle => (status === 'inactive' ? 'retired' : status);

export function writeModel(model: Model): ModelObject {
  const { id, created, owner, status, modalities, endpoints, aliases = [] } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: owner,
    status,
    modalities,
    endpoints,
    ...(aliases.length > 0 && { aliases }),
    ...forAnthropic(displayName(id), { created, status }, [model]),
  };
}

/**
 * An alias can do what one of its models can, because a request goes to one that can do what it needs. Undefined if none of its
 * models exists.
 */
export function writeAlias(
  name: string,
  targets: readonly AliasTarget[],
  models: ReadonlyMap<string, Model>,
): ModelObject | undefined {
  const found = targets.flatMap(({ model }) => models.get(model) ?? []);
  if (found.length === 0) return undefined;
  const union = <Value>(valuesOf: (model: Model) => readonly Value[]) => [
    ...new Set(found.flatMap(valuesOf)),
  ];
  const created = Math.max(...found.map((model) => model.created));
  const status = modelStatuses.find((one) => found.some((model) => model.status === one)) ?? 'inactive';
  return {
    id: name,
    object: 'model',
    created,
    owned_by: 'operator',
    status,
    modalities: {
      input: union(({ modalities }) => modalities.input),
      output: union(({ modalities }) => modalities.output),
    },
    endpoints: union(({ endpoints }) => endpoints),
    targets: [...new Set(found.map(({ id }) => id))],
    ...forAnthropic(name, { created, status }, found),
  };
}

/** The fields of Anthropic's list. Of several models, the limits are those that each of them keeps. */
function forAnthropic(
  name: string,
  { created, status }: Pick<Model, 'created' | 'status'>,
  models: readonly Model[],
) {
  const min = (limitOf: (model: Model) => number | null) => {
    const limits = models.map(limitOf);
    return limits.some((limit) => limit === null) ? null : Math.min(...(limits as number[]));
  };
  return {
    type: 'model' as const,
    display_name: name,
    created_at: new Date(created * 1000).toISOString().replace('.000Z', 'Z'),
    lifecycle: lifecycleOf(status),
    max_input_tokens: min(({ limits }) => limits.input ?? limits.context),
    max_tokens: min(({ limits }) => limits.output),
    capabilities: capabilitiesOf(models),
  };
}

/** Null for what cannot be asked for a message: they are about messages. */
function capabilitiesOf(models: readonly Model[]): object | null {
  const asked = models.filter(({ endpoints }) => endpoints.includes('messages'));
  return asked.length > 0 ? writeCapabilities(asked) : null;
}

/**
 * What a model can do, as Anthropic's model list has it, from the catalog's facts. What the catalog does not know of is not
 * promised. Source: `ModelCapabilities` of @anthropic-ai/sdk 1.12.
 */

type Facts = Pick<Model, 'modalities' | 'traits'>;

interface Supported {
  readonly supported: boolean;
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly ReasoningEffort[];

const isSupported = (supported: boolean): Supported => ({ supported });

/** Of an alias, what one of its models can do: a request goes to one that can do what it needs. */
function writeCapabilities(models: readonly Facts[]): object {
  const inputs = models.flatMap(({ modalities }) => modalities.input);
  const reasoning = models.flatMap(({ traits }) => traits.reasoning ?? []);
  const known = reasoning.flatMap((one) => one.efforts);
  const search = isSupported(models.some(({ traits }) => traits.webSearch));
  const isAlwaysReasoning = reasoning.length === models.length && !known.includes('none');
  return {
    batch: unknown,
    citations: unknown,
    code_execution: unknown,
    context_management: {
      ...unknown,
      clear_thinking_20251015: null,
      clear_tool_uses_20250919: null,
      compact_20260112: null,
    },
    effort: {
      supported: efforts.some((effort) => known.includes(effort)),
      ...Object.fromEntries(efforts.map((effort) => [effort, isSupported(known.includes(effort))])),
    },
    image_input: isSupported(inputs.includes('image')),
    pdf_input: isSupported(inputs.includes('pdf')),
    server_tools: { ...search, web_search: search, code_execution: unknown },
    structured_outputs: isSupported(models.some(({ traits }) => traits.structuredOutput === 'schema')),
    thinking: {
      supported: reasoning.length > 0,
      types: {
        adaptive: isSupported(reasoning.some(({ style }) => style !== 'budget')),
        between_tools: unknown,
        disabled: isSupported(!isAlwaysReasoning),
        enabled: isSupported(reasoning.some(({ style }) => style === 'budget')),
      },
    },
  };
}

const unknown: Supported = { supported: false };
