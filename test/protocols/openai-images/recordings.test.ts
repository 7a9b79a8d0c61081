/** Recorded traffic of OpenAI's images API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openaiImages } from '../../../lib/protocols/openai-images/protocol.ts';
import { hasRecordings } from '../../harness/recorded/recordings.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/traffic/openai-images');
const recorded = (name: string) => readFileSync(join(folder, name), 'utf8');

test.runIf(hasRecordings)(
  'the images of an older model have no usage, and their revised prompts are omitted',
  () => {
    const body = JSON.parse(recorded('openai-image.json')) as { data: { b64_json: string }[] };
    const answer = openaiImages.decode(body, (text) => [text]);
    expect(answer.images.map((image) => [...image].join(''))).toEqual(
      body.data.map(({ b64_json }) => b64_json),
    );
    expect(answer.usage).toBeUndefined();
    expect(Object.keys(answer).sort()).toEqual(['images', 'usage']);
  },
);

test.runIf(hasRecordings)('a rejection of GPT Image is a bad request that names the field', () => {
  const body = recorded('gpt-image-response-format-error.json');
  expect(openaiImages.readFailure({ status: 400, headers: {}, body })).toMatchObject({
    kind: 'upstream_bad_request',
    upstreamParam: 'response_format',
    code: 'unknown_parameter',
    recovery: 'none',
  });
});
