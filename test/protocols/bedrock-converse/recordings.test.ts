/** Bedrock's recorded answers are decoded, and sent back as the recorded client did. */
import { describe, expect, test } from 'vitest';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { chatRecordings, hasRecordings } from '../../harness/recorded/recordings.ts';
import { answerAsMessage, brokenRules, decodeRecording, finishOf, recordedTurns } from '../recorded.ts';
import { newRequest, newTarget, user } from '../requests.ts';

const recordings = chatRecordings().filter(({ protocol }) => protocol === 'bedrock');
const answers = recordings.filter(({ status }) => status === 200);

async function decode(name: string) {
  const recording = recordings.find((candidate) => candidate.name === `bedrock/${name}`);
  if (!recording) throw new Error(`no recording ${name}`);
  return decodeRecording(bedrockConverse, recording);
}

describe.skipIf(!hasRecordings)('recorded answers', () => {
  test('exist', () => {
    expect(answers.length).toBeGreaterThan(12);
  });

  test.each(answers)('$name follows the rules for answers', async (recording) => {
    expect(brokenRules(await decodeRecording(bedrockConverse, recording))).toEqual([]);
  });

  test.each(['amazon-bedrock-text', 'amazon-bedrock-reasoning', 'amazon-bedrock-tool-call.1'])(
    '%s has the same types of events streamed or not',
    async (name) => {
      const [body, stream] = [await decode(`${name}.json`), await decode(`${name}.chunks.txt`)];
      expect(finishOf(stream)).toEqual(finishOf(body));
      const kinds = (events: typeof body) => new Set(events.map((event) => event.type));
      expect(kinds(stream)).toEqual(kinds(body));
    },
  );

  test('tokens written to a cache and read from it are part of the prompt', async () => {
    const file = 'test_bedrock_cache_write_and_read.cassette.json';
    const [written, read] = [await decode(`${file} #0`), await decode(`${file} #1`)];
    expect(written.at(-1)).toMatchObject({
      usage: { promptTokens: 1324, cacheWriteTokens: 1322, cachedTokens: 0 },
    });
    expect(read.at(-1)).toMatchObject({
      usage: { promptTokens: 1324, cacheWriteTokens: 0, cachedTokens: 1322 },
    });
  });

  test('an unknown model is an error of the catalog, not of the caller', () => {
    const [refused] = recordings.filter(({ status }) => status === 400);
    const failure = { status: 400, headers: {}, body: refused?.body.toString() ?? '' };
    expect(bedrockConverse.readFailure(failure).kind).toBe('upstream_model_missing');
  });
});

describe.skipIf(!hasRecordings)('recorded answers are sent back unchanged', () => {
  test('a call', async () => {
    const file = 'test_tool_choice_matrix_auto-bedrock.cassette.json';
    const answer = answerAsMessage(await decode(`${file} #0`));
    const body = bedrockConverse.encode(newRequest([user('Go'), answer, user('On')]), newTarget());
    expect(body.messages).toContainEqual(recordedTurns(`bedrock/${file}`, 1)[0]);
  });

  test('redacted reasoning, byte for byte', async () => {
    const recording = recordings.find(({ name }) => name.includes('thinking_part_redacted_stream'));
    const answer = answerAsMessage(recording ? await decodeRecording(bedrockConverse, recording) : []);
    const body = JSON.stringify(bedrockConverse.encode(newRequest([user('Go'), answer]), newTarget()));
    const sent = Array.from(body.matchAll(/"redactedContent":"([^"]+)"/g), ([, data]) => data);
    const received = recording?.body.toString('latin1').matchAll(/"redactedContent":"([^"]+)"/g) ?? [];
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).toEqual(Array.from(received, ([, data]) => data));
  });
});
