/**
 * A conversation that passes from family to family with tools, twice around, as a client of Anthropic's protocol keeps it: each
 * model gets back its own reasoning and no other's. The sandboxes refuse what the providers refuse: Claude and Gemini check
 * signatures, and OpenAI that its reasoning is followed by what it led to.
 */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../../harness/gateways/watched-gateway.ts';
import { askMessages, type Json, type MessageSeen } from '../../harness/messages.ts';
import { continuations, inBody } from '../../harness/messages-thinking.ts';

const models = [
  'anthropic/claude-opus-4-8',
  'openai/gpt-5.5',
  'google/gemini-3.5-flash',
  'deepseek/deepseek-v4-pro',
  'anthropic/claude-haiku-4-5',
] as const;

const gateway = useWatchedGateway('deepseek');

const tools = ['weather', 'time'].map((name) => ({
  name,
  description: `The ${name} of a city.`,
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}));

const thinkingOf = (model: string): Json =>
  model === 'anthropic/claude-haiku-4-5'
    ? { thinking: { type: 'enabled', budget_tokens: 1024 } }
    : { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };

const isClaude = (model: string): boolean => model.startsWith('anthropic/');

async function ask(model: string, messages: readonly Json[], stream: boolean) {
  gateway.take();
  const message = await askMessages(
    gateway,
    { model, messages, tools, stream, max_tokens: 4000, ...thinkingOf(model) },
    { isOriginal: isClaude(model) },
  );
  const sent = gateway.take();
  expect(sent, 'one upstream request').toHaveLength(1);
  return { message, sent: JSON.stringify(sent[0]?.body) };
}

const callsOf = ({ content }: MessageSeen) => content.filter(({ type }) => type === 'tool_use');

const resultsOf = (message: MessageSeen) =>
  callsOf(message).map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'Sunny, at noon.' }));

describe.each([
  ['as bodies', false],
  ['as streams', true],
])('%s', (_, stream) => {
  test('each family gets its own reasoning back, and no other', { timeout: 60_000 }, async () => {
    const messages: Json[] = [];
    /** What each model wrote that must come back to it. */
    const kept = new Map<string, readonly string[]>();
    const check = (model: string, sent: string, current: readonly string[]) => {
      for (const piece of current) expect(sent, `${model}: its own of this turn`).toContain(inBody(piece));
      for (const [other, pieces] of kept) {
        if (other === model || (isClaude(other) && isClaude(model))) continue;
        for (const piece of pieces) expect(sent, `${model}: none of ${other}`).not.toContain(inBody(piece));
      }
      if (isClaude(model)) expect(sent).not.toContain('mgw1.');
    };
    for (const model of [...models, ...models]) {
      messages.push({ role: 'user', content: `${model}: sandbox call weather, sandbox call time` });
      const first = await ask(model, messages, stream);
      expect(first.message.stop_reason, model).toBe('tool_use');
      const { content } = first.message;
      expect(callsOf(first.message)).toHaveLength(2);
      expect(content.at(-1)?.type, 'thinking comes before the call').toBe('tool_use');
      const current = continuations(model, content);
      expect(current, `${model} has something to get back`).not.toEqual([]);
      check(model, first.sent, kept.get(model) ?? []);
      messages.push({ role: 'assistant', content }, { role: 'user', content: resultsOf(first.message) });
      const second = await ask(model, messages, stream);
      check(model, second.sent, [...(kept.get(model) ?? []), ...current]);
      expect(second.message.content.at(-1)?.type, 'an answer ends in its text').toBe('text');
      messages.push({ role: 'assistant', content: second.message.content });
      kept.set(model, [...(kept.get(model) ?? []), ...current]);
    }
  });

  test('a tool loop goes on with every other family', { timeout: 60_000 }, async () => {
    const task = 'sandbox call weather then sandbox call time then sandbox call weather';
    for (const [index, beginner] of models.entries()) {
      const messages: Json[] = [{ role: 'user', content: task }];
      for (const model of [beginner, models[(index + 1) % models.length] ?? beginner, beginner]) {
        const { message } = await ask(model, messages, stream);
        expect([model, message.stop_reason]).toEqual([model, 'tool_use']);
        messages.push({ role: 'assistant', content: message.content });
        messages.push({ role: 'user', content: resultsOf(message) });
      }
    }
  });
});
