/** The Responses API, as callers of the gateway use it. */
import { system, type Work, writeTurns } from './protocol.ts';

/** A request that is not stored, as one of chat is not. */
export const askResponses = (model: string, work: Work, stream: boolean): object => ({
  model,
  instructions: system,
  input: writeTurns(work).map(({ role, text }) => ({ role, content: text })),
  temperature: 0.5,
  max_output_tokens: 4096,
  store: false,
  ...(stream && { stream }),
});

/** The last event of a stream repeats its whole text, and the events before it each part's. */
export const responsesAnswer = {
  end: 'data: {"type":"response.completed"',
  before: '"delta":"#',
};
