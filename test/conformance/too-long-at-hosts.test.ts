/** A prompt that is too long for a server of open models: agents shorten their conversation only if the answer has the public code. */
import { expect, test } from 'vitest';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('DEEPSEEK');

/** As vLLM, LM Studio, llama.cpp and LiteLLM word it. */
const refusals: readonly (readonly [string, string, string])[] = [
  [
    'vLLM',
    "You passed 131073 input tokens and requested 32768 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 98304 tokens.",
    'BadRequestError',
  ],
  [
    'vLLM, the output too long',
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 1000 input tokens (32000 > 32768 - 1000).",
    'BadRequestError',
  ],
  [
    'LM Studio',
    'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.',
    'invalid_request_error',
  ],
  [
    'llama.cpp',
    'the request exceeds the available context size, try increasing it',
    'exceed_context_size_error',
  ],
  [
    'LiteLLM',
    'litellm.ContextWindowExceededError: litellm.BadRequestError: Hosted_vllmException - Input length 9000 exceeds the limit',
    'invalid_request_error',
  ],
];

test.each(refusals)('%s', async (_host, message, type) => {
  upstream.script(answerJson({ error: { message, type, param: null, code: 400 } }, 400));
  const response = await gateway.post('/v1/chat/completions', {
    model: 'deepseek/deepseek-flash',
    messages: [{ role: 'user', content: 'Hello.' }],
  });
  const { error } = (await response.json()) as { error: { code: string } };
  expect([response.status, error.code]).toEqual([400, 'context_length_exceeded']);
});
