/** The Cohere v2 chat protocol of the sandbox. */
import { checkContext } from '../context-limit.ts';
import { type Handler, jsonAnswer, streamAnswer } from '../exchange.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import { answerCohere } from '../rerank.ts';
import { decide } from '../script.ts';
import { checkChat } from './check.ts';
import { answerEmbeddings } from './embeddings.ts';
import { readChat } from './read.ts';
import { refuse } from './refuse.ts';
import { answerTranscription } from './transcriptions.ts';
import { writeChat, writeChatStream } from './write.ts';

export const cohereHandler: Handler = (request) => {
  if (!/^Bearer \S/.test(textOf(request.headers.authorization))) refuse('no api key supplied', 401);
  if (request.method === 'POST' && request.path === '/embed') return answerEmbeddings(objectOf(request.body));
  if (request.method === 'POST' && request.path === '/rerank')
    return answerCohere(objectOf(request.body), refuse);
  if (request.method === 'POST' && request.path === '/audio/transcriptions')
    return answerTranscription(request);
  if (request.method !== 'POST' || request.path !== '/chat') refuse('invalid path', 404);
  const { body, provider } = request;
  checkChat(body);
  const prompt = readChat(body, provider);
  checkContext(prompt, (counted, limit) =>
    refuse(
      `too many tokens: total number of tokens in the prompt cannot exceed ${limit} - received ${counted}. Try using a shorter prompt.`,
    ),
  );
  const answer = decide(prompt);
  // A plan comes only where there is something to plan.
  const plan = objectsOf(body.tools).length > 0 && answer.calls.length > 0;
  if (body.stream === true) return streamAnswer(writeChatStream(answer, plan));
  return jsonAnswer(writeChat(answer, plan));
};
