/** Functions that the readers of several operations share. */
import { invalid } from '../core/errors/invalid.ts';
import type { BodyOf } from '../core/formats/given-fields.ts';
import type { GenerationParameters, JsonObject, ResponseFormat, Tool } from '../core/generation/request.ts';
import type { DebugCategory } from './answer-facts.ts';
import type { functionFields, jsonSchemaFields, platformFields, usageField } from './request-schema.ts';

/** The fields of these names that are present and not null. */
export function given<Body extends object, Name extends keyof Body & string>(
  body: Body,
  names: readonly Name[],
): { readonly [Key in Name]?: NonNullable<Body[Key]> };
export function given(body: JsonObject, names: readonly string[]): object {
  const found: Record<string, unknown> = {};
  for (const name of names) if (body[name] != null) found[name] = body[name];
  return found;
}

/** The fields of OpenAI's platform. */
export function readPlatform(body: BodyOf<typeof platformFields>): GenerationParameters {
  const { prompt_cache_options, moderation } = body;
  return {
    ...given(body, ['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier']),
    ...(prompt_cache_options && {
      prompt_cache_options: given(prompt_cache_options, ['mode', 'ttl']),
    }),
    ...(moderation && { moderation: given(moderation, ['model', 'policy']) }),
  };
}

type CostBody = BodyOf<typeof usageField> & {
  readonly extra?: { readonly debug?: readonly DebugCategory[] | null | undefined } | null | undefined;
};

/** Whether `usage` of the answer has what the request is charged. */
export const includesCost = ({ usage, extra }: CostBody): boolean =>
  (usage?.include || extra?.debug?.includes('cost')) ?? false;

/** @throws GatewayError for an operation that has none. */
export function refuseDryRun({
  extra,
}: {
  readonly extra?: { readonly dry_run?: unknown } | null | undefined;
}): void {
  if (extra?.dry_run) throw invalid('extra.dry_run', 'is not supported by this operation');
}

export function readFunction({ name, ...others }: BodyOf<typeof functionFields>): Tool {
  return { name, ...given(others, ['description', 'parameters', 'strict']) };
}

export function readJsonSchema({ name, ...others }: BodyOf<typeof jsonSchemaFields>): ResponseFormat {
  return {
    type: 'json_schema',
    json_schema: { name, ...given(others, ['description', 'schema', 'strict']) },
  };
}

/** The index of the first name that occurs before; undefined if all are different. */
export function indexOfDuplicate(names: readonly (string | undefined)[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name !== undefined && seen.has(name)) return index;
    if (name !== undefined) seen.add(name);
  }
  return undefined;
}
