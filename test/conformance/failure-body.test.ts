/** An error status has the same meaning with any body. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { protocolScripts } from '../harness/protocol-scripts.ts';

const protocols = useProtocolGateway();

const bodies = [
  { body: 'nothing', text: '' },
  { body: 'a page', text: '<html><body>400 Bad Request</body></html>' },
  { body: 'more than anybody reads', text: JSON.stringify({ message: 'x'.repeat(600_000) }) },
];
const rows = protocolScripts.flatMap((script) =>
  bodies.map((body) => ({ protocol: script.protocol, script, ...body })),
);

describe('a rejected request', () => {
  test.each(rows)(
    "of $protocol with $body is a 400 of the caller's, and asked once",
    async ({ script, text }) => {
      protocols.upstream.script((_request, response) => void response.writeHead(400).end(text));
      const answer = await protocols.ask(script);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
      expect(protocols.upstream.requests).toHaveLength(1);
    },
  );
});
