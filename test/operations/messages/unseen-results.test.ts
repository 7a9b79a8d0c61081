/** What a tool found and the model cannot see does not end the work of an agent. */
import { expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { pixel } from '../../harness/matrix/providers.ts';
import { askMessages } from '../../harness/messages.ts';

const gateway = useGateway();

const data = pixel.split(',')[1];
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
const pdf = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: btoa('%PDF-1.4 of a garden') },
};
const blind = 'deepseek/deepseek-v4-pro';
const tools = [{ name: 'read', input_schema: { type: 'object', properties: {} } }];

const after = (content: readonly object[]) => [
  { role: 'user', content: 'What is in the garden?' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
];

test.each([
  ['an image', image, 'image'],
  ['a PDF', pdf, 'pdf'],
])('%s becomes a text, on record', async (_, block, modality) => {
  const extra = { debug: ['normalizations'] };
  const body = { model: blind, tools, messages: after([block]), extra };
  const message = await askMessages(gateway(), body);
  expect(message.stop_reason).toBe('end_turn');
  expect(message.debug?.normalizations).toContainEqual({
    param: expect.stringMatching(/^messages\.2\.content\.0\.content\.0/),
    action: 'override',
    before: { type: modality === 'pdf' ? 'file' : 'image' },
    after: { type: 'text' },
    reason: `The model does not accept ${modality} input: a text stands in its place.`,
  });
});

test('an image of the user is refused by name', async () => {
  const messages = [{ role: 'user', content: [image] }];
  const response = await gateway().post('/v1/messages', { model: blind, max_tokens: 100, messages });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: 'unsupported_modality', param: expect.stringMatching(/^messages\.0\.content\.0/) },
  });
});
