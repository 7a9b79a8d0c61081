/** A gateway whose upstreams of four families record what the reader of the Messages operation made of a request. */
import { expect } from 'vitest';
import { startTestGateway } from '../../harness/gateways/gateway.ts';
import { startWatchedSandbox } from '../../harness/gateways/watched-sandbox.ts';
import { use } from '../../harness/use.ts';

/** Two by the chat protocol of OpenAI, one by its Responses protocol, one by Google's. */
export const families = {
  chat: 'openai/gpt-4.1',
  deepseek: 'deepseek/deepseek-v4-flash',
  responses: 'openai/gpt-5.5',
  gemini: 'google/gemini-3.5-flash',
} as const;
export type Family = keyof typeof families;
export const others = Object.keys(families) as readonly Family[];
export const claude = 'anthropic/claude-opus-5';

export interface Change {
  readonly param: string;
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly reason: string;
}

export interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols, each with its own shape; a wrong one fails the test
  readonly sent: any;
  readonly text: string;
  readonly error: { readonly message: string; readonly param?: string };
  readonly changes: readonly Change[];
  /** Those of the records about this path. */
  about(param: string): readonly Change[];
}

export const hello = [{ role: 'user', content: 'What is in the garden?' }];

export function useFamilies() {
  const sandbox = use(() => startWatchedSandbox('anthropic', 'deepseek', 'google', 'openai'));
  const gateway = use(() => startTestGateway(sandbox.environment));
  const ask = async (model: string, body: object, headers: Record<string, string> = {}): Promise<Asked> => {
    sandbox.take();
    const extra = { debug: ['normalizations'] };
    const whole = { model, max_tokens: 4000, messages: hello, extra, ...body };
    const response = await gateway.post('/v1/messages', whole, headers);
    const text = await response.text();
    const answer = text.startsWith('{') ? JSON.parse(text) : {};
    const changes: readonly Change[] = answer.debug?.normalizations ?? [];
    return {
      status: response.status,
      text,
      error: answer.error,
      changes,
      sent: sandbox.take().at(-1)?.body,
      about: (param) => changes.filter((change) => change.param === param),
    };
  };
  return {
    ask,
    /** Expects a 200. */
    async answer(model: string, body: object, headers?: Record<string, string>): Promise<Asked> {
      const asked = await ask(model, body, headers);
      expect([asked.status, asked.status === 200 ? '' : asked.text]).toEqual([200, '']);
      return asked;
    },
  };
}
