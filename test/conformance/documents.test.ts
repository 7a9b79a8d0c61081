/** PDF documents in the Responses API: what each protocol gets, and which models do not support them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { startWatchedSandbox, type WatchedSandbox } from '../harness/gateways/watched-sandbox.ts';
import { addPinnedModels } from '../harness/matrix/pinned-models.ts';

let sandbox: WatchedSandbox;
let gateway: TestGateway;

beforeAll(async () => {
  sandbox = await startWatchedSandbox('anthropic', 'google', 'bedrock', 'openai');
  gateway = await startTestGateway(sandbox.environment);
  await addPinnedModels('anthropic/claude-haiku-4-5:bedrock');
});

afterAll(async () => {
  await gateway?.close();
  await sandbox?.close();
});

const pdf = btoa('%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF');
const data = `data:application/pdf;base64,${pdf}`;
const link = 'https://example.com/report.pdf';

interface Row {
  readonly model: string;
  /** The document in the protocol. */
  readonly document: object;
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
    link: { type: 'input_file', file_url: link },
  },
];

const text = { type: 'input_text', text: 'What does it say?' };
const inline = { type: 'input_file', filename: 'The report.pdf', file_data: data };

const asUser = (part: object) => [{ role: 'user', content: [text, part] }];
const asResult = (part: object) => [
  { role: 'user', content: 'Read it.' },
  { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: [text, part] },
];

async function send(model: string, input: readonly object[]) {
  sandbox.take();
  const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
  const response = await gateway.post('/v1/responses', { model, tools, input });
  const body = JSON.parse(await response.text());
  const [sent] = sandbox.take().map((request) => request.body);
  return { status: response.status, error: body.error, output: body.output, sent };
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

const positions = [
  ['a message', asUser, 'input.0.content.1'],
  ['the output of a function', asResult, 'input.2.output.1'],
] as const;

describe.each(rows)('$model', ({ model, document, link: linked }) => {
  describe.each(positions)('in %s', (_, input, path) => {
    test('the provider gets the bytes of a document', async () => {
      const { status, error, sent } = await send(model, input(inline));
      expect([status, error]).toEqual([200, null]);
      expect(holds(sent, document)).toBe(true);
    });

    if (linked)
      test('the provider gets a link unchanged', async () => {
        const { status, sent } = await send(model, input({ type: 'input_file', file_url: link }));
        expect(status).toBe(200);
        expect(holds(sent, linked)).toBe(true);
      });
    else {
      test.each([
        ['to this machine', 'https://127.0.0.1/report.pdf'],
        ['to the metadata service', 'https://169.254.169.254/latest/meta-data'],
        ['without encryption', 'http://example.com/report.pdf'],
      ])('a link %s is rejected with the path of the part', async (_, file_url) => {
        const { status, error, sent } = await send(model, input({ type: 'input_file', file_url }));
        expect([status, error?.param, sent]).toEqual([400, `${path}.file_url`, undefined]);
      });

      test('an invalid document is rejected with the path of the part', async () => {
        const file_data = `data:application/pdf;base64,${btoa('no document')}`;
        const { status, error, sent } = await send(model, input({ ...inline, file_data }));
        expect([status, error?.param, sent]).toEqual([400, `${path}.file_data`, undefined]);
      });
    }
  });
});

test.each(['cohere/command-a-vision-07-2025', 'meta/llama-4-scout', 'openai/gpt-oss-120b'])(
  '%s supports no documents, and the error has the path of the part',
  async (model) => {
    for (const [, input, param] of positions) {
      const { status, error } = await send(model, input(inline));
      const message = `The model '${model}' does not accept pdf input.`;
      expect([status, error]).toEqual([
        400,
        { message, type: 'invalid_request_error', param, code: 'unsupported_modality' },
      ]);
    }
  },
);
