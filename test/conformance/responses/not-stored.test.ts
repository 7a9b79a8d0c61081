/** If the response store fails, the answer is still returned, with `store: false`. */

import { beforeAll, describe, expect, test } from 'vitest';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../../harness/gateways/environment.ts';
import { hello, responseProtocolsAndForms } from '../../harness/protocol-scripts.ts';
import { seenIn, useResponseProtocols } from '../../harness/responses/response-protocols.ts';

const { protocols, ...responses } = useResponseProtocols();
const rows = responseProtocolsAndForms.filter(({ protocol }) => protocol === 'openai');

beforeAll(async () => {
  const { call, close } = connectDatabase(databaseEndpoint());
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
    expect(protocols.upstream.requests).toHaveLength(1);
  });

  test('an answer that was not to be stored reports nothing', async () => {
    const more = { store: false, extra: { debug: ['normalizations'] } };
    const response = await responses.response(row, hello, more);
    expect(response).toMatchObject({ store: false, debug: { normalizations: [] } });
  });
});
