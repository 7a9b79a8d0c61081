/** What a host with OpenAI's chat protocol answers: one text, whole or in chunks. */

const head = { id: 'one', created: 1, model: 'one' };

export const chatUsage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
  total_tokens: prompt_tokens + completion_tokens,
});

export const chatAnswer = (content: string, usage: object = chatUsage(1, 2), finish_reason = 'stop') => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason }],
  usage,
});

export const chatChunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});

/** One event of a stream. */
export const dataLine = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
