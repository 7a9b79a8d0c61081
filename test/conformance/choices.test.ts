/** Several choices (`n`), in the protocols that support them. */
import { describe, expect, test } from 'vitest';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { finish, type ProtocolScript, start, text } from '../harness/protocol-scripts.ts';
import { googleScript } from '../harness/protocols/google.ts';
import { openaiScript } from '../harness/protocols/openai.ts';
import { answerJson } from '../harness/upstream.ts';

const protocols = useProtocolGateway();

type Body = Record<string, { index: number }[]>;

/** Where the protocol lists the choices. */
const rows: readonly { protocol: string; script: ProtocolScript; list: string }[] = [
  { protocol: 'openai', script: openaiScript, list: 'choices' },
  { protocol: 'google', script: googleScript, list: 'candidates' },
];

function bodyOf(script: ProtocolScript, list: string, texts: readonly (readonly [number, string])[]): object {
  const bodies = texts.map(([index, said]) => {
    const body = script.body([start, text(said), finish]) as Body;
    return { ...body, [list]: (body[list] ?? []).map((choice) => ({ ...choice, index })) } as Body;
  });
  return { ...bodies[0], [list]: bodies.flatMap((body) => body[list] ?? []) };
}

describe.each(rows)('$protocol', ({ script, list }) => {
  test.each([
    [
      'in order',
      [
        [0, 'one'],
        [1, 'two'],
        [2, 'three'],
      ],
    ],
    [
      'in another order',
      [
        [2, 'three'],
        [0, 'one'],
        [1, 'two'],
      ],
    ],
  ] as const)('choices that arrive %s are all returned by their index', async (_how, texts) => {
    protocols.upstream.script(answerJson(bodyOf(script, list, texts)));
    const { choices } = (await (await protocols.ask(script, { n: 3 })).json()) as { choices: object[] };
    expect(choices).toMatchObject(
      ['one', 'two', 'three'].map((content, index) => ({
        index,
        message: { content },
        finish_reason: 'stop',
      })),
    );
  });
});

test('several choices in a stream are rejected', async () => {
  const response = await protocols.ask(openaiScript, { n: 2, stream: true });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'n' } });
});
