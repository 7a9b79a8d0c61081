/** Recorded answers of Anthropic's through the Messages operation: as they came, but for the model's name. */
import { describe, expect, test } from 'vitest';
import { useFirstLane } from '../../harness/first-lane.ts';
import { brokenRecordings, recordedModels } from '../../harness/gateways/recorded-gateway.ts';
import { messagesEventsOf } from '../../harness/messages.ts';
import { chatRecordings, hasRecordings, type Recording } from '../../harness/recorded/recordings.ts';

const model = recordedModels.anthropic ?? '';
const lane = useFirstLane('ANTHROPIC', 'anthropic/claude-haiku-4-5:anthropic');
const asked = { model: 'anthropic/claude-haiku-4-5:anthropic' };

const recordings = chatRecordings().filter(
  ({ protocol, status }) => protocol === 'anthropic' && status === 200,
);
const streams = recordings.filter(({ stream, name }) => stream && !brokenRecordings.has(name));

const replayed = async ({ body, contentType, stream }: Recording, chunk = body.length) => {
  const response = await lane.answered(
    async (_request, out) => {
      out.writeHead(200, { 'content-type': contentType });
      for (let at = 0; at < body.length; at += chunk) {
        await new Promise<void>((sent) => out.write(body.subarray(at, at + chunk), () => sent()));
      }
      out.end();
    },
    { ...asked, stream },
  );
  expect(response.status).toBe(200);
  return await response.text();
};

/** What upstream sent, with our name of the model. A start that a host repeats is sent once. */
function expectedEvents({ body }: Recording) {
  const events = messagesEventsOf(body.toString());
  return events
    .filter(({ type }, index) => type !== 'message_start' || index === 0)
    .map((event) =>
      event.type === 'message_start' ? { ...event, message: { ...Object(event.message), ...asked } } : event,
    );
}

describe.skipIf(!hasRecordings)('recorded answers of Anthropic', () => {
  test('are there', () => {
    expect(model).not.toBe('');
    expect(streams.length).toBeGreaterThan(5);
  });

  test.each(recordings.filter(({ stream }) => !stream))('the body of $name', async (recording) => {
    expect(JSON.parse(await replayed(recording))).toEqual({
      ...JSON.parse(recording.body.toString()),
      ...asked,
    });
  });

  test.each(streams)('the stream of $name', async (recording) => {
    expect(messagesEventsOf(await replayed(recording))).toEqual(expectedEvents(recording));
  });

  test.each(streams.filter(({ body }) => body.length < 20_000))(
    'the stream of $name in small pieces',
    async (recording) => {
      expect(messagesEventsOf(await replayed(recording, 7))).toEqual(expectedEvents(recording));
    },
  );
});
