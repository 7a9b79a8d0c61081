/** Anthropic's recorded answers are decoded, and sent back as the recorded client did. */
import { describe, expect, test } from 'vitest';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { chatRecordings, hasRecordings } from '../../harness/recorded/recordings.ts';
import { errorOf } from '../answer.ts';
import { answerAsMessage, brokenRules, decodeRecording, finishOf, recordedTurns } from '../recorded.ts';
import { newRequest, newTarget, user } from '../requests.ts';

const recordings = chatRecordings().filter(({ protocol }) => protocol === 'anthropic');
const broken = 'anthropic/spliced-message-start.chunks.txt';
const answers = recordings.filter(({ status, name }) => status === 200 && name !== broken);

async function decode(name: string) {
  const recording = recordings.find((candidate) => candidate.name === name);
  if (!recording) throw new Error(`no recording ${name}`);
  return decodeRecording(anthropicMessages, recording);
}

describe.skipIf(!hasRecordings)('recorded answers', () => {
  test('exist', () => {
    expect(answers.length).toBeGreaterThan(20);
  });

  test.each(answers)('$name follows the rules for answers', async (recording) => {
    expect(brokenRules(await decodeRecording(anthropicMessages, recording))).toEqual([]);
  });

  test.each(['anthropic-text', 'anthropic-tool-no-args', 'anthropic-refusal', 'anthropic-web-search-tool.1'])(
    '%s has the same types of events streamed or not',
    async (name) => {
      const [body, stream] = [
        await decode(`anthropic/${name}.json`),
        await decode(`anthropic/${name}.chunks.txt`),
      ];
      expect(finishOf(stream)).toEqual(finishOf(body));
      const kinds = (events: typeof body) => new Set(events.map((event) => event.type));
      expect(kinds(stream)).toEqual(kinds(body));
    },
  );

  test('a stream that turns into another message is an error', async () => {
    await expect(decode(broken)).rejects.toMatchObject({ kind: 'upstream_invalid_answer' });
  });

  test('a rejected effort is an invalid request, with the provider’s message', () => {
    const [refused] = recordings.filter(({ status }) => status === 400);
    const failure = { status: 400, headers: {}, body: refused?.body.toString() ?? '' };
    const error = errorOf(() => {
      throw anthropicMessages.readFailure(failure);
    });
    expect(error).toMatchObject({
      kind: 'upstream_bad_request',
      message: expect.stringContaining("'xhigh'"),
    });
  });
});

describe.skipIf(!hasRecordings)('recorded answers are sent back unchanged', () => {
  test.each([
    'test_tool_choice_matrix_auto-anthropic',
    'test_multiple_parallel_tool_calls',
    'test_anthropic_tool_with_thinking',
    'test_anthropic_model_thinking_part',
    'test_anthropic_model_thinking_part_redacted',
  ])('%s', async (name) => {
    const file = `anthropic/${name}.cassette.json`;
    const answer = answerAsMessage(await decode(`${file} #0`));
    const body = anthropicMessages.encode(newRequest([user('Go'), answer, user('On')]), newTarget());
    expect(body.messages).toContainEqual(recordedTurns(file, 1)[0]);
  });
});
