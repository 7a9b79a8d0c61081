/** A search at a provider that has it only in its Responses API. */
import { expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { askMessages } from '../../harness/messages.ts';

const gateway = useGateway();

test.each([true, false])('Grok searches the web, streamed: %s', async (stream) => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }];
  const messages = [{ role: 'user', content: 'sandbox search the news of gardens' }];
  const body = { model: 'xai/grok-4.3', stream, tools, tool_choice: { type: 'auto' }, messages };
  const message = await askMessages(gateway(), body);
  expect(message.stop_reason).toBe('end_turn');
  const types = message.content.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['server_tool_use', 'web_search_tool_result', 'text']));
  expect(message.usage).toMatchObject({ server_tool_use: { web_search_requests: 1 } });
});
