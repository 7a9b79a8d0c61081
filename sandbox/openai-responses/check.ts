/** What the Responses protocol refuses in a request, besides its input. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  checkKeys,
  isObject,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  wordSet,
  words,
} from '../json.ts';
import { checkStrictSchema } from '../openai/check.ts';
import { canThink, checkDetails, checkExists, checkSampling, thinks } from '../openai/models.ts';
import { refuse, refuseMissing, refuseParameter, refuseUnknown, refuseValue } from '../openai/refuse.ts';
import type { ResponsesBehaviour } from './behaviour.ts';
import { checkInput } from './check-input.ts';
import { checkTools } from './check-tools.ts';

const known = wordSet(
  'access_programs background conversation context_management image include input instructions',
  'max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls',
  'previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention',
  'reasoning safety_identifier service_tier store stream stream_options temperature text',
  'tool_choice tools top_logprobs top_p truncation user',
);

const includable = words(
  'file_search_call.results web_search_call.results web_search_call.action.sources',
  'message.input_image.image_url computer_call_output.output.image_url',
  'code_interpreter_call.outputs reasoning.encrypted_content message.output_text.logprobs',
);

const ranges: readonly (readonly [name: string, kind: 'decimal' | 'integer', low: number, high: number])[] = [
  ['temperature', 'decimal', 0, 2],
  ['top_p', 'decimal', 0, 1],
  ['top_logprobs', 'integer', 0, 20],
  ['max_output_tokens', 'integer', 16, Number.POSITIVE_INFINITY],
  ['max_tool_calls', 'integer', 1, Number.POSITIVE_INFINITY],
];

const choices: Readonly<Record<string, readonly string[]>> = {
  truncation: ['auto', 'disabled'],
  service_tier: ['auto', 'default', 'flex', 'scale', 'priority', 'fast'],
};

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

export function checkResponses(
  body: unknown,
  account: string,
  behaviour: ResponsesBehaviour,
): asserts body is JsonObject {
  if (!isObject(body)) refuse('We could not parse the JSON body of your request.');
  if (behaviour.strict) checkKeys(body, known, refuseUnknown);
  for (const name of behaviour.refuses ?? []) if (name in body) refuseParameter(name);
  for (const name of ['model', 'input']) if (!(name in body)) refuseMissing(name);
  checkValues(body);
  if (behaviour.storesBackground) checkStored(body);
  checkState(body);
  checkReasoning(body);
  checkFormat(objectOf(objectOf(body.text).format), body.input);
  checkTools(body);
  if (behaviour.strict) checkModel(body);
  checkInput(body.input, account);
  if (behaviour.refusesFilesInOutputs) refuseFilesInOutputs(body.input);
  if (behaviour.strict && !canThink(textOf(body.model))) checkNoReasoning(body.input);
}

function refuseFilesInOutputs(input: unknown): void {
  const found = objectsOf(input).findIndex(({ output }) =>
    objectsOf(output).some(({ type }) => type === 'input_file'),
  );
  if (found >= 0) refuse('Files are not supported in the output of a function.', `input[${found}].output`);
}

function checkValues(body: JsonObject): void {
  for (const [name, kind, low, high] of ranges) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    const number = numberOf(value);
    if (number === undefined) refuse(`Invalid type for '${name}'.`, name, 'invalid_type');
    const bound = number < low ? 'below_min' : 'above_max';
    if (number < low || number > high) {
      refuse(
        `Invalid '${name}': ${kind} out of range. But got ${number} instead.`,
        name,
        `${kind}_${bound}_value`,
      );
    }
  }
  for (const [name, allowed] of Object.entries(choices)) checkOneOf(body[name], name, allowed);
  for (const [index, one] of listOf(body.include).entries()) checkOneOf(one, `include[${index}]`, includable);
  const options = objectOf(body.stream_options);
  checkKeys(options, new Set(['include_obfuscation']), (odd) => refuseUnknown(`stream_options.${odd}`));
  if (isObject(body.stream_options) && body.stream !== true) {
    refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
}

function checkOneOf(value: unknown, param: string, allowed: readonly string[]): void {
  if (value === undefined || value === null || allowed.includes(textOf(value))) return;
  refuseValue(value, param, allowed);
}

/**
 * "Background mode requires store=true. Stateless requests are not supported." Source: Microsoft's "Use the Azure OpenAI Responses API",
 * limitations of background tasks. OpenAI takes it, and deletes the response after about ten minutes. Source: its guide "Background
 * mode", as of 2026-11-06.
 */
function checkStored({ background, store }: JsonObject): void {
  if (background === true && store === false)
    refuse('Background mode requires store=true. Stateless requests are not supported.', 'store');
}

/** Nothing is continued here, so no earlier response can be found. */
function checkState(body: JsonObject): void {
  const { previous_response_id: previous, conversation } = body;
  if (typeof previous === 'string') {
    const message = `Previous response with id '${previous}' not found.`;
    refuse(message, 'previous_response_id', 'previous_response_not_found');
  }
  if (conversation) refuse('Conversation not found.', 'conversation', null, 404);
}

function checkReasoning(body: JsonObject): void {
  const reasoning = objectOf(body.reasoning);
  checkKeys(reasoning, new Set(['effort', 'summary', 'generate_summary', 'context', 'mode']), (odd) =>
    refuseUnknown(`reasoning.${odd}`),
  );
  checkOneOf(reasoning.effort, 'reasoning.effort', efforts);
  checkOneOf(reasoning.summary, 'reasoning.summary', ['auto', 'concise', 'detailed']);
  checkOneOf(objectOf(body.text).verbosity, 'text.verbosity', ['low', 'medium', 'high']);
}

function checkFormat(format: JsonObject, input: unknown): void {
  checkOneOf(format.type, 'text.format.type', ['text', 'json_object', 'json_schema']);
  if (format.type === 'json_object' && !/json/i.test(JSON.stringify(input))) {
    refuse(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    );
  }
  if (format.type !== 'json_schema') return;
  for (const name of ['name', 'schema']) if (!(name in format)) refuseMissing(`text.format.${name}`);
  checkKeys(format, new Set(['type', 'name', 'description', 'schema', 'strict']), (odd) =>
    refuseUnknown(`text.format.${odd}`),
  );
  if (format.strict === true) checkStrictSchema(objectOf(format.schema), 'text.format.schema');
}

/** What the model itself does not take. */
function checkModel(body: JsonObject): void {
  const model = textOf(body.model);
  const { effort, summary } = objectOf(body.reasoning);
  checkExists(model);
  checkDetails(model, body.input);
  if (thinks(model, effort ?? undefined)) checkSampling(withoutNulls(body));
  if (canThink(model)) {
    if (!thinks(model, effort ?? undefined) || !listOf(body.include).includes('message.output_text.logprobs'))
      return;
    refuse('logprobs are not supported with reasoning models.', 'include');
  }
  if (effort) refuseParameter('reasoning.effort');
  if (summary) refuseParameter('reasoning.summary');
  if (listOf(body.include).includes('reasoning.encrypted_content')) {
    refuse('Encrypted content is not supported with this model.', 'include');
  }
  const { verbosity } = objectOf(body.text);
  if (verbosity && verbosity !== 'medium') {
    const message = `Unsupported value: '${verbosity}' is not supported with the '${model}' model. Supported values are: 'medium'.`;
    refuse(message, 'text.verbosity', 'unsupported_value');
  }
}

/** Source: openai/openai-agents-python issue 569. */
function checkNoReasoning(input: unknown): void {
  if (!objectsOf(input).some(({ type }) => type === 'reasoning')) return;
  const message =
    'Reasoning input items can only be provided to a reasoning or computer use model. Remove reasoning items from your input and try again.';
  refuse(message, 'input');
}

function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
