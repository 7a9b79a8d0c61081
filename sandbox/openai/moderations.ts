/**
 * Moderation in the sandbox: OpenAI's, of texts and images, and Mistral's, of texts. What has the name of a category is flagged for it.
 * Sources: openai 7.55, `ModerationCreateParams`; developers.openai.com, omni-moderation-latest; docs.mistral.ai, "Moderation & Guardrailing".
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { jsonAnswer, newId, Refusal, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, isObject, listOf, objectOf, textOf, wordSet } from '../json.ts';
import { refuse, refuseMissing, refuseUnknown } from './refuse.ts';

const ownCategories =
  'harassment harassment/threatening hate hate/threatening illicit illicit/violent self-harm self-harm/instructions self-harm/intent sexual sexual/minors violence violence/graphic'.split(
    ' ',
  );

/** Of which an image can be. */
const ofImages = wordSet(
  'self-harm self-harm/instructions self-harm/intent sexual violence violence/graphic',
);

const mistralCategories =
  'sexual hate_and_discrimination violence_and_threats dangerous criminal selfharm health financial law pii jailbreaking'.split(
    ' ',
  );

const fields = wordSet('model input');
const models = wordSet('omni-moderation-latest omni-moderation-2024-09-26');
const mistralModels = wordSet('mistral-moderation-2603 mistral-moderation-latest');

export function answerModerations({ body, provider }: SandboxRequest): SandboxResponse {
  const asked = objectOf(body);
  return jsonAnswer(provider === 'mistral' ? ofMistral(asked) : ofOpenai(asked));
}

function ofOpenai(asked: JsonObject): JsonObject {
  checkKeys(asked, fields, refuseUnknown);
  const { model = 'omni-moderation-latest', input } = asked;
  if (!models.has(textOf(model))) {
    refuse(
      `The model \`${textOf(model)}\` does not exist or you do not have access to it.`,
      null,
      'model_not_found',
      404,
    );
  }
  if (input === undefined) refuseMissing('input');
  const inputs = readInputs(input);
  if (inputs.length === 0 || inputs.includes('')) refuse("'$.input' is invalid.", 'input');
  return { id: newId('modr-'), model: 'omni-moderation-latest', results: inputs.map(moderate) };
}

interface Parts {
  readonly text: string;
  readonly images: number;
}

/** A list of parts is one input; a list of texts is one each. */
function readInputs(input: unknown): readonly (string | Parts)[] {
  if (typeof input === 'string') return [input];
  const list = listOf(input);
  if (!list.some(isObject)) return list.map(textOf);
  const parts = list.map(objectOf);
  const isKnown = ({ type, text, image_url: image }: JsonObject) =>
    (type === 'text' && typeof text === 'string') ||
    (type === 'image_url' && textOf(objectOf(image).url) !== '');
  if (!parts.every(isKnown)) refuse("Invalid type for 'input'.", 'input');
  const images = parts.filter(({ type }) => type === 'image_url').length;
  if (images > 1) refuse('Only one image is supported per request.', 'input');
  return [{ text: parts.map(({ text }) => textOf(text)).join('\n'), images }];
}

/** Applied to what it sees. */
function moderate(input: string | Parts): JsonObject {
  const { text, images } = typeof input === 'string' ? { text: input, images: 0 } : input;
  const isFound = (category: string) => new RegExp(`\\b${category.replace('/', ' ')}\\b`, 'i').test(text);
  const each = <Value>(value: (category: string) => Value) =>
    Object.fromEntries(ownCategories.map((category) => [category, value(category)]));
  return {
    flagged: ownCategories.some(isFound),
    categories: each(isFound),
    category_scores: each((category) => (isFound(category) ? 0.97 : 0.00002)),
    category_applied_input_types: each((category) => [
      ...(text === '' ? [] : ['text']),
      ...(images > 0 && ofImages.has(category) ? ['image'] : []),
    ]),
  };
}

/** As chat completions and responses have it that ask for it. */
export function moderationOf(
  { moderation }: JsonObject,
  input: string,
  output: string,
): JsonObject | undefined {
  if (!isObject(moderation)) return undefined;
  const { model } = moderation;
  if (!models.has(textOf(model)))
    refuse(`Invalid value: '${textOf(model)}'.`, 'moderation.model', 'invalid_value');
  const results = (text: string) => ({
    type: 'moderation_results',
    model,
    results: [{ type: 'moderation_result', model, ...moderate(text) }],
  });
  return { moderation: { input: results(input), output: results(output) } };
}

function ofMistral(asked: JsonObject): JsonObject {
  const refuseField = (name: string): never => {
    const finding = { type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' };
    throw new Refusal(422, { detail: [finding] });
  };
  checkKeys(asked, fields, refuseField);
  const { model, input } = asked;
  if (!mistralModels.has(textOf(model))) refuse(`Invalid model: ${textOf(model)}`, null, '1500');
  const texts = typeof input === 'string' ? [input] : listOf(input);
  if (texts.length === 0 || !texts.every((text) => typeof text === 'string')) refuseField('input');
  const words = texts.map(textOf);
  const isFound = (category: string, text: string) =>
    text.toLowerCase().includes(category.replaceAll('_', ' '));
  const results = words.map((text) => ({
    categories: Object.fromEntries(mistralCategories.map((name) => [name, isFound(name, text)])),
    category_scores: Object.fromEntries(
      mistralCategories.map((name) => [name, isFound(name, text) ? 0.99 : 0.0001]),
    ),
  }));
  const tokens = words.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens, completion_tokens: 0, request_count: 1 };
  return { id: newId(''), model, usage, results };
}
