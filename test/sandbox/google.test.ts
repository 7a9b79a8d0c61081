/** The sandbox in the Gemini protocol. */
import { describe, expect, test } from 'vitest';
import { bothCalls, readSse, useSandbox, weatherSample, weatherSchema } from './client.ts';

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: { readonly name: string; readonly args: object };
}

interface Content {
  readonly candidates: readonly {
    readonly content: { readonly role: string; readonly parts: readonly Part[] };
    readonly finishReason?: string;
  }[];
  readonly usageMetadata: {
    readonly promptTokenCount: number;
    readonly candidatesTokenCount: number;
    readonly thoughtsTokenCount?: number;
    readonly totalTokenCount: number;
  };
}

const turn = (role: string, ...parts: unknown[]) => ({ role, parts });
const contents = [turn('user', { text: 'Hello, sandbox' })];
const weather = { name: 'get_weather', parametersJsonSchema: weatherSchema };
const tools = [{ functionDeclarations: [weather, { name: 'get_time' }] }];
const thinkingConfig = { thinkingLevel: 'low', includeThoughts: true };
const flash = 'gemini-3.5-flash';

describe('the Gemini sandbox', () => {
  const clientOf = useSandbox();
  const post = clientOf('/google/v1beta/models', { 'x-goog-api-key': 'sandbox' });
  const complete = async (fields: object, model = flash) =>
    (await (await post(`/${model}:generateContent`, { contents, ...fields })).json()) as Content;
  const stream = async (fields: object) => {
    const response = await post(`/${flash}:streamGenerateContent?alt=sse`, { contents, ...fields });
    return readSse<Content>(await response.text()).map(({ data }) => data);
  };
  const partsOf = ({ candidates }: Content) => candidates[0]?.content.parts ?? [];

  test('streams the parts of the body; the last frame has the end and the usage', async () => {
    const fields = { generationConfig: { thinkingConfig } };
    const body = await complete(fields);
    const frames = await stream(fields);
    const textOf = (parts: readonly Part[], thought: boolean) =>
      parts
        .filter((part) => (part.thought ?? false) === thought)
        .map(({ text = '' }) => text)
        .join('');
    for (const thought of [true, false]) {
      expect(textOf(frames.flatMap(partsOf), thought)).toBe(textOf(partsOf(body), thought));
    }
    expect(frames.map(({ candidates }) => candidates[0]?.finishReason).filter(Boolean)).toEqual(['STOP']);
    expect(frames.at(-1)?.usageMetadata).toEqual(body.usageMetadata);
    expect(partsOf(frames.at(-1) ?? body).at(-1)?.thoughtSignature).toBe(
      partsOf(body).at(-1)?.thoughtSignature,
    );
    const {
      promptTokenCount,
      candidatesTokenCount,
      thoughtsTokenCount = 0,
      totalTokenCount,
    } = body.usageMetadata;
    expect(thoughtsTokenCount).toBeGreaterThan(0);
    expect(totalTokenCount).toBe(promptTokenCount + candidatesTokenCount + thoughtsTokenCount);
  });

  test('calls functions, in parallel and by name, signs the first', async () => {
    const parallel = { tools, contents: [turn('user', { text: bothCalls })] };
    const parts = partsOf(await complete(parallel));
    expect(parts).toEqual([
      { functionCall: { name: 'get_weather', args: weatherSample }, thoughtSignature: expect.any(String) },
      { functionCall: { name: 'get_time', args: {} } },
    ]);
    expect((await stream(parallel)).flatMap(partsOf).filter((part) => part.functionCall)).toEqual(parts);
    const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: ['get_time'] };
    const named = partsOf(await complete({ tools, toolConfig: { functionCallingConfig } }));
    expect(named.map(({ functionCall }) => functionCall?.name)).toEqual(['get_time']);
    const none = { functionCallingConfig: { mode: 'NONE' } };
    expect(partsOf(await complete({ tools, toolConfig: none }))[0]).toHaveProperty('text');
  });

  test('quotes the result of a function, and wants its signature back', async () => {
    const asked = turn('user', { text: 'sandbox call get_weather' });
    const [call] = partsOf(await complete({ tools, contents: [asked] }));
    const functionResponse = { name: 'get_weather', response: { result: 'Sunny, 22 degrees' } };
    const turns = (part: unknown) => ({
      tools,
      contents: [asked, turn('model', part), turn('user', { functionResponse })],
    });
    expect(partsOf(await complete(turns(call)))[0]?.text).toContain('Sunny, 22 degrees');
    const dummy = { ...call, thoughtSignature: 'skip_thought_signature_validator' };
    expect(partsOf(await complete(turns(dummy)))[0]?.text).toContain('Sunny, 22 degrees');
    const lost = await post(`/${flash}:generateContent`, turns({ functionCall: call?.functionCall }));
    expect(lost.status).toBe(400);
    const older = await complete(turns({ functionCall: call?.functionCall }), 'gemini-2.5-flash');
    expect(partsOf(older)[0]?.text).toContain('Sunny');
  });

  const nameless = { functionResponse: { name: '', response: {} } };
  test.each([
    ['an unknown field', flash, { stream: true }, /Unknown name "stream"/],
    ['an unknown setting', flash, { generationConfig: { logit_bias: {} } }, /Unknown name "logit_bias" at/],
    ['no contents', flash, { contents: [] }, /contents is not specified/],
    ['the role assistant', flash, { contents: [turn('assistant', { text: 'x' })] }, /valid role/],
    ['a result without a name', flash, { contents: [turn('user', nameless)] }, /Name cannot be empty/],
    [
      'a call without its result',
      flash,
      {
        contents: [
          turn('model', { functionCall: { name: 'x' } }),
          turn(
            'user',
            { functionResponse: { name: 'x', response: {} } },
            { functionResponse: { name: 'y', response: {} } },
          ),
        ],
      },
      /number of function response parts/,
    ],
    [
      'a budget and a level',
      flash,
      { generationConfig: { thinkingConfig: { thinkingLevel: 'low', thinkingBudget: 1 } } },
      /only set one/,
    ],
    ['a level on 2.5', 'gemini-2.5-pro', { generationConfig: { thinkingConfig } }, /not supported/],
    [
      'a penalty on 2.5',
      'gemini-2.5-pro',
      { generationConfig: { frequencyPenalty: 1 } },
      /Penalty is not enabled/,
    ],
    [
      'tools beside JSON on 2.5',
      'gemini-2.5-pro',
      { tools, generationConfig: { responseMimeType: 'application/json' } },
      /unsupported/,
    ],
    [
      'JSON Schema in the old field',
      flash,
      { tools: [{ functionDeclarations: [{ name: 'x', parameters: weatherSchema }] }] },
      /additionalProperties/,
    ],
  ])('refuses %s as Gemini does', async (_, model, fields, message) => {
    const response = await post(`/${model}:generateContent`, { contents, ...fields });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringMatching(message) },
    });
  });

  test('does not know the models of others, and asks for a key', async () => {
    expect((await post('/gpt-4.1:generateContent', { contents })).status).toBe(404);
    const refused = await post(`/${flash}:generateContent`, { contents }, {});
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  });
});
