/** Files in Responses and chat: what each protocol gets of PDF, text and office files, and which models do not support them. */
import { describe, expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway('groq', 'cohere', 'together', 'xai', 'anthropic/claude-haiku-4-5:bedrock');

const pdf = btoa('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF');
const data = `data:application/pdf;base64,${pdf}`;
const link = 'https://example.com/report.pdf';

interface Row {
  readonly model: string;
  /** The document in the protocol. */
  readonly document: object;
  /** The document in the protocol that chat uses, where it is another. */
  readonly inChat?: object;
  /** A link in the protocol; absent if the provider takes only bytes. */
  readonly link?: object;
}

const onBedrock = { document: { name: 'The report', format: 'pdf', source: { bytes: pdf } } };

const rows: readonly Row[] = [
  {
    model: 'anthropic/claude-haiku-4-5',
    document: {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: pdf },
      title: 'The report.pdf',
    },
    link: { type: 'document', source: { type: 'url', url: link } },
  },
  {
    model: 'google/gemini-2.5-flash',
    document: { inlineData: { mimeType: 'application/pdf', data: pdf } },
  },
  { model: 'amazon/nova-pro', document: onBedrock },
  { model: 'anthropic/claude-haiku-4-5:bedrock', document: onBedrock },
  {
    model: 'openai/gpt-4.1',
    document: { type: 'input_file', filename: 'The report.pdf', file_data: data },
    inChat: { type: 'file', file: { filename: 'The report.pdf', file_data: data } },
    link: { type: 'input_file', file_url: link },
  },
];

interface File {
  readonly filename?: string;
  readonly file_data?: string;
  readonly file_url?: string;
}

/** How the callers of an operation send a file. */
interface Operation {
  readonly name: string;
  readonly path: string;
  /** A conversation in which the user, or a function, shows the file. */
  readonly asUser: (file: File) => object;
  readonly asResult: (file: File) => object;
  readonly tool: object;
  /** Paths of the part in the two conversations. */
  readonly userPath: string;
  readonly resultPath: string;
  /** What stands before the names of the file's fields. */
  readonly fields: string;
}

const look = { name: 'look', parameters: { type: 'object', properties: {} } };
const inputText = { type: 'input_text', text: 'What does it say?' };
const text = { type: 'text', text: 'What does it say?' };
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };

const responses: Operation = {
  name: 'Responses',
  path: '/v1/responses',
  asUser: (file) => ({ input: [{ role: 'user', content: [inputText, { type: 'input_file', ...file }] }] }),
  asResult: (file) => ({
    input: [
      { role: 'user', content: 'Read it.' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [inputText, { type: 'input_file', ...file }],
      },
    ],
  }),
  tool: { type: 'function', ...look },
  userPath: 'input.0.content.1',
  resultPath: 'input.2.output.1',
  fields: '',
};

const chat: Operation = {
  name: 'chat',
  path: '/v1/chat/completions',
  asUser: (file) => ({ messages: [{ role: 'user', content: [text, { type: 'file', file }] }] }),
  asResult: (file) => ({
    messages: [
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: [text, { type: 'file', file }] },
    ],
  }),
  tool: { type: 'function', function: look },
  userPath: 'messages.0.content.1',
  resultPath: 'messages.2.content.1',
  fields: 'file.',
};

const operations = [responses, chat];
const positions = ['asUser', 'asResult'] as const;
const pathIn = (operation: Operation, position: (typeof positions)[number]) =>
  position === 'asUser' ? operation.userPath : operation.resultPath;

const inline = { filename: 'The report.pdf', file_data: data };

async function send(operation: Operation, model: string, conversation: object) {
  gateway.take();
  const body = { model, tools: [operation.tool], ...conversation, extra: { debug: ['normalizations'] } };
  const response = await gateway.post(operation.path, body);
  const answer = JSON.parse(await response.text());
  const [sent] = gateway.take().map((request) => request.body);
  const changes: readonly { param: string; reason: string }[] = answer.debug?.normalizations ?? [];
  return { status: response.status, error: answer.error ?? null, sent, changes };
}

/** Whether the fields of an object occur together anywhere in a body. */
function holds(value: unknown, wanted: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map(Object.entries(value));
  const isHere = Object.entries(wanted).every(
    ([name, field]) => JSON.stringify(fields.get(name)) === JSON.stringify(field),
  );
  return isHere || [...fields.values()].some((inner) => holds(inner, wanted));
}

describe.each(operations)('$name', (operation) => {
  describe.each(rows)('$model', ({ model, document, inChat = document, link: linked }) => {
    const wanted = operation === chat ? inChat : document;

    describe.each(positions)('%s', (position) => {
      const path = pathIn(operation, position);
      const shown = operation[position];

      test('the provider gets the bytes of a document', async () => {
        const { status, error, sent } = await send(operation, model, shown(inline));
        expect([status, error]).toEqual([200, null]);
        expect(holds(sent, wanted)).toBe(true);
      });

      // OpenAI's chat protocol has no links.
      if (linked && (operation === responses || wanted === document))
        test('the provider gets a link unchanged', async () => {
          const { status, sent } = await send(operation, model, shown({ file_url: link }));
          expect(status).toBe(200);
          expect(holds(sent, linked)).toBe(true);
        });
      else {
        test.each([
          ['to this machine', 'https://127.0.0.1/report.pdf'],
          ['to the metadata service', 'https://169.254.169.254/latest/meta-data'],
          ['without encryption', 'http://example.com/report.pdf'],
        ])('a link %s is rejected with the path of the part', async (_, file_url) => {
          const { status, error, sent } = await send(operation, model, shown({ file_url }));
          const param = `${path}.${operation.fields}file_url`;
          expect([status, error?.param, sent]).toEqual([400, param, undefined]);
        });
      }

      if (wanted === document && !linked)
        test('an invalid document is rejected with the path of the part', async () => {
          const file_data = `data:application/pdf;base64,${btoa('no document')}`;
          const { status, error, sent } = await send(operation, model, shown({ ...inline, file_data }));
          const param = `${path}.${operation.fields}file_data`;
          expect([status, error?.param, sent]).toEqual([400, param, undefined]);
        });
    });
  });

  test.each(['cohere/command-a-vision-07-2025', 'qwen/qwen3.8-27b', 'openai/gpt-oss-120b'])(
    '%s supports no documents, and the error has the path of the part',
    async (model) => {
      for (const position of positions) {
        const { status, error } = await send(operation, model, operation[position](inline));
        const message = `The model '${model}' does not accept pdf input.`;
        const param = pathIn(operation, position);
        expect([status, error]).toEqual([
          400,
          { message, type: 'invalid_request_error', param, code: 'unsupported_modality' },
        ]);
      }
    },
  );

  describe('a text file', () => {
    const csv = 'name,age\nÅsa,41\n';
    const csvData = Buffer.from(csv).toString('base64');
    const shown = `<file name="people.csv">\n${csv}\n</file>`;
    const onBytes = { filename: 'people.csv', file_data: `data:text/csv;base64,${csvData}` };

    test.each([
      'anthropic/claude-haiku-4-5',
      'google/gemini-2.5-flash',
      'amazon/nova-pro',
      'openai/gpt-oss-120b',
      'qwen/qwen3.8-27b',
      'cohere/command-a-vision-07-2025',
    ])('reaches %s as text with its name, on record', async (model) => {
      for (const position of positions) {
        const { status, error, sent, changes } = await send(operation, model, operation[position](onBytes));
        expect([status, error]).toEqual([200, null]);
        expect(JSON.stringify(sent)).toContain(JSON.stringify(shown).slice(1, -1));
        expect(changes).toContainEqual({
          param: pathIn(operation, position),
          action: 'override',
          before: { type: 'file', media_type: 'text/csv' },
          after: { type: 'text' },
          reason: 'The provider takes no files of this type. The text of the file is sent.',
        });
      }
    });

    test.each([
      ['base64 with a name', { filename: 'notes.md', file_data: btoa('# Notes') }, '# Notes'],
      ['an unknown type', { filename: 'a.py', file_data: `data:;base64,${btoa('x = 1')}` }, 'x = 1'],
      ['a wrong type', { filename: 'a.ts', file_data: `data:video/mp2t;base64,${btoa('f()')}` }, 'f()'],
      ['JSON', { file_data: `data:application/json;base64,${btoa('[1]')}` }, '[1]'],
    ])('may be given as %s', async (_, file, content) => {
      const { status, sent } = await send(operation, 'openai/gpt-oss-20b', operation.asUser(file));
      expect(status).toBe(200);
      expect(JSON.stringify(sent)).toContain(JSON.stringify(`\n${content}\n</file>`).slice(1, -1));
    });

    test.each([
      ['that is not UTF-8', Buffer.from([0x61, 0xe9, 0x62])],
      ['with a zero byte', Buffer.from('a\0b')],
      ['of more than 4 MB', Buffer.alloc(4 * 1024 * 1024 + 1, 'a')],
    ])('%s is rejected', async (_, bytes) => {
      const file = { filename: 'a.txt', file_data: bytes.toString('base64') };
      const { status, error, sent } = await send(operation, 'openai/gpt-oss-20b', operation.asUser(file));
      const param = `${operation.userPath}.${operation.fields}file_data`;
      expect([status, error?.param, sent]).toEqual([400, param, undefined]);
    });

    test('a link to one is fetched, from public hosts only', async () => {
      const file_url = 'https://127.0.0.1/people.csv';
      for (const model of ['anthropic/claude-haiku-4-5', 'openai/gpt-oss-20b']) {
        const { status, error, sent } = await send(operation, model, operation.asUser({ file_url }));
        const param = `${operation.userPath}.${operation.fields}file_url`;
        expect([status, error?.param, sent]).toEqual([400, param, undefined]);
        expect(error?.message).toContain('text file');
      }
    });
  });

  describe('an office document', () => {
    const zip = btoa('PK\x03\x04 and more');
    const docx = { filename: 'Plan.docx', file_data: zip };

    test.each(['amazon/nova-pro', 'anthropic/claude-haiku-4-5:bedrock'])(
      'reaches %s as a file',
      async (model) => {
        const { status, sent } = await send(operation, model, operation.asUser(docx));
        expect(status).toBe(200);
        const document = { name: 'Plan', format: 'docx', source: { bytes: zip } };
        expect(holds(sent, { document })).toBe(true);
      },
    );

    test.each(['anthropic/claude-haiku-4-5', 'google/gemini-2.5-flash', 'openai/gpt-oss-20b'])(
      'is rejected for %s, with what its provider takes',
      async (model) => {
        const { status, error, sent } = await send(operation, model, operation.asUser(docx));
        expect([status, error?.param, sent]).toEqual([400, operation.userPath, undefined]);
        expect(error?.message).toMatch(/does not accept docx files\. It accepts: pdf, text files\./);
      },
    );
  });
});

describe('on the Responses API of OpenAI', () => {
  test.each([
    ['text/csv', 'people.csv', 'a,b'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Plan.docx', 'PK\x03\x04'],
  ])('a file of type %s stays a file', async (type, filename, content) => {
    const file = { filename, file_data: `data:${type};base64,${btoa(content)}` };
    const { status, sent, changes } = await send(responses, 'openai/gpt-4.1', responses.asUser(file));
    expect([status, changes]).toEqual([200, []]);
    expect(holds(sent, { type: 'input_file', ...file })).toBe(true);
  });
});

describe('xAI', () => {
  const grok = 'xai/grok-4.3';
  const sentFile = { type: 'input_file', filename: 'The report.pdf', file_data: data };

  test.each(operations)('gets a document over its Responses protocol, from $name', async (operation) => {
    const { status, error, sent } = await send(operation, grok, operation.asUser(inline));
    expect([status, error]).toEqual([200, null]);
    expect(holds(sent, sentFile)).toBe(true);
  });

  test.each(operations)(
    'gets the document of a result in a message of the user, from $name',
    async (operation) => {
      const { status, error, sent, changes } = await send(operation, grok, operation.asResult(inline));
      expect([status, error]).toEqual([200, null]);
      expect(holds(sent, sentFile)).toBe(true);
      const reason = 'The provider does not support files in tool results.';
      expect(changes).toContainEqual(expect.objectContaining({ param: operation.resultPath, reason }));
    },
  );
});

describe('a file in chat', () => {
  const user = (file: object) => ({ messages: [{ role: 'user', content: [{ type: 'file', file }] }] });

  test.each([
    ['by id', { file_id: 'file-1' }, 'messages.0.content.0.file.file_id', /file_data.*file_url/],
    ['without content', { filename: 'a.pdf' }, 'messages.0.content.0.file', /exactly one/],
    [
      'twice',
      { file_data: data, file_url: link },
      'messages.0.content.0.file',
      /exactly one of 'file_data' and 'file_url'/,
    ],
    [
      'of a type that no provider takes',
      { file_data: `data:application/zip;base64,${btoa('PK')}` },
      'messages.0.content.0.file.file_data',
      /Supported are: PDF, text files/,
    ],
    [
      'without its type',
      { file_data: btoa('whatever') },
      'messages.0.content.0.file.file_data',
      /'filename' whose ending says its type/,
    ],
  ])('%s is rejected with its field', async (_, file, param, message) => {
    const { status, error } = await send(chat, 'openai/gpt-4.1', user(file));
    expect([status, error?.param]).toEqual([400, param]);
    expect(error?.message).toMatch(message);
  });

  test('may have its link in the field for data, as routers take it', async () => {
    const { status, sent } = await send(chat, 'anthropic/claude-haiku-4-5', user({ file_data: link }));
    expect(status).toBe(200);
    expect(holds(sent, { type: 'url', url: link })).toBe(true);
  });

  test('needs no name where its bytes are a PDF', async () => {
    const { status, sent } = await send(chat, 'openai/gpt-4.1', user({ file_data: pdf }));
    expect(status).toBe(200);
    expect(holds(sent, { filename: 'document.pdf', file_data: data })).toBe(true);
  });
});
