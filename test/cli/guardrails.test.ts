/** The commands of guardrails, and of the keys that they apply to. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Given, parsed, useOneOperator } from './operator.ts';

const operator = useOneOperator();
const run = (typed: string, given?: Given) => operator.run(typed, given);
const json = async (typed: string) => parsed(await run(`${typed} --json`));

const words = { id: 'names', kind: 'words', words: ['Aurora'], on: ['input', 'output'], action: 'block' };
const set = (tenant: string, terms: object) =>
  run(`guardrails set ${tenant} house`, { input: JSON.stringify(terms) });

test('a guardrail is set from standard input or a file, shown, set again as it was shown, and removed', async () => {
  await run('tenants create acme');
  expect(await set('acme', { always: true, rules: [words] })).toMatchObject({ code: 0 });
  const shown = await json('guardrails show acme house');
  expect(shown).toMatchObject({ id: 'house', tenant: 'acme', always: true, rules: [words] });
  const file = join(operator.directory, 'house.json');
  await writeFile(file, JSON.stringify({ ...shown, always: false }));
  const again = parsed(await run(`guardrails set acme house --file ${file} --json`));
  expect(again).toEqual({ ...shown, always: false, version: again.version });
  expect(again.version).toBeGreaterThan(shown.version);
  const list = await run('guardrails list acme');
  expect(list.output[1]).toMatch(/^house .* false .* names: block words \(input, output\)$/);
  expect((await run('guardrails show acme house')).output.join()).toContain('names: block words');
  expect(await run('guardrails remove acme house')).toMatchObject({ code: 0 });
  expect(await run('guardrails list acme')).toMatchObject({ output: [], stderr: 'No guardrails found.' });
  expect(await run('guardrails show acme house')).toMatchObject({ code: 1 });
});

test('what cannot be set is refused by the name of its field', async () => {
  await run('tenants create wrong');
  const refused = async (terms: object) => {
    const { code, stderr } = await set('wrong', terms);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused({})).toContain('rules');
  expect(await refused([])).toContain('JSON object');
  expect(await refused({ rules: [{ ...words, action: 'drop' }] })).toMatch(/rules.*0.*action/);
  expect(await refused({ rules: [{ ...words, words: undefined }] })).toContain('rules.0.words');
  expect(
    await run('guardrails set wrong House', { input: JSON.stringify({ rules: [words] }) }),
  ).toMatchObject({ code: 2, stderr: expect.stringContaining('guardrail') });
  expect(await run('guardrails set wrong house', { input: '{' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Standard input is not valid JSON'),
  });
  expect(await json('guardrails list wrong')).toEqual([]);
});

test('the secret of a webhook is shown when it is set, and not again', async () => {
  await run('tenants create signed');
  const rule = { id: 'ours', kind: 'webhook', url: 'https://a.example/', on: ['input'], action: 'block' };
  const { output } = await set('signed', { rules: [rule] });
  expect(output.slice(-2)).toEqual([
    expect.stringContaining('the rule ours'),
    expect.stringMatching(/^whsec_[\w+/]{43}=$/),
  ]);
  const shown = await run('guardrails show signed house --json');
  expect((await set('signed', parsed(shown))).output.join()).not.toContain('whsec_');
  expect(shown.output.join()).not.toContain('whsec_');
});

test('a key has guardrails of its tenant when it is created and later, and no others', async () => {
  await run('tenants create keyed');
  await set('keyed', { rules: [words] });
  const { id, guardrails } = await json('keys create --tenant keyed --guardrails house');
  expect(guardrails).toEqual(['house']);
  expect((await run(`keys set-guardrails ${id} none`)).output.join()).toContain('none');
  expect((await json(`keys show ${id}`)).guardrails).toBeNull();
  expect(await run(`keys set-guardrails ${id} house`)).toMatchObject({ code: 0 });
  expect(await json(`keys show ${id}`)).toMatchObject({ guardrails: ['house'] });
  for (const wrong of ['other', 'house,'])
    expect(await run(`keys set-guardrails ${id} ${wrong}`)).toMatchObject({ code: 2 });
});

test('a text is tested with what is stored, or with a draft, and by what is on this machine alone', async () => {
  await run('tenants create tested');
  await set('tested', { rules: [words] });
  const text = { input: 'Of Aurora, ada@example.com' };
  const found = await run('guardrails test tested house', text);
  expect(found.output.at(-1)).toMatch(/^names +words +block +word 3–9 /);
  const draft = join(operator.directory, 'draft.json');
  const people = { id: 'people', kind: 'pii', on: ['output'], action: 'redact' };
  const openai = { id: 'moderation', kind: 'openai', on: ['output'], action: 'block' };
  await writeFile(draft, JSON.stringify({ rules: [people, openai] }));
  const typed = `guardrails test tested house --draft ${draft} --on output`;
  expect(parsed(await run(`${typed} --json`, text))).toMatchObject([
    { rule: 'people', action: 'redact', matches: [{ label: 'email', start: 11, end: 26 }] },
    { rule: 'moderation', action: 'not_asked' },
  ]);
  expect((await json('guardrails show tested house')).rules).toEqual([words]);
  for (const [wrong, says] of [
    [`${typed} --remote`, '--url'],
    ['guardrails test tested house --on both', "'on'"],
    ['guardrails test tested other', 'other'],
  ] as const) {
    const { code, stderr } = await run(wrong, text);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(says);
  }
});
