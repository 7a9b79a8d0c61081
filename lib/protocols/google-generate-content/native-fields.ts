/**
 * A caller's `native_fields` on the Gemini wire: Google's names, in either of the two spellings that Google takes. What
 * belongs into `generationConfig` may be given without it.
 */
import type { JsonObject } from '../../core/generation/request.ts';
import { isJsonObject } from '../../core/json-object.ts';
import { asObject } from '../json.ts';
import { mergeFields } from '../native-fields.ts';

/** The fields of `generationConfig`. */
const configNames: ReadonlySet<string> = new Set([
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseFormat',
  'responseModalities',
  'mediaResolution',
  'speechConfig',
  'audioTimestamp',
  'enableAffectiveDialog',
  'enableEnhancedCivicAnswers',
  'imageConfig',
  'modelSelectionConfig',
  'routingConfig',
  'thinkingConfig',
]);

/** Inside of these a name may be the caller's own. */
const isCallers = (name: string): boolean => /schema$|^labels$/i.test(name);

/** Puts the fields over the body. */
export function addNativeFields(body: JsonObject, fields: JsonObject): JsonObject {
  const { generationConfig, ...given } = inCamelCase(fields);
  const entries = Object.entries(given);
  const config = {
    ...Object.fromEntries(entries.filter(([name]) => configNames.has(name))),
    ...asObject(generationConfig),
  };
  const others = Object.fromEntries(entries.filter(([name]) => !configNames.has(name)));
  if (Object.keys(config).length === 0) return mergeFields(body, others);
  // Of two ways to say how hard to think Google takes one: the caller's is taken whole.
  const { thinkingConfig, ...ours } = asObject(body.generationConfig);
  const kept = config.thinkingConfig === undefined && thinkingConfig !== undefined ? { thinkingConfig } : {};
  return mergeFields(
    { ...body, generationConfig: { ...ours, ...kept } },
    { ...others, generationConfig: config },
  );
}

/** Whether the caller says in Google's own words how hard to think. */
export function hasThinkingConfig(fields: JsonObject = {}): boolean {
  const { thinkingConfig, generationConfig } = inCamelCase(fields);
  return thinkingConfig !== undefined || asObject(generationConfig).thinkingConfig !== undefined;
}

function inCamelCase(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      isJsonObject(value) && !isCallers(name) ? inCamelCase(value) : value,
    ]),
  );
}
