/** Counts the tokens of contents. Sources: "models.countTokens" in Google's references of the Gemini API and of Vertex. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { isEmbedder } from '../embeddings/models.ts';
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { isObject, objectOf, unknownKey } from '../json.ts';
import { countInput } from '../script.ts';
import { checkRequest } from './check.ts';
import { readContents } from './read.ts';
import { refuse, refuseUnknown } from './refuse.ts';

const ofVertex = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'generationConfig',
  'instances',
  'model',
]);
const ofGemini = new Set(['contents', 'generateContentRequest']);

/** Undefined for other requests, and for the models of embeddings, whose contents are counted elsewhere. */
export function countContents({ method, path, body, provider }: SandboxRequest): SandboxResponse | undefined {
  const [, name] = /^\/models\/([^/:]+):countTokens$/.exec(path) ?? [];
  if (method !== 'POST' || name === undefined) return undefined;
  const model = decodeURIComponent(name);
  if (isEmbedder(model)) return undefined;
  const isVertex = provider === 'google-vertex';
  const unknown = unknownKey(objectOf(body), isVertex ? ofVertex : ofGemini);
  if (unknown !== undefined) refuseUnknown(unknown, '');
  const request = isVertex ? objectOf(body) : unwrapped(objectOf(body), model);
  checkRequest(request, model);
  const totalTokens = countInput(readContents(request, model, provider));
  return jsonAnswer({ totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] });
}

/** The Gemini API takes contents alone, or a whole request that names its model again. */
function unwrapped({ generateContentRequest: whole, ...body }: JsonObject, model: string): JsonObject {
  if (!isObject(whole)) return body;
  const { model: named, ...request } = whole;
  if (named !== `models/${model}`) refuse('The model of the request does not match the model of the URL.');
  return request;
}
