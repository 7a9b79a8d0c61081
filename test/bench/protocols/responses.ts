/** The Responses API: as callers of the gateway use it, and as OpenAI answers it. */
import { dataEvent, type Protocol, system, type Work, writeTurns } from './protocol.ts';

const head = {
  id: 'resp_benchmark',
  object: 'response',
  created_at: 1_790_000_000,
  model: 'gpt-4.1-mini-2025-04-14',
  service_tier: 'default',
};

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

const partOf = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

const itemOf = (status: string, content: readonly object[]) => ({
  id: 'msg_benchmark',
  type: 'message',
  status,
  role: 'assistant',
  content,
});

const bodyOf = (pieces: readonly string[]) => ({
  ...head,
  status: 'completed',
  output: [itemOf('completed', [partOf(pieces.join(''))])],
  usage: {
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: pieces.length,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 40 + pieces.length,
  },
});

/** Where a piece of text belongs. */
const place = { item_id: 'msg_benchmark', output_index: 0, content_index: 0 };

function eventsOf(pieces: readonly string[]) {
  let sequence_number = 0;
  const event = (type: string, fields: object) => {
    const text = `event: ${type}\n${dataEvent({ type, sequence_number, ...fields })}`;
    sequence_number += 1;
    return text;
  };
  const text = pieces.join('');
  const started = { ...head, status: 'in_progress', output: [], usage: null };
  return {
    before: [
      event('response.created', { response: started }),
      event('response.in_progress', { response: started }),
      event('response.output_item.added', { output_index: 0, item: itemOf('in_progress', []) }),
      event('response.content_part.added', { ...place, part: partOf('') }),
    ].join(''),
    pieces: pieces.map((delta) => event('response.output_text.delta', { ...place, delta, logprobs: [] })),
    after: [
      event('response.output_text.done', { ...place, text, logprobs: [] }),
      event('response.content_part.done', { ...place, part: partOf(text) }),
      event('response.output_item.done', { output_index: 0, item: itemOf('completed', [partOf(text)]) }),
      event('response.completed', { response: bodyOf(pieces) }),
    ].join(''),
  };
}

/** The last event of a stream repeats its whole text, and the events before it each part's. */
export const responsesAnswer = {
  end: 'data: {"type":"response.completed"',
  before: '"delta":"#',
};

export const responsesProtocol: Protocol = {
  name: 'responses',
  model: 'openai/gpt-4.1-mini',
  base: '/openai/v1/responses',
  path: () => '',
  ask: (work, stream) => askResponses('gpt-4.1-mini', work, stream),
  body: bodyOf,
  stream: eventsOf,
  end: responsesAnswer.end,
};
