/** What Claude Code sends passes to every family of models, and reaches Claude as it was sent. */
import { expect, test } from 'vitest';
import { claudeCodeHeaders, claudeCodeRequest } from './claude-code-request.ts';
import { claude, families, others, useFamilies } from './watched-families.ts';

const { ask, answer } = useFamilies();

test('Claude gets it as it was sent', async () => {
  // Only Claude itself could have signed the thinking.
  const body = JSON.parse(JSON.stringify(claudeCodeRequest).replace(/\{"type":"thinking".*?\},/, ''));
  const { sent } = await answer(claude, body, claudeCodeHeaders);
  // In the order in which it was sent.
  expect(JSON.stringify(sent)).toBe(
    JSON.stringify({ model: 'claude-opus-5', max_tokens: 0, messages: [], ...body }),
  );
});

test.each([...others])('%s gets all that means something to it', async (family) => {
  const { sent, changes } = await answer(families[family], claudeCodeRequest, claudeCodeHeaders);
  const text = JSON.stringify(sent);
  const seen = [
    'a garden',
    'You work',
    'at length',
    'noon',
    'greener',
    'without asking',
    'I look around',
    'garden.png',
  ];
  for (const words of [...seen, 'Fetch is available', 'The tool failed', 'No such file', 'was removed']) {
    expect(text).toContain(words);
  }
  for (const name of ['Bash', 'Read', 'Edit', 'Fetch']) expect(text).toContain(`"name":"${name}"`);
  for (const gone of ['Placeholder', 'safeguards', 'context_management', 'c2lnbmVk', '"tool_result"']) {
    expect(text).not.toContain(gone);
  }
  const about = new Set(changes.map(({ param }) => param));
  const noted = [
    'context_management',
    'safeguards',
    'metadata.user_id',
    'tools.2',
    'messages.6.output_config',
  ];
  for (const param of [...noted, 'messages.5.content.0.is_error']) expect(about).toContain(param);
});

test.each([...others])('%s: with a stream as well', async (family) => {
  const body = { ...claudeCodeRequest, stream: true };
  const { status, text } = await ask(families[family], body, claudeCodeHeaders);
  expect(status).toBe(200);
  expect(text).toContain('event: message_stop');
});
