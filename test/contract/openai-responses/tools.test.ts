/** Tools over several turns: with the id of the previous response, and by sending all items back. */
import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { useSdk } from '../../harness/clients/sdk.ts';
import { rowsThat } from '../../harness/matrix/providers.ts';

type FunctionCall = OpenAI.Responses.ResponseFunctionToolCall;
type ResponseInput = OpenAI.Responses.ResponseInput;

const client = useSdk();

const tools: OpenAI.Responses.FunctionTool[] = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  name,
  description: `The ${name.slice(4)} of a city`,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
}));

/** Providers that get their reasoning back. The reasoning of others is only shown. */
const takesReasoningBack: ReadonlySet<string> = new Set([
  'openai',
  'azure',
  'xai',
  'anthropic',
  'google',
  'google-vertex',
  'google-vertex-anthropic',
  'cohere',
  'deepseek',
  'moonshot',
  'openrouter',
]);

const callsOf = (response: OpenAI.Responses.Response): readonly FunctionCall[] =>
  response.output.filter((item) => item.type === 'function_call');

const resultsOf = (calls: readonly FunctionCall[]): ResponseInput =>
  calls.map(({ call_id, name }) => ({
    type: 'function_call_output',
    call_id,
    output: `result of ${name}`,
  }));

describe.each(rowsThat(({ tools: use }) => use !== 'none'))(
  '$provider',
  ({ provider, model, reasoning, tools: use }) => {
    test('calls a tool, and continues with its result by the id of the response', async () => {
      const first = await client().responses.create({
        model,
        tools,
        input: 'The weather in Oslo? sandbox call get_weather',
      });
      const [call] = callsOf(first);
      expect(call?.name).toBe('get_weather');
      expect(JSON.parse(call?.arguments ?? '')).toEqual({ city: expect.any(String) });
      const second = await client().responses.create({
        model,
        tools,
        previous_response_id: first.id,
        input: resultsOf(callsOf(first)),
      });
      expect(second.previous_response_id).toBe(first.id);
      expect(second.output_text).toContain('result of get_weather');
      const third = await client().responses.create({
        model,
        previous_response_id: second.id,
        input: 'Say zebra.',
      });
      expect(third.output_text).toContain('zebra');
    });

    test('calls several tools at once in a stream, and accepts all results', async () => {
      const input = 'Both, please: sandbox call get_weather, sandbox call get_time';
      const first = await client().responses.stream({ model, tools, input }).finalResponse();
      const calls = callsOf(first);
      expect(calls.map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
      expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
      const second = await client().responses.create({
        model,
        tools,
        input: [{ role: 'user', content: input }, ...first.output, ...resultsOf(calls)] as ResponseInput,
      });
      expect(second.output_text).toContain('result of get_weather');
      expect(second.output_text).toContain('result of get_time');
    });

    test.runIf(use === 'as-required')('calls the required tool', async () => {
      const response = await client().responses.create({
        model,
        tools,
        tool_choice: { type: 'function', name: 'get_time' },
        input: 'The weather in Oslo? sandbox call get_weather',
      });
      expect(callsOf(response).map(({ name }) => name)).toEqual(['get_time']);
    });

    test.runIf(reasoning)(
      'gets its own reasoning back without stored responses, call after call',
      async () => {
        const settings = {
          model: reasoning ?? model,
          tools,
          store: false,
          include: ['reasoning.encrypted_content' as const],
          reasoning: { effort: 'low' as const },
        };
        const question: ResponseInput = [
          { role: 'user', content: 'The weather in Oslo? sandbox call get_weather' },
        ];
        const first = await client().responses.create({ ...settings, input: question });
        const calls = callsOf(first);
        expect(calls).toHaveLength(1);
        const followUp = { ...settings, extra: { debug: ['normalizations'] } };
        const second = await client().responses.create({
          ...followUp,
          input: [...question, ...first.output, ...resultsOf(calls)] as ResponseInput,
        });
        expect(second.output_text).toContain('result of get_weather');
        if (!takesReasoningBack.has(provider)) return;
        const { debug } = second as unknown as { debug: { normalizations: { param: string }[] } };
        const lost = debug.normalizations.filter(({ param }) => param.startsWith('input.'));
        expect(lost).toEqual([]);
      },
    );
  },
);
