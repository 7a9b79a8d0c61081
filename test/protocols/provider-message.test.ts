/** What is shown of a provider's words. */
import { describe, expect, test } from 'vitest';
import { plainNameOf, scrubProviderMessage } from '../../lib/protocols/provider-message.ts';

describe("a provider's message that a caller may see", () => {
  test.each([
    ['a key', 'Incorrect API key provided: sk-ant-api03-abcDEF123*****xyz.', /abcDEF|xyz/],
    ['a bearer token', 'Header was Bearer abcdef.ghijkl-mnop', /ghijkl/],
    ['an AWS key', 'The key AKIAIOSFODNN7EXAMPLE is unknown', /AKIA/],
    ['an account id', 'User 123456789012 may not do this', /123456789012/],
    ['an ARN', 'User: arn:aws:sts::123456789012:assumed-role/gateway/x is not allowed', /arn:|assumed|1234/],
    ['an address', 'See https://internal.example.com/path?key=1 for more', /https|internal|path/],
    ['a host', 'Cannot reach db.prod.internal:5432 or 10.0.0.12:80', /prod|5432|10\.0/],
    ['an IPv6 address', 'Connect to [2001:db8:0:1::a]:443 or fe80::1 failed', /2001|db8|fe80/],
    ['an IPv6 address of eight groups', 'Connect to 2001:db8:0:0:0:0:fe:1 failed', /2001|db8|fe/],
    ['a secret in quotes', 'Login with secret="hunter2" failed', /hunter2/],
    ['a token behind a colon', 'The token provided: hunter2 is wrong', /hunter2/],
    ['a team by its name, at the end', 'No access for Team: Acme', /Acme/],
    ['an organisation id', 'Limit reached in organization org-AbC123xyz on tokens', /AbC123/],
    ['an organisation in quotes', "The organization 'Acme Rockets' has no access", /Acme|Rockets/],
    ['an organisation by its name', 'The organization Acme Rockets cannot do this', /Acme|Rockets/],
    [
      'an organisation id of another form',
      'Workspace 0190fbd2-7b6e-7c3a-9c61-3d6a1f0b2c4d is full',
      /0190fbd2/,
    ],
    ['an organisation behind a colon', 'Organization name: "acme rockets" has no access', /acme|rockets/],
    ['a team behind an equals sign', "team='acme rockets' has no access", /acme|rockets/],
    ['a workspace between backticks', 'workspace `acme rockets` is full', /acme|rockets/],
    ['a project', 'Project projects/my-shop-4711 is off', /my-shop/],
    ['an e-mail address', 'Ask ops.team@example.com', /ops|@/],
    ['a masked key', 'Key abcd1234********wxyz is wrong', /abcd|wxyz/],
    ['an Azure key', 'Got 0123456789abcdef0123456789abcdef here', /0123/],
    ['a newer Azure key', `Got ${'Ab1'.repeat(28)} here`, /Ab1/],
    ['a Mistral key', 'Got aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY here', /aB3d|W1xY/],
    ['a Cohere key', `Got ${'aB3dE5fG'.repeat(5)} here`, /aB3d/],
    ['a key of Z.ai', 'Got 0123456789abcdef0123456789abcdef.AbCdEf1234567890 here', /0123|AbCd/],
    ['a Voyage key', 'Got pa-aB3dE5fG7hJ9 here', /aB3d/],
    ['a Jina key', 'Got jina_aB3dE5fG7hJ9 here', /aB3d/],
    ['a Fireworks key', 'Got fw_aB3dE5fG7hJ9 here', /aB3d/],
    ['a GitLab token', 'Got glpat-aB3dE5fG7hJ9 here', /aB3d/],
    ['a DeepSeek key', 'Got sk-0123456789abcdef here', /0123/],
    ['a Perplexity key', 'Got pplx-aB3dE5fG7hJ9 here', /aB3d/],
    ['a Cerebras key', 'Got csk-aB3dE5fG7hJ9 here', /aB3d/],
    ['an xAI key', 'Got xai-aB3dE5fG7hJ9 here', /aB3d/],
    ['a Groq key', 'Got gsk_aB3dE5fG7hJ9 here', /aB3d/],
    ['a Together key', 'Got tgp_v1_aB3dE5fG7hJ9 here', /aB3d/],
    ['a key of Bedrock', 'Got ABSKQmVkcm9ja0FQSUtleS here', /ABSK/],
    ['a Google token', 'Got ya29.a0AfH6SMBx here', /a0Af/],
    ['a signed token', 'Got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2lnbmF0dXJl here', /eyJ|c2ln/],
    ['a password', 'Login with password=hunter failed', /hunter/],
    ['a host without a domain', 'Cannot reach db01:5432 or localhost:8000', /5432|8000|db01/],
    ['a long random text', 'Got wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY12 here', /wJalr|EXAMPLEKEY/],
  ])('contains no %s', (_name, message, secret) => {
    expect(message).toMatch(secret);
    const shown = scrubProviderMessage(message);
    expect(shown).not.toMatch(secret);
    expect(shown).toContain('[removed]');
  });

  test.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium.",
    'messages.1.content.0.thinking.signature: Field required',
    'frequency_penalty: Extra inputs are not permitted',
    '`temperature` is deprecated for this model.',
    'tools.0.custom.input_schema.type: Field required',
    'Your organization must be verified to use the model.',
    'The time is 10:30:05:01:02:03:04 in this notation.',
    'Limits open again at 10:30:05 UTC; call std::move or a::b to go on.',
    'The model claude-opus-4-5-20251101 does not take image_url parts.',
    'No tool output found for tool call call_0123456789abcdef01234567.',
    'max_tokens:50000 is above the limit at line:120.',
    'Tool names must match ^[a-zA-Z0-9_-]{1,64}$.',
  ])('is unchanged if it contains no secret: %s', (message) => {
    expect(scrubProviderMessage(message)).toBe(message);
  });

  test('is at most 500 characters long', () => {
    expect(scrubProviderMessage('word '.repeat(2000))).toHaveLength(500);
  });

  test('of as much as is read has all its words', () => {
    const blank = (length: number) => `a${' '.repeat(length - 2)}b`;
    expect(scrubProviderMessage(blank(4000))).toBe('a b');
    expect(scrubProviderMessage(blank(4001))).toBe('a');
    expect(scrubProviderMessage(`${blank(4500)} c`)).toBe('a');
    expect(scrubProviderMessage('x'.repeat(500))).toHaveLength(500);
    expect(scrubProviderMessage('x'.repeat(501))).toMatch(/^x{499}…$/);
    expect(scrubProviderMessage('x'.repeat(4001))).toMatch(/^x{499}…$/);
    expect(scrubProviderMessage(`a\n${'x'.repeat(4001)}`)).toBe('a');
  });

  test('ends with a whole word, so that no part of a key is left', () => {
    const text = `https://${'x'.repeat(91)} `.repeat(39) + 'word '.repeat(19);
    expect(scrubProviderMessage(`${text}sk-a1b2c3d4e5f6`)).toMatch(/word$/);
  });
});

describe('a name of a field or code', () => {
  test.each(['messages.3.content', 'tools[0].function.name', 'response_format', 'invalid_value'])(
    '%s is kept',
    (name) => {
      expect(plainNameOf(name)).toBe(name);
    },
  );

  test.each([
    'a.'.repeat(200),
    'Bearer sk-proj-SECRET0123456789',
    'sk-proj-SECRET0123456789',
    'two words',
    'a"b',
    'line\nbreak',
    '',
  ])('%j is left out', (name) => {
    expect(plainNameOf(name)).toBeUndefined();
  });
});
