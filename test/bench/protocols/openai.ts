/** The OpenAI chat completions protocol. Callers of the gateway use it too. */
import { dataEvent, type Protocol, system, type Work, writeTurns } from './protocol.ts';

const head = { id: 'chatcmpl-benchmark', created: 1_790_000_000, model: 'gpt-4.1-mini-2025-04-14' };
const marks = { service_tier: 'default', system_fingerprint: 'fp_benchmark' };

/** A chat request as an SDK writes it. */
export function askChat(model: string, work: Work, stream: boolean): object {
  const turns = writeTurns(work).map(({ role, text }) => ({ role, content: text }));
  return {
    model,
    messages: [{ role: 'system', content: system }, ...turns],
    temperature: 0.5,
    max_tokens: 4096,
    ...(stream && { stream, stream_options: { include_usage: true } }),
  };
}

const usageOf = (pieces: readonly string[]) => ({
  prompt_tokens: 40,
  completion_tokens: pieces.length,
  total_tokens: 40 + pieces.length,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
});

function chunk(delta: object, finish_reason: string | null = null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason }];
  return dataEvent({ ...head, object: 'chat.completion.chunk', ...marks, choices, usage: null });
}

export const openaiProtocol: Protocol = {
  name: 'openai',
  model: 'openai/gpt-4.1-mini',
  base: '/openai/v1',
  path: () => '/chat/completions',
  ask: (work, stream) => askChat('gpt-4.1-mini', work, stream),
  body: (pieces) => ({
    ...head,
    object: 'chat.completion',
    ...marks,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: pieces.join(''), refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(pieces),
  }),
  stream: (pieces) => ({
    before: chunk({ role: 'assistant', content: '', refusal: null }),
    pieces: pieces.map((content) => chunk({ content })),
    after: [
      chunk({}, 'stop'),
      dataEvent({
        ...head,
        object: 'chat.completion.chunk',
        ...marks,
        choices: [],
        usage: usageOf(pieces),
      }),
      'data: [DONE]\n\n',
    ].join(''),
  }),
  end: 'data: [DONE]\n\n',
};
