/** Recorded traffic of the OpenAI chat protocol: answers, failures, and a tool round trip. */
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { asObject } from '../../../lib/core/formats/json-object.ts';
import { parseJson } from '../../../lib/core/formats/parse-json.ts';
import { asText } from '../../../lib/protocols/json.ts';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { decodeFrames, errorOf, expectGrammar, fold } from '../answer.ts';
import { assistant, newRequest, newTarget, tool, user, weatherTool } from '../requests.ts';
import { hasTraffic, type Recording, readTraffic } from '../traffic.ts';

const folders = [
  'openai-chat',
  'openai-compatible',
  'azure',
  'mistral',
  'xai',
  'deepseek',
  'groq',
  'moonshot',
  'alibaba',
  'cerebras',
  'openrouter',
];

/** Some folders also have recordings of another operation. */
function isChat({ url, frames }: Recording): boolean {
  return !url.includes('/responses') && !frames?.some(({ data }) => data.includes('"type":"response.'));
}

/** One file has two streams, one after the other, each with its own id. */
function splitStreams(recording: Recording): readonly Recording[] {
  if (!recording.name.startsWith('cerebras/')) return [recording];
  const streams = Map.groupBy(recording.frames ?? [], ({ data }) => asText(asObject(parseJson(data)).id));
  return [...streams].flatMap(([id, frames]) => (id === '' ? [] : [{ ...recording, frames }]));
}

const recordings = readTraffic(folders, [{ event: '', data: '[DONE]' }])
  .filter(isChat)
  .flatMap(splitStreams);
const hasFailed = ({ status, body, frames }: Recording): boolean =>
  status >= 400 ||
  (typeof body === 'object' && body !== null && 'error' in body) ||
  (frames ?? []).some(({ data }) => data.includes('"error":{'));
const answers = recordings.filter((recording) => !hasFailed(recording));
const failures = recordings.filter(hasFailed);

const decode = ({ frames, body }: Recording) =>
  frames ? decodeFrames(openaiChat, frames) : openaiChat.decodeBody(body);

test.skipIf(!hasTraffic)('there are recordings of every host', () => {
  const found = new Set(recordings.map(({ name }) => name.split('/')[0]));
  expect([...found].toSorted()).toEqual(folders.toSorted());
  expect(failures.length).toBeGreaterThan(5);
});

describe.skipIf(!hasTraffic)('recorded chat answers', () => {
  test.each(answers.map((recording) => [recording.name, recording] as const))('%s', (name, recording) => {
    const events = decode(recording);
    expectGrammar(events);
    const { choices, usage } = fold(events);
    const first = choices[0];
    expect(`${first?.text}${first?.reasoning}${first?.calls.map((call) => call.name)}`).not.toBe('');
    if (!name.startsWith('openai-compatible')) expect(usage?.promptTokens).toBeGreaterThan(0);
    expect(usage?.reasoningTokens ?? 0).toBeLessThanOrEqual(usage?.completionTokens ?? 0);
  });
});

test.skipIf(!hasTraffic)('a recorded tool round trip is encoded as it was sent', () => {
  const name = 'openai-chat/test_tool_choice_matrix_auto-openai.cassette.json#1';
  const { stream: _, ...sent } = recordings.find((recording) => recording.name === name)?.request ?? {};
  const call = {
    id: 'call_aDdJTteHrpMdhdkEkyxjxEHH',
    name: 'get_weather',
    arguments: '{"city":"Paris"}',
  };
  const request = newRequest(
    [
      user("What's the weather in Paris?"),
      assistant('', { toolCalls: [call] }),
      tool(call.id, 'Sunny, 22C in Paris'),
    ],
    { tool_choice: 'auto' },
    {
      tools: [
        {
          ...weatherTool,
          description: 'Get the current weather for a city.',
          parameters: { ...weatherTool.parameters, additionalProperties: false },
          strict: true,
        },
      ],
    },
  );
  expect(openaiChat.encode(request, newTarget({}, 'gpt-5-mini'))).toEqual(sent);
});

describe.skipIf(!hasTraffic)('recorded failures', () => {
  test.each(failures.map((recording) => [recording.name, recording] as const))('%s', (_, recording) => {
    const { status, body } = recording;
    const isStatus = status >= 400 || body !== undefined;
    const error = isStatus
      ? openaiChat.readFailure({ status: Math.max(status, 400), headers: {}, body: JSON.stringify(body) })
      : errorOf(() => decode(recording));
    expect(error).toBeInstanceOf(GatewayError);
  });
});
