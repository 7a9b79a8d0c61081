/** An error status has the same meaning whatever the body is. */
import { describe, expect, test } from 'vitest';
import { useWires } from '../harness/gateways/wire-gateway.ts';
import { wireScripts } from '../harness/wire-scripts.ts';

const wires = useWires();

const bodies = [
  { body: 'nothing', text: '' },
  { body: 'a page', text: '<html><body>400 Bad Request</body></html>' },
  { body: 'more than anybody reads', text: JSON.stringify({ message: 'x'.repeat(600_000) }) },
];
const rows = wireScripts.flatMap((script) => bodies.map((body) => ({ wire: script.wire, script, ...body })));

describe('a rejected request', () => {
  test.each(rows)(
    "of $wire with $body is a 400 of the caller's, and asked once",
    async ({ script, text }) => {
      wires.upstream.script((_request, response) => void response.writeHead(400).end(text));
      const answer = await wires.ask(script);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
      expect(wires.upstream.requests).toHaveLength(1);
    },
  );
});
