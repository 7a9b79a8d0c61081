/** Recorded traffic of Google's two hosts: answers, failures, and a tool round trip. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { asArray, asObject } from '../../../lib/core/formats/json-object.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { decodeFrames, expectGrammar, fold, only } from '../answer.ts';
import { assistant, newRequest, newTarget, tool, user, weatherTool } from '../requests.ts';
import { hasTraffic, type Recording, readTraffic } from '../traffic.ts';

/** Some folders also have embeddings, caches and sign-ins. */
function isGeneration({ name, url }: Recording): boolean {
  return !/embed|429/.test(name) && (url === '' || /generateContent/i.test(url));
}

const recordings = readTraffic(['google', 'google-vertex']);
const answers = recordings.filter((recording) => recording.status === 200 && isGeneration(recording));
const find = (name: string) => recordings.find((recording) => recording.name === name);

const decode = ({ frames, body }: Recording) =>
  frames ? decodeFrames(googleGenerateContent, frames) : googleGenerateContent.decodeBody(body);

test.skipIf(!hasTraffic)('there are recordings of both hosts', () => {
  expect(answers.length).toBeGreaterThan(15);
  expect(answers.some(({ name }) => name.startsWith('google-vertex/'))).toBe(true);
});

describe.skipIf(!hasTraffic)('recorded Gemini answers', () => {
  test.each(answers.map((recording) => [recording.name, recording] as const))('%s', (name, recording) => {
    const events = decode(recording);
    expectGrammar(events);
    const { choices, usage } = fold(events);
    const isEmpty = choices[0]?.text === '' && choices[0].calls.length === 0;
    expect(isEmpty).toBe(/armor|max_tokens/.test(name));
    if (!name.includes('prompt_template')) expect(usage?.promptTokens).toBeGreaterThan(0);
  });

  test('arguments streamed in pieces are complete', () => {
    const recording = find('google/google-stream-tool-call-arguments.chunks.txt');
    const { calls, details, finish } = only(recording ? decode(recording) : []);
    expect(calls.map(({ arguments: text }) => JSON.parse(text))).toEqual([
      { location: 'Boston' },
      { location: 'San Francisco' },
    ]);
    expect(details).toMatchObject([{ id: calls[0]?.id }]);
    expect(finish).toEqual(['tool_calls']);
  });
});

test.skipIf(!hasTraffic)('a recorded tool round trip is encoded as it was sent', () => {
  const sent = find('google/test_tool_choice_matrix_auto-google.cassette.json#1')?.request;
  const [, asked] = asArray(sent?.contents).map(asObject);
  const data = String(asObject(asArray(asked?.parts)[0]).thoughtSignature);
  const call = { id: 'a', name: 'get_weather', arguments: '{"city":"Paris"}' };
  const request = newRequest(
    [
      user("What's the weather in Paris?"),
      assistant('', {
        toolCalls: [call],
        reasoningDetails: [
          { type: 'reasoning.encrypted', data, id: 'a', format: 'google-gemini-v1', index: 0 },
        ],
      }),
      tool('a', '{"return_value":"Sunny, 22C in Paris"}'),
    ],
    { tool_choice: 'auto' },
    {
      tools: [
        {
          ...weatherTool,
          description: 'Get the current weather for a city.',
          parameters: { ...weatherTool.parameters, additionalProperties: false },
        },
      ],
    },
  );
  // The recording client sent its own ids, the older spelling of one field, and the default response format.
  const { generationConfig: _, ...expected } = JSON.parse(
    JSON.stringify(sent, (key, value) => (key === 'id' ? undefined : value)).replace(
      'parameters_json_schema',
      'parametersJsonSchema',
    ),
  );
  expect(googleGenerateContent.encode(request, newTarget())).toEqual(expected);
});

describe.skipIf(!hasTraffic)('recorded Gemini failures', () => {
  test('a limit per minute has the time to wait', () => {
    const body = JSON.stringify(find('google/google-429-retry-info.json')?.body);
    const error = googleGenerateContent.readFailure({ status: 429, headers: {}, body });
    expect(error).toMatchObject({ kind: 'upstream_rate_limited', retryAfterMs: 34_400 });
  });

  test('an unknown model is missing', () => {
    const recording = recordings.find(({ status }) => status === 404);
    const body = JSON.stringify(recording?.body);
    const error = googleGenerateContent.readFailure({ status: 404, headers: {}, body });
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ kind: 'upstream_model_missing' });
  });
});
