/**
 * Which parameters OpenAI's own models refuse, by family.
 */
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { numberOf, textOf } from '../json.ts';
import { refuse, refuseParameter } from './refuse.ts';

const existing = /^(gpt-|chatgpt-|o\d|ft:)/;
const reasoningFamily = /^(o\d|gpt-5|gpt-6)/;
/** Families whose thinking cannot be switched off. */
const alwaysThinks = /^(o\d|gpt-5(-|$)|gpt-6-astra|gpt-6\.1-sol)/;
/** Families that think only on request. */
const thinksOnRequest = /^gpt-5\.[1-4]/;
const refusesStop = /^(o3|o4-mini|gpt-5(-|$))/;

const notWhileThinking = ['frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs', 'logit_bias'];
const onlyOne = ['temperature', 'top_p'];

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

export function checkExists(model: string): void {
  if (existing.test(model)) return;
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  refuse(message, null, 'model_not_found', 404);
}

/** Refuses what the named model does not take. */
export function checkModel(body: JsonObject): void {
  const model = textOf(body.model);
  checkExists(model);
  if (!reasoningFamily.test(model)) {
    if ('reasoning_effort' in body) refuseParameter('reasoning_effort');
    checkVerbosity(model, body.verbosity);
    checkPrediction(body);
    return;
  }
  if ('prediction' in body) refuseParameter('prediction');
  if ('max_tokens' in body) refuseMaxTokens();
  if ('stop' in body && refusesStop.test(model)) refuseParameter('stop');
  if (thinks(model, body.reasoning_effort)) checkSampling(body);
}

/** Source: google-deepmind/concordia issue 164, enricoros/big-AGI issue 947. */
export function checkVerbosity(model: string, verbosity: unknown): void {
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
