/** What the Gemini protocol refuses in a request, besides its contents. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  checkKeys,
  isObject,
  isOutside,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
  wordSet,
  words,
} from '../json.ts';
import { checkContents } from './check-contents.ts';
import { refuse, refuseUnknown } from './refuse.ts';

const known = wordSet(
  'contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent',
  'serviceTier',
);

const knownConfig = wordSet(
  'stopSequences responseMimeType responseModalities thinkingConfig responseSchema',
  'responseJsonSchema candidateCount maxOutputTokens temperature topP topK seed presencePenalty',
  'frequencyPenalty responseLogprobs logprobs imageConfig speechConfig mediaResolution',
  'audioTranscriptionConfig',
  'enableEnhancedCivicAnswers',
);

const declarationKeys = wordSet('name description parameters parametersJsonSchema response behavior');

/** What Gemini's older schema dialect, in `parameters` and `responseSchema`, does not know. */
const notInDialect = words('$ref $defs additionalProperties const oneOf allOf $schema patternProperties');

export function checkRequest(body: unknown, model: string): asserts body is JsonObject {
  if (!isObject(body)) refuse('Invalid JSON payload received.');
  checkKeys(body, known, (unknown) => refuseUnknown(unknown, ''));
  if (![undefined, 'standard', 'flex', 'priority'].includes(body.serviceTier as string | undefined)) {
    refuse("Invalid value at 'service_tier'.");
  }
  const generation = /^gemini-(\d+)/.exec(model)?.[1];
  const config = objectOf(body.generationConfig);
  checkConfig(config, Number(generation ?? 3), model);
  checkTools(body, config, Number(generation ?? 3));
  checkContents(objectsOf(body.contents), Number(generation ?? 0) >= 3);
}

function checkConfig(config: JsonObject, generation: number, model: string): void {
  checkKeys(config, knownConfig, (unknown) => refuseUnknown(unknown, 'generation_config'));
  const { temperature, topP, candidateCount, maxOutputTokens } = config;
  if (isOutside(temperature, 0, 2)) refuse('temperature must be in the range [0.0, 2.0].');
  if (isOutside(topP, 0, 1)) refuse('topP must be in the range [0.0, 1.0].');
  if (isOutside(candidateCount, 1, 8)) refuse('candidateCount must be in the range [1, 8].');
  if (isOutside(maxOutputTokens, 1, Number.POSITIVE_INFINITY)) refuse('max_output_tokens must be positive.');
  if (textsOf(config.stopSequences).length > 5) refuse('At most 5 stop sequences are allowed.');
  if (generation < 3 && ('presencePenalty' in config || 'frequencyPenalty' in config)) {
    refuse(`Penalty is not enabled for models/${model}`);
  }
  if ('logprobs' in config && config.responseLogprobs !== true) {
    refuse('Logprobs is only allowed when response_logprobs is true.');
  }
  checkDialect(config.responseSchema, 'generation_config.response_schema');
  checkThinking(objectOf(config.thinkingConfig), generation);
}

function checkThinking(thinking: JsonObject, generation: number): void {
  const { thinkingBudget, thinkingLevel } = thinking;
  if (thinkingBudget !== undefined && thinkingLevel !== undefined) {
    refuse('You can only set one of thinking budget and thinking level.');
  }
  if (thinkingLevel !== undefined && generation < 3)
    refuse('Thinking level is not supported for this model.');
  if (thinkingLevel !== undefined && !/^(minimal|low|medium|high|xhigh)$/i.test(textOf(thinkingLevel))) {
    refuse("Invalid value at 'generation_config.thinking_config.thinking_level'.");
  }
}

const toolKeys = new Set(['functionDeclarations', 'googleSearch']);
const toolConfigKeys = wordSet('functionCallingConfig retrievalConfig includeServerSideToolInvocations');

/** Google's own search, and what it takes to have it beside functions. */
function checkSearch(body: JsonObject, generation: number, hasFunctions: boolean): void {
  const tools = objectsOf(body.tools);
  for (const tool of tools) checkKeys(tool, toolKeys, (name) => refuseUnknown(name, 'tools[0]'));
  checkKeys(body.toolConfig, toolConfigKeys, (odd) => refuseUnknown(odd, 'tool_config'));
  if (!hasFunctions || !tools.some((tool) => 'googleSearch' in tool)) return;
  if (objectOf(body.toolConfig).includeServerSideToolInvocations !== true) {
    refuse(
      'Please enable tool_config.include_server_side_tool_invocations to use Built-in tools with Function calling.',
    );
  }
  if (generation < 3) {
    refuse(
      'Built-in tools ({google_search}) and Function Calling cannot be combined in the same request. Please choose one.',
    );
  }
}

function checkTools(body: JsonObject, config: JsonObject, generation: number): void {
  const declarations = objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations));
  for (const declaration of declarations) {
    checkKeys(declaration, declarationKeys, (unknown) =>
      refuseUnknown(unknown, 'tools[0].function_declarations[0]'),
    );
    if (!/^[a-zA-Z_][\w.:-]{0,127}$/.test(textOf(declaration.name))) refuse('Invalid function name.');
    checkDialect(declaration.parameters, 'tools[0].function_declarations[0].parameters');
  }
  checkSearch(body, generation, declarations.length > 0);
  const { mode, allowedFunctionNames } = objectOf(objectOf(body.toolConfig).functionCallingConfig);
  const json = config.responseMimeType === 'application/json';
  if (declarations.length > 0 && json && (generation < 3 || mode === 'ANY')) {
    refuse("Function calling with a response mime type: 'application/json' is unsupported");
  }
  if (mode === 'ANY' && declarations.length === 0) {
    refuse('Function calling mode is ANY but no function declarations are given.');
  }
  if (allowedFunctionNames !== undefined && mode !== 'ANY' && mode !== 'VALIDATED') {
    refuse('Allowed function names may only be set when the mode is ANY or VALIDATED.');
  }
}

function checkDialect(schema: unknown, path: string): void {
  if (!isObject(schema)) return;
  const unknown = notInDialect.find((name) => name in schema);
  if (unknown !== undefined) refuseUnknown(unknown, path);
  if (Array.isArray(schema.type))
    refuse(`Proto field is not repeating, cannot start list at '${path}.type'.`);
  for (const [name, property] of Object.entries(objectOf(schema.properties))) {
    checkDialect(property, `${path}.properties[${name}]`);
  }
  checkDialect(schema.items, `${path}.items`);
}
