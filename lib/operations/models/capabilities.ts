/**
 * What a model can do, as Anthropic's model list has it, from the catalog's facts. What the catalog does not know of is not
 * promised. Source: `ModelCapabilities` of @anthropic-ai/sdk 1.12.
 */

import type { Model } from '../../core/catalog/model.ts';
import type { ReasoningEffort } from '../../core/generation/request.ts';

type Facts = Pick<Model, 'modalities' | 'traits'>;

interface Supported {
  readonly supported: boolean;
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly ReasoningEffort[];

/** Of an alias, what one of its models can do: a request goes to one that can do what it needs. */
export function writeCapabilities(models: readonly Facts[]): object {
  const any = (can: (model: Facts) => boolean | undefined): Supported => ({
    supported: models.some((model) => can(model) === true),
  });
  const accepts = (modality: string) => any(({ modalities }) => modalities.input.includes(modality));
  const reasoning = (can: (traits: NonNullable<Facts['traits']['reasoning']>) => boolean) =>
    any(({ traits }) => traits.reasoning && can(traits.reasoning));
  const search = any(({ traits }) => traits.webSearch);
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
      ...reasoning((traits) => efforts.some((effort) => traits.efforts.includes(effort))),
      ...Object.fromEntries(
        efforts.map((effort) => [effort, reasoning((traits) => traits.efforts.includes(effort))]),
      ),
    },
    image_input: accepts('image'),
    pdf_input: accepts('pdf'),
    server_tools: { ...search, web_search: search, code_execution: unknown },
    structured_outputs: any(({ traits }) => traits.structuredOutput === 'schema'),
    thinking: {
      ...any(({ traits }) => traits.reasoning !== undefined),
      types: {
        adaptive: reasoning(({ style }) => style !== 'budget'),
        between_tools: unknown,
        disabled: any(({ traits }) => !traits.reasoning || traits.reasoning.efforts.includes('none')),
        enabled: reasoning(({ style }) => style === 'budget'),
      },
    },
  };
}

const unknown: Supported = { supported: false };
