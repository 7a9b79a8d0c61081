/** Recorded traffic of every provider through the Messages operation: by the grammar of its streams, and with nothing lost. */
import { describe, expect, test } from 'vitest';
import { brokenRecordings, useRecordedGateway } from '../../harness/gateways/recorded-gateway.ts';
import {
  checkedMessage,
  type MessageSeen,
  type MessagesStreamSeen,
  readMessagesStream,
} from '../../harness/messages.ts';
import { comparable } from '../../harness/messages-blocks.ts';
import {
  chatRecordings,
  hasRecordings,
  type Recording,
  responsesRecordings,
} from '../../harness/recorded/recordings.ts';
import { wholeBody } from '../../harness/whole-body.ts';

const ask = useRecordedGateway();

/** Of OpenAI's, only this API serves it. */
const overResponses = { model: 'openai/gpt-5.3-codex' };

const replay = (recording: Omit<Recording, 'name'>): Promise<Response> =>
  ask('/v1/messages', recording.protocol === 'openai-responses' ? asOpenAi(recording) : recording, {
    ...(recording.protocol === 'openai-responses' && overResponses),
    max_tokens: 4096,
    messages: [{ role: 'user', content: 'Hello.' }],
    thinking: { type: 'adaptive' },
  });

/** Answers of Anthropic's pass as they came. */
const options = ({ protocol }: Pick<Recording, 'protocol'>) => ({ isOriginal: protocol === 'anthropic' });

/** The dialects of this protocol differ in requests. */
const asOpenAi = (recording: Omit<Recording, 'name'>) => ({ ...recording, provider: 'openai' });

/** Streams that must not be a success. */
const broken = new Set([...brokenRecordings, 'openai-responses/openai-error.1.chunks.txt']);

const recordings = [...chatRecordings(), ...responsesRecordings()];
const whole = recordings.filter(({ stream, status }) => !stream && status === 200);
const streams = recordings.filter(({ stream, name }) => stream && !broken.has(name));
const failures = recordings.filter(({ status }) => status !== 200);

const streamed = async (recording: Recording): Promise<MessagesStreamSeen> =>
  readMessagesStream(await (await replay(recording)).text(), options(recording));

describe.skipIf(!hasRecordings)('recorded traffic', () => {
  test.each(whole)('the body of $name is a whole message', async (recording) => {
    const response = await replay(recording);
    expect(response.status).toBe(200);
    checkedMessage((await response.json()) as MessageSeen, options(recording));
  });

  test.each(streams)('the stream of $name is by the grammar', async (recording) => {
    const { error } = await streamed(recording);
    expect(error).toBeUndefined();
  });

  test.each(streams)('$name gives the same message streamed or not', async (recording) => {
    const { message } = await streamed(recording);
    const body = Buffer.from(JSON.stringify(wholeBody(recording)));
    const response = await replay({ ...recording, body, stream: false, contentType: 'application/json' });
    expect(response.status).toBe(200);
    const answer = checkedMessage((await response.json()) as MessageSeen, options(recording));
    expect(comparable(answer)).toEqual(comparable(message));
  });

  test.each(failures)('the failure of $name is an error that Anthropic’s clients read', async (recording) => {
    const response = await replay(recording);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toEqual({
      type: 'error',
      error: expect.objectContaining({ type: expect.any(String), message: expect.any(String) }),
      request_id: expect.any(String),
    });
  });

  test.each(recordings.filter(({ name }) => broken.has(name)))(
    '$name is not a success',
    async (recording) => {
      const response = await replay(recording);
      if (response.status !== 200) return;
      expect(readMessagesStream(await response.text(), options(recording)).error).toBeDefined();
    },
  );
});
