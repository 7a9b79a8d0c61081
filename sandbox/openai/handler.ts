/** The OpenAI protocols of the sandbox, for OpenAI itself and for compatible hosts. */

import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkContext } from '../context-limit.ts';
import {
  dataEvent,
  type Handler,
  jsonAnswer,
  newId,
  type SandboxRequest,
  streamAnswer,
} from '../exchange.ts';
import { checkKeys, numberOf, objectOf, textOf, wordSet } from '../json.ts';
import { answerKept } from '../openai-responses/background.ts';
import { compactResponses, countResponses } from '../openai-responses/compact.ts';
import { answerResponses } from '../openai-responses/handler.ts';
import { answerHost } from '../rerank.ts';
import { decide } from '../script.ts';
import { withBatches } from './batches/batch-api.ts';
import { type Behaviour, checkBehaviour, wantsToThink } from './behaviour.ts';
import { checkChat } from './check.ts';
import { answerEmbeddings } from './embeddings.ts';
import { answerEdits, answerImages } from './images.ts';
import { answerModels, thinks } from './models.ts';
import { answerModerations, moderationOf } from './moderations.ts';
import { readChat } from './read.ts';
import { answerClientSecrets } from './realtime.ts';
import { refuse, refuseLength, refuseMissing, refuseUnknown } from './refuse.ts';
import { answerSpeech, isSpeech } from './speech.ts';
import { answerTranscription, isTranscription } from './transcriptions.ts';
import { writeChatBody, writeChatStream } from './write.ts';
import { answerXaiEdits, answerXaiImages } from './xai-images.ts';

export function createOpenaiHandler(behaviour: Behaviour): Handler {
  const { batches, open } = behaviour;
  const live = createLiveHandler(behaviour);
  const handle = batches ? withBatches(live, batches) : live;
  return (request) => {
    if (!open) checkAccess(request);
    return handle(request);
  };
}

function createLiveHandler(behaviour: Behaviour): Handler {
  return (request) => {
    if (request.path === '/responses' && behaviour.responses) {
      return answerResponses(request, { refuses: behaviour.refuses ?? [], ...behaviour.responses });
    }
    if (request.path === '/responses/input_tokens' && behaviour.responses && behaviour.strict) {
      return countResponses(request, behaviour.responses);
    }
    if (request.path === '/responses/compact' && behaviour.responses && behaviour.strict) {
      return compactResponses(request, behaviour.responses);
    }
    if (request.path.startsWith('/responses/') && behaviour.responses && behaviour.strict)
      return answerKept(request);
    if (request.method === 'GET' && request.path === '/models' && behaviour.strict) return answerModels();
    if (request.method === 'POST' && request.path === '/embeddings')
      return answerEmbeddings(request, behaviour);
    if (request.path === '/moderations' && (behaviour.strict || request.provider === 'mistral'))
      return answerModerations(request);
    if (request.method === 'POST' && request.path === '/rerank' && !behaviour.strict)
      return answerHost(objectOf(request.body), request.provider, (message) => refuse(message));
    if (isSpeech(request)) return answerSpeech(request);
    if (isTranscription(request)) return answerTranscription(request);
    if (request.path === '/realtime/client_secrets' && behaviour.strict) return answerClientSecrets(request);
    if (request.path === '/images/edits' && behaviour.strict) return answerEdits(request);
    if (request.path === '/images/edits' && request.provider === 'xai') return answerXaiEdits(request);
    if (request.path === '/images/generations' && behaviour.strict) return answerImages(request);
    if (request.path === '/images/generations' && request.provider === 'xai') return answerXaiImages(request);
    if (request.method === 'POST' && request.path === behaviour.fillIn)
      return answerChat({ ...request, body: toChat(objectOf(request.body)) }, behaviour);
    const isChat = ['', behaviour.continues?.path ?? ''].some(
      (before) => request.path === `${before}/chat/completions`,
    );
    if (request.method !== 'POST' || !isChat) {
      refuse(`Invalid URL (${request.method} ${request.path})`, null, null, 404);
    }
    return answerChat(request, behaviour);
  };
}

function answerChat({ body, provider, path }: SandboxRequest, behaviour: Behaviour) {
  const { strict, reasoning: field, shortToolIds, alwaysReportsUsage } = behaviour;
  checkChat(body, strict);
  checkBehaviour(body, behaviour, path);
  const reasoning = strict ? thinks(textOf(body.model), body.reasoning_effort) : wantsToThink(body);
  const prompt = readChat(body, provider, reasoning);
  checkContext(prompt, (counted, limit) => refuseLength(counted, limit, 'messages'));
  const answer = decide(prompt);
  const options = {
    model: textOf(body.model),
    choices: numberOf(body.n) ?? 1,
    logprobs: body.logprobs === true ? { top: numberOf(body.top_logprobs) ?? 0 } : undefined,
    tier: behaviour.ignores?.includes('service_tier') ? undefined : tierOf(body.service_tier),
    states: behaviour.statesCost,
    reasoning: field,
    shortToolIds,
    includeUsage: alwaysReportsUsage === true || objectOf(body.stream_options).include_usage === true,
  };
  const moderated = strict ? moderationOf(body, prompt.lastUserText, answer.text) : undefined;
  if (body.stream === true) {
    const chunks = writeChatStream(answer, options);
    return streamAnswer(
      moderated ? [...chunks.slice(0, -1), chunkOf(moderated, options.model), ...chunks.slice(-1)] : chunks,
    );
  }
  return jsonAnswer({ ...writeChatBody(answer, options), ...moderated });
}

const chunkOf = (moderated: object, model: string): string =>
  dataEvent({
    id: newId('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: 0,
    model,
    choices: [],
    ...moderated,
  });

function checkAccess({ headers }: SandboxRequest): void {
  const message =
    "You didn't provide an API key. You need to provide it in an Authorization header using Bearer auth.";
  if (!/^Bearer \S/.test(textOf(headers.authorization))) refuse(message, null, null, 401);
}

const tierOf = (asked: unknown): string =>
  asked === undefined || asked === null || asked === 'auto' ? 'default' : textOf(asked);

const known = wordSet(
  'model temperature top_p max_tokens min_tokens stream stop random_seed metadata prompt suffix',
);

/** The chat request that is answered in its place. Refuses what the endpoint does not take. */
function toChat(body: JsonObject): JsonObject {
  checkKeys(body, known, refuseUnknown);
  if (typeof body.prompt !== 'string') refuseMissing('prompt');
  if (!textOf(body.model).startsWith('codestral'))
    refuse('Invalid model: it has no fill-in-the-middle.', 'model');
  const { prompt, suffix, ...fields } = body;
  const content = `${textOf(prompt)}<gap>${textOf(suffix)}`;
  return { ...fields, messages: [{ role: 'user', content }] };
}
