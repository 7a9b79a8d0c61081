/** Which parameters OpenAI's own models refuse, by family. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { jsonAnswer } from '../exchange.ts';
import { listOf, numberOf, textOf } from '../json.ts';
import { refuse, refuseParameter, refuseValue } from './refuse.ts';

const existing = /^(gpt-|chatgpt-|o\d|ft:)/;
const reasoningFamily = /^(o\d|gpt-5|gpt-6)/;
/** Families whose thinking cannot be switched off. */
const alwaysThinks = /^(o\d|gpt-5(-|$)|gpt-6-astra|gpt-6\.1-sol)/;
/** Families that think only on request. */
const thinksOnRequest = /^gpt-5\.[1-4](?!.*(codex|pro))/;
/**
 * Families whose chat endpoint takes no function tools while they think. Sources: openai/openai-openapi issue 541 and
 * dotnet/extensions issue 7407 (5.4), livekit/agents pull 5088 (5.2), jeffdafoe/llm-memory-api pull 178 (5.5, also without an
 * effort), BerriAI/litellm pull 34569 (5.6, the same), onyx-dot-app/onyx issue 15008 and genkit-ai/genkit pull 6303 (6).
 */
const noToolsWhileThinking = /^gpt-(5\.[2-9]|6)/;
/** Not served by the chat endpoint at all. Sources: alvinunreal/tmuxai issue 82, arbs-io/vscode-openai issue 358 (404). */
const onlyResponses = /^gpt-5.*-(codex|pro)/;
const refusesStop = /^(o3|o4-mini|gpt-5(-|$))/;

const notWhileThinking = ['frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs', 'logit_bias'];
const onlyOne = ['temperature', 'top_p'];

/** Some of them. Source: OpenAI's API reference, "List models". */
export const answerModels = () =>
  jsonAnswer({
    object: 'list',
    data: ['gpt-5.5', 'gpt-5.4-mini', 'text-embedding-3-small'].map((id) => ({
      id,
      object: 'model',
      created: 1_767_225_600,
      owned_by: 'system',
    })),
  });

/** Whether the model can think at all. */
export function canThink(model: string): boolean {
  return reasoningFamily.test(model);
}

/** Whether the model thinks with this effort. */
export function thinks(model: string, effort: unknown): boolean {
  if (!reasoningFamily.test(model)) return false;
  if (alwaysThinks.test(model)) return true;
  return effort === undefined ? !thinksOnRequest.test(model) : effort !== 'none';
}

export const exists = (model: string): boolean => existing.test(model);

export function checkExists(model: string): void {
  if (exists(model)) return;
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  refuse(message, null, 'model_not_found', 404);
}

/** Source: OpenAI's guide "Images and vision". */
const knowsOriginalDetail = /^gpt-(5\.[4-9]|[6-9])(?!.*(mini|nano))/;

/** `conversation`: the messages of a chat, or the input of a response. */
export function checkDetails(model: string, conversation: unknown): void {
  if (knowsOriginalDetail.test(model)) return;
  if (JSON.stringify(conversation ?? null).includes('"detail":"original"')) {
    refuseValue('original', 'detail', ['low', 'high', 'auto']);
  }
}

/** Refuses what the named model does not take in chat. */
export function checkModel(body: JsonObject): void {
  const model = textOf(body.model);
  checkExists(model);
  checkDetails(model, body.messages);
  if (onlyResponses.test(model)) refuseChat();
  if (!reasoningFamily.test(model)) {
    if ('reasoning_effort' in body) refuseParameter('reasoning_effort');
    checkVerbosity(model, body.verbosity);
    checkPrediction(body);
    return;
  }
  if ('prediction' in body) refuseParameter('prediction');
  if ('max_tokens' in body) refuseMaxTokens();
  if ('stop' in body && refusesStop.test(model)) refuseParameter('stop');
  checkEffort(model, body.reasoning_effort);
  if (!thinks(model, body.reasoning_effort)) return;
  checkSampling(body);
  if (listOf(body.tools).length > 0 && noToolsWhileThinking.test(model)) refuseTools(model);
}

/** Only Responses takes `max`, and some models always reason. Sources: livekit/agents pull 7169, genkit-ai/genkit pull 6303. */
function checkEffort(model: string, effort: unknown): void {
  if (effort !== 'max' && !(effort === 'none' && alwaysThinks.test(model))) return;
  const message = `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.`;
  refuse(message, 'reasoning_effort', 'unsupported_value');
}

function refuseChat(): never {
  const message = 'This model is only supported in v1/responses and not in v1/chat/completions.';
  refuse(message, 'model', null, 404);
}

function refuseTools(model: string): never {
  const message = `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
  refuse(message, 'reasoning_effort');
}

/** Source: google-deepmind/concordia issue 164, enricoros/big-AGI issue 947. */
function checkVerbosity(model: string, verbosity: unknown): void {
  if (verbosity === undefined || verbosity === 'medium' || reasoningFamily.test(model)) return;
  const message = `Unsupported value: 'verbosity' does not support '${verbosity}' with this model. Supported values are: 'medium'.`;
  refuse(message, 'verbosity', 'unsupported_value');
}

/** Source: OpenAI's guide "Predicted outputs". */
function checkPrediction(body: JsonObject): void {
  if (!('prediction' in body)) return;
  for (const name of ['tools', 'max_completion_tokens', 'logprobs']) {
    if (name in body) refuse(`'${name}' is not supported together with 'prediction'.`, name);
  }
  for (const name of ['presence_penalty', 'frequency_penalty']) {
    if ((numberOf(body[name]) ?? 0) > 0)
      refuse(`'${name}' is not supported together with 'prediction'.`, name);
  }
}

function refuseMaxTokens(): never {
  refuse(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens',
    'unsupported_parameter',
  );
}

/** A model that thinks takes no sampling parameters. */
export function checkSampling(body: JsonObject): void {
  for (const name of onlyOne) {
    if (name in body && body[name] !== 1) {
      const message = `Unsupported value: '${name}' does not support ${body[name]} with this model. Only the default (1) value is supported.`;
      refuse(message, name, 'unsupported_value');
    }
  }
  for (const name of notWhileThinking) if (name in body) refuseParameter(name);
}
