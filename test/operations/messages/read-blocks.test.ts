/** The content blocks of a Messages request, as other families than Claude's get them. */
import { describe, expect, test } from 'vitest';
import { claude, families, hello, others, useFamilies } from './watched-families.ts';

const { ask, answer } = useFamilies();

const said = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const turn = (...content: object[]) => ({
  messages: [...hello, { role: 'assistant', content }, { role: 'user', content: 'And then?' }],
});
const pdf = Buffer.from('%PDF-1.4 a page').toString('base64');
const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };

describe('documents', () => {
  test('a PDF is a file, with what is to be known of it before', async () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: pdf };
    const document = { type: 'document', source, title: 'Plants', context: 'Of the year 1900.' };
    const { sent } = await answer(families.gemini, said(document));
    const parts = JSON.stringify(sent.contents.at(-1).parts);
    expect(parts).toContain(pdf);
    expect(parts).toContain('Of the year 1900.');
    expect(JSON.stringify((await answer(families.chat, said(document))).sent)).toContain('Plants.pdf');
  });

  test('a text is a text with its title', async () => {
    const source = { type: 'text', media_type: 'text/plain', data: 'Tulips grow.' };
    const document = { type: 'document', source, title: 'A "garden"', citations: { enabled: true } };
    for (const family of others) {
      const { sent, about } = await answer(families[family], said(document));
      expect(JSON.stringify(sent)).toContain('Tulips grow.');
      expect(JSON.stringify(sent)).toContain('A _garden_');
      expect(about('messages.0.content.0.citations')).toHaveLength(1);
    }
  });

  test('blocks are what they hold', async () => {
    const content = [{ type: 'text', text: 'Tulips grow.' }, image];
    const document = { type: 'document', source: { type: 'content', content } };
    const { sent } = await answer(families.chat, said(document));
    expect(sent.messages[0].content.map(({ type }: { type: string }) => type)).toEqual([
      'text',
      'text',
      'image_url',
      'text',
    ]);
  });

  test('a source that is not known is refused for others by name', async () => {
    const document = { type: 'document', source: { type: 'unheard_of' } };
    const { status, error } = await ask(families.chat, said(document));
    expect([status, error.param]).toEqual([400, 'messages.0.content.0.source.type']);
    expect((await ask(claude, said(document))).sent.messages).toEqual(said(document).messages);
  });
});

test('a search result is a text with its source', async () => {
  const result = {
    type: 'search_result',
    source: 'https://example.com/a',
    title: 'Plants',
    content: [{ type: 'text', text: 'Tulips grow.' }],
  };
  const { sent } = await answer(families.chat, said(result));
  const [text] = JSON.stringify(sent.messages[0]).match(/<search_result.*search_result>/) ?? [];
  expect(text).toMatch(/https:\/\/example.com\/a.*Plants.*Tulips grow/);
});

describe('tools that Anthropic ran', () => {
  const search = {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'web_search',
    input: { query: 'tulips' },
  };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [
      {
        type: 'web_search_result',
        url: 'https://example.com/t',
        title: 'Tulips',
        encrypted_content: 'c2VjcmV0',
      },
    ],
  };
  const run = {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_2',
    content: {
      type: 'bash_code_execution_result',
      stdout: 'four beds',
      stderr: '',
      return_code: 0,
      content: [],
    },
  };

  test('are texts, and never calls', async () => {
    for (const family of others) {
      const { sent, about } = await answer(families[family], turn(search, found, run));
      const text = JSON.stringify(sent);
      for (const seen of ['tulips', 'Tulips', 'https://example.com/t', 'four beds'])
        expect(text).toContain(seen);
      for (const hidden of ['c2VjcmV0', 'srvtoolu_1', 'tool_call', 'function_call']) {
        expect(text).not.toContain(hidden);
      }
      for (const index of [0, 1, 2]) expect(about(`messages.1.content.${index}`)).toHaveLength(1);
    }
  });
});

describe('what the gateway does not know', () => {
  const block = { type: 'unheard_of', data: { of: 'it' } };
  test.each([
    ['of the user', said({ type: 'text', text: 'Hello.' }, block), 'messages.0.content.1'],
    ['of the assistant', turn({ type: 'text', text: 'Yes.' }, block), 'messages.1.content.1'],
  ])('a block %s is left out for others, on record, and reaches Claude', async (_, body, path) => {
    for (const family of others) {
      const { sent, about } = await answer(families[family], body);
      expect(JSON.stringify(sent)).not.toContain('unheard_of');
      expect(about(path)).toMatchObject([{ action: 'strip', before: { type: 'unheard_of' } }]);
    }
    expect((await ask(claude, body)).sent.messages).toEqual(body.messages);
  });

  test('fields of blocks and messages', async () => {
    const body = {
      messages: [{ ...hello[0], colour: 'red', content: [{ type: 'text', text: 'Hi.', size: 2 }] }],
    };
    const { changes } = await answer(families.chat, body);
    const params = changes.map(({ param }) => param);
    expect(params.toSorted()).toEqual(['messages.0.colour', 'messages.0.content.0.size']);
  });

  test('a block without a type is refused', async () => {
    const { status, error } = await ask(claude, said({ text: 'Hello.' }));
    expect([status, error.param]).toEqual([400, 'messages.0.content.0.type']);
  });

  test.each(['garden.png', 'file:///etc/passwd', 'data:image/png;base64,AAAA'])(
    '%s is no URL',
    async (url) => {
      const { status, error } = await ask(families.chat, said({ ...image, source: { type: 'url', url } }));
      expect([status, error.param]).toEqual([400, 'messages.0.content.0.source.url']);
    },
  );

  test('a wrong field of a known block is refused by its path', async () => {
    const { status, error } = await ask(claude, said({ type: 'text', text: 1 }));
    expect([status, error.param]).toEqual([400, 'messages.0.content.0.text']);
    expect(error.message).toMatch(/^messages\.0\.content\.0\.text: /);
  });
});

test('a summary of earlier messages is a text, or refused where only Anthropic can read it', async () => {
  const summary = { type: 'compaction', content: 'They spoke of tulips.' };
  expect(JSON.stringify((await answer(families.chat, turn(summary))).sent)).toContain(
    'They spoke of tulips.',
  );
  const encoded = { type: 'compaction', content: null, encrypted_content: 'x' };
  const { status, error } = await ask(families.chat, turn(encoded));
  expect([status, error.param]).toEqual([400, 'messages.1.content.0']);
  const both = { ...summary, encrypted_content: 'x' };
  const { about } = await answer(families.chat, turn(both));
  expect(about('messages.1.content.0.encrypted_content')).toMatchObject([{ action: 'strip' }]);
});

test.each([{ content: null }, {}])('a summary that failed is left out, on record: %j', async (failed) => {
  const { about } = await answer(families.chat, turn({ type: 'compaction', ...failed }));
  expect(about('messages.1.content.0')).toMatchObject([{ action: 'strip', after: null }]);
});

describe('cache markers', () => {
  const cache_control = { type: 'ephemeral' };
  const text = (text: string, more: object = {}) => ({ type: 'text', text, ...more });

  test('are left out where there are none, under their own paths', async () => {
    const system = [text('Be brief.', { cache_control: { ...cache_control, ttl: '1h', scope: 'global' } })];
    const tools = [{ name: 'read', input_schema: { type: 'object' }, cache_control }];
    const { changes } = await answer(families.chat, {
      system,
      tools,
      cache_control,
      ...said({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x', cache_control }),
    });
    const params = changes.map(({ param }) => param).filter((param) => param.includes('cache_control'));
    expect(params.toSorted()).toEqual([
      'messages.0.content.0.cache_control',
      'system.0.cache_control',
      'system.0.cache_control.scope',
      'tools.0.cache_control',
    ]);
  });

  test('of the whole request are at its end', async () => {
    const { about } = await answer(families.chat, { cache_control });
    expect(about('cache_control')).toHaveLength(1);
  });
});

test('thinking of Claude is not sent to others, on record', async () => {
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' };
  const body = turn(
    thinking,
    { type: 'redacted_thinking', data: 'aGlkZGVu' },
    { type: 'text', text: 'Yes.' },
  );
  for (const family of others) {
    const { sent, changes } = await answer(families[family], body);
    expect(JSON.stringify(sent)).not.toMatch(/Hm\.|c2lnbmVk|aGlkZGVu/);
    expect(changes.map(({ param }) => param)).toEqual(['messages.1.content']);
  }
});
