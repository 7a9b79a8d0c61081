/**
 * A caller's `native_fields` for the Gemini API: Google's names, in either of the two spellings that Google accepts. Fields of
 * `generationConfig` may be given without it.
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

/** Names inside these are chosen by the caller and not converted. */
const isCallers = (name: string): boolean => /schema$|^labels$/i.test(name);

/** Merges the fields into the body. */
export function addNativeFields(body: JsonObject, fields: JsonObject): JsonObject {
  const { generationConfig, ...given } = inCamelCase(fields);
  const entries = Object.entries(given);
  const config = {
    ...Object.fromEntries(entries.filter(([name]) => configNames.has(name))),
    ...asObject(generationConfig),
  };
  const others = Object.fromEntries(entries.filter(([name]) => !configNames.has(name)));
  if (Object.keys(config).length === 0) return mergeFields(body, others);
  // Google accepts only one way to set the thinking effort: the caller's one replaces ours completely.
  const { thinkingConfig, ...ours } = asObject(body.generationConfig);
  const ownThinking =
    config.thinkingConfig === undefined && thinkingConfig !== undefined ? { thinkingConfig } : {};
  return mergeFields(
    { ...body, generationConfig: { ...ours, ...ownThinking } },
    { ...others, generationConfig: config },
  );
}

/** Whether the caller sets the thinking effort with Google's own fields. */
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
