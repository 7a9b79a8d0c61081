/** Valid but unusual conversations are answered by every provider. */
import { describe, expect, test } from 'vitest';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { providerRows } from '../harness/matrix/providers.ts';

const gateway = useGateway();
const said = (role: string, content: string) => ({ role, content });

describe.each([
  { case: 'instructions alone', messages: [said('system', 'Be kind.')] },
  {
    case: 'several instructions alone',
    messages: [said('system', 'Be kind.'), said('developer', 'Be summarize.')],
  },
  { case: 'blank instructions', messages: [said('system', ''), said('user', 'Hello')] },
  { case: 'later instructions', messages: [said('user', 'Hello'), said('system', 'Be summarize.')] },
  {
    case: 'an earlier answer that said nothing',
    messages: [said('user', 'Hello'), said('assistant', ''), said('user', 'Well?')],
  },
])('$case', ({ messages }) => {
  test.each(providerRows)('with $provider', async ({ model }) => {
    const response = await gateway().post('/v1/chat/completions', { model, messages });
    expect(response.status, (await response.text()).slice(0, 200)).toBe(200);
  });
});
