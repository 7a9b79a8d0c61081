/** The Gemini protocol of the sandbox. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkContext } from '../context-limit.ts';
import { isEmbedder } from '../embeddings/models.ts';
import {
  type Handler,
  jsonAnswer,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { checkKeys, isObject, numberOf, objectOf, textOf, wordSet } from '../json.ts';
import { countInput, decide } from '../script.ts';
import { answerBatches } from './batches.ts';
import {
  changeCachedContent,
  createCachedContent,
  deleteCachedContent,
  readCachedContent,
  withCachedContent,
} from './cached-contents.ts';
import { checkRequest } from './check.ts';
import { answerEmbeddings } from './embeddings.ts';
import { answerFiles } from './files.ts';
import { asksForImage, writeImage } from './images.ts';
import { readContents } from './read.ts';
import { refuse, refuseUnknown } from './refuse.ts';
import { asksForAudio, writeSpeech } from './speech.ts';
import { isTranscriber, writeTranscript } from './transcriptions.ts';
import { writeContent, writeContentStream } from './write.ts';

export const googleHandler: Handler = (request) => {
  checkAccess(request);
  return answerFiles(request) ?? answerBatches(request, answerLive) ?? answerLive(request);
};

const answerLive: Handler = (request) => {
  if (request.method === 'POST' && request.path === '/cachedContents') {
    return jsonAnswer(createCachedContent(request.body));
  }
  if (request.path.startsWith('/cachedContents/')) return answerCachedContent(request);
  const other = countContents(request) ?? answerEmbeddings(request);
  if (other) return other;
  const { model, stream } = readPath(request);
  const { provider } = request;
  const { body, cached } = withCachedContent(request.body, model);
  checkRequest(body, model);
  if (isTranscriber(model)) return jsonAnswer(writeTranscript(body, model));
  const prompt = readContents(body, model, provider);
  checkContext(prompt, (counted, limit) =>
    refuse(`The input token count (${counted}) exceeds the maximum number of tokens allowed (${limit}).`),
  );
  if (asksForImage(body)) return jsonAnswer(writeImage(body, prompt));
  if (asksForAudio(body)) return streamAnswer(writeSpeech(body, prompt), 'text/event-stream');
  const answer = decide(prompt);
  const config = objectOf(body.generationConfig);
  const options = {
    model,
    showThoughts: objectOf(config.thinkingConfig).includeThoughts === true,
    candidates: numberOf(config.candidateCount) ?? 1,
    cached,
    served: servedBy(provider, body),
    showSteps: objectOf(body.toolConfig).includeServerSideToolInvocations === true,
  };
  if (!stream) return jsonAnswer(writeContent(answer, options));
  // Without `alt=sse` the provider sends one JSON array, which no client of ours may ask for by mistake.
  if (request.query.get('alt') !== 'sse') return jsonAnswer([writeContent(answer, options)]);
  return streamAnswer(writeContentStream(answer, options), 'text/event-stream');
};

function answerCachedContent({ method, path, body }: SandboxRequest): ReturnType<Handler> {
  const name = path.slice(1);
  if (method === 'GET') return jsonAnswer(readCachedContent(name));
  if (method === 'PATCH') return jsonAnswer(changeCachedContent(name, body));
  if (method !== 'DELETE') refuse('Method not found.', 404, 'NOT_FOUND');
  deleteCachedContent(name);
  return jsonAnswer({});
}

/** Sources: "Flex inference" of the Gemini API, "Flex PayGo" of Vertex, which asks by a header. */
function servedBy(provider: string, body: JsonObject): JsonObject {
  if (provider !== 'google') return { trafficType: 'ON_DEMAND' };
  return { serviceTier: textOf(body.serviceTier) || 'standard' };
}

function readPath({ method, path }: SandboxRequest): { model: string; stream: boolean } {
  const [, name, action] = /^\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(path) ?? [];
  const model = decodeURIComponent(name ?? '');
  if (method !== 'POST' || action === undefined) refuse('The requested URL was not found.', 404, 'NOT_FOUND');
  if (!/^(gemini|gemma)-/.test(model)) {
    refuse(`models/${model} is not found for API version v1beta.`, 404, 'NOT_FOUND');
  }
  return { model, stream: action === 'streamGenerateContent' };
}

/** The provider answers 403, not 401, where no key came at all. */
function checkAccess({ headers, query }: SandboxRequest): void {
  if (headers['x-goog-api-key'] || headers.authorization || query.get('key')) return;
  const message = "Method doesn't allow unregistered callers (callers without established identity).";
  refuse(message, 403, 'PERMISSION_DENIED');
}

const ofVertex = wordSet('contents systemInstruction tools generationConfig instances model');
const ofGemini = new Set(['contents', 'generateContentRequest']);

/** Undefined for other requests, and for the models of embeddings, whose contents are counted elsewhere. */
function countContents({ method, path, body, provider }: SandboxRequest): SandboxResponse | undefined {
  const [, name] = /^\/models\/([^/:]+):countTokens$/.exec(path) ?? [];
  if (method !== 'POST' || name === undefined) return undefined;
  const model = decodeURIComponent(name);
  if (isEmbedder(model)) return undefined;
  const isVertex = provider === 'google-vertex';
  checkKeys(objectOf(body), isVertex ? ofVertex : ofGemini, (unknown) => refuseUnknown(unknown, ''));
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
