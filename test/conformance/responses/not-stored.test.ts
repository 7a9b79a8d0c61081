/** If the response store fails, the answer is returned all the same, with `store: false`. */
import { beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../infra/local/database-call.ts';
import { seenIn, useResponseWires } from '../../harness/responses/response-wires.ts';
import { hello, responseWiresAndForms } from '../../harness/wire-scripts.ts';

const { wires, ...responses } = useResponseWires();
const rows = responseWiresAndForms.filter(({ wire }) => wire === 'openai');

beforeAll(async () => {
  const { call, close } = connectDatabase(process.env.DYNAMODB_ENDPOINT ?? '');
  await call('DynamoDB_20120810.DeleteTable', { TableName: 'state' });
  await close();
});

describe.each(rows)('$form', (row) => {
  test('the answer is complete, and says that it was not stored', async () => {
    const response = await responses.response(row, hello, { extra: { debug: ['normalizations'] } });
    expect(seenIn(response)).toMatchObject({ status: 'completed', text: 'Hello' });
    const record = {
      param: 'store',
      action: 'override',
      before: true,
      after: false,
      reason: expect.any(String),
    };
    expect(response).toMatchObject({ store: false, debug: { normalizations: [record] } });
    expect(wires.upstream.requests).toHaveLength(1);
  });

  test('an answer that was not to be stored reports nothing', async () => {
    const more = { store: false, extra: { debug: ['normalizations'] } };
    const response = await responses.response(row, hello, more);
    expect(response).toMatchObject({ store: false, debug: { normalizations: [] } });
  });
});
