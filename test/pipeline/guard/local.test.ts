/** What the rules that need no call find, and what they leave alone. */
import { expect, test } from 'vitest';
import type { LocalRule } from '../../../lib/core/guardrails/local-rules.ts';
import { localDetector } from '../../../lib/pipeline/guard/local/detect.ts';

const { signal } = new AbortController();

async function found(rule: LocalRule, text: string): Promise<readonly string[]> {
  const { findings } = await localDetector(rule)([text], 'input', { signal, tenant: 'acme' });
  return findings.map(({ start, end, label }) => `${label}: ${text.slice(start, end)}`);
}

const pii: LocalRule = { kind: 'pii' };

test.each([
  ['Mail ada.l+x@mail.example.co.uk!', ['email: ada.l+x@mail.example.co.uk']],
  ['Call +49 (0) 30 1234-5678 now', ['phone: +49 (0) 30 1234-5678']],
  ['(555) 123-4567 or 030 / 1234567', ['phone: (555) 123-4567', 'phone: 030 / 1234567']],
  ['Card 4111-1111-1111-1111.', ['card: 4111-1111-1111-1111']],
  ['From 10.0.0.1 and 2001:db8::1:2', ['ip: 10.0.0.1', 'ip: 2001:db8::1:2']],
  ['DE89 3704 0044 0532 0130 00', ['iban: DE89 3704 0044 0532 0130 00']],
  ['SSN 123-45-6789', ['ssn: 123-45-6789']],
  ['Version 1.2.3.4.5 of 2026-11-28 at 12:30:45, order 4111111111111112, std::map, 1764360000000', []],
])('personal data in %s', async (text, expected) => expect(await found(pii, text)).toEqual(expected));

test.each([
  ['key = sk-proj-abcdefghijklmnopqrstuvwx', ['openai_key']],
  ['AKIAIOSFODNN7EXAMPLE', ['aws_key']],
  [`ghp_${'a1'.repeat(18)}`, ['github_token']],
  ['postgres://app:hunter2hunter2@db.example/app', ['password_in_url']],
  [
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIE+/=\n'.repeat(200)}-----END RSA PRIVATE KEY-----`,
    ['private_key'],
  ],
  ['A risk-free desk-proj is no key, and sk-short is none.', []],
])('secrets in %s', async (text, expected) => {
  const labels = (await found({ kind: 'secrets' }, text)).map((one) => one.split(':')[0]);
  expect(labels).toEqual(expected);
});

test('words are whole, in any case, spacing and width', async () => {
  const rule: LocalRule = { kind: 'words', words: ['Project Aurora', 'bad', '禁止'] };
  expect(await found(rule, 'PROJECT\n aurora, badge, b\u00adad and 这是禁止的')).toEqual([
    'word: PROJECT\n aurora',
    'word: b\u00adad',
    'word: 禁止',
  ]);
});

test('words stand beside scripts without spaces, and hold what is not seen', async () => {
  const rule: LocalRule = { kind: 'words', words: ['Aurora', '計画'] };
  expect(await found(rule, 'これはAurora計画です。B計画, Au\u{e0041}ro\ufe0fr\u034fa')).toEqual([
    'word: Aurora',
    'word: 計画',
    'word: 計画',
    'word: Au\u{e0041}ro\ufe0fr\u034fa',
  ]);
});

test.each([pii, { kind: 'secrets' }, { kind: 'pattern', patterns: ['(a+)+b', '\\bx\\d+'] }] as const)(
  'a large text leaves others their turns, $kind',
  async (rule) => {
    const text = 'All good, ada at example. '.repeat(120_000);
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await found(rule, text)).toEqual([]);
    isOver = true;
    expect(turns).toBeGreaterThan(0);
  },
);
