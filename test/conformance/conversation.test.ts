/** Valid but unusual conversations are answered by every provider. */
import { describe, expect, test } from 'vitest';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { providerRows } from '../harness/matrix/providers.ts';

const gateway = useGateway();
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
const said = (role: string, content: string) => ({ role, content });

describe.each([
  { case: 'only a system message', messages: [said('system', 'Be kind.')] },
  {
    case: 'only several system messages',
    messages: [said('system', 'Be kind.'), said('developer', 'Be brief.')],
  },
  { case: 'a blank system message', messages: [said('system', ''), said('user', 'Hello')] },
  { case: 'a later system message', messages: [said('user', 'Hello'), said('system', 'Be brief.')] },
  {
    case: 'an empty earlier answer',
    messages: [said('user', 'Hello'), said('assistant', ''), said('user', 'Well?')],
  },
  {
    case: 'an empty answer to continue',
    messages: [said('user', 'Hello'), said('assistant', '')],
  },
  {
    case: 'a call that the user has interrupted',
    messages: [said('user', 'Hello'), { ...said('assistant', ''), tool_calls: [call] }, said('user', 'No.')],
  },
])('$case', ({ messages }) => {
  test.each(providerRows)('with $provider', async ({ model }) => {
    const response = await gateway().post('/v1/chat/completions', { model, messages });
    expect(response.status, (await response.text()).slice(0, 200)).toBe(200);
  });
});
