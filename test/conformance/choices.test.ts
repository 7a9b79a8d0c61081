/** Several choices (`n`), in the protocols that support them. */
import { describe, expect, test } from 'vitest';
import { useWires } from '../harness/gateways/wire-gateway.ts';
import { answerJson } from '../harness/upstream.ts';
import { finish, start, text, type WireScript } from '../harness/wire-scripts.ts';
import { googleScript } from '../harness/wires/google.ts';
import { openaiScript } from '../harness/wires/openai.ts';

const wires = useWires();

type Body = Record<string, { index: number }[]>;

/** Where the protocol lists the choices. */
const rows: readonly { wire: string; script: WireScript; list: string }[] = [
  { wire: 'openai', script: openaiScript, list: 'choices' },
  { wire: 'google', script: googleScript, list: 'candidates' },
];

function bodyOf(script: WireScript, list: string, texts: readonly (readonly [number, string])[]): object {
  const bodies = texts.map(([index, said]) => {
    const body = script.body([start, text(said), finish]) as Body;
    return { ...body, [list]: (body[list] ?? []).map((choice) => ({ ...choice, index })) } as Body;
  });
  return { ...bodies[0], [list]: bodies.flatMap((body) => body[list] ?? []) };
}

describe.each(rows)('$wire', ({ script, list }) => {
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
    wires.upstream.script(answerJson(bodyOf(script, list, texts)));
    const { choices } = (await (await wires.ask(script, { n: 3 })).json()) as { choices: object[] };
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
  const response = await wires.ask(openaiScript, { n: 2, stream: true });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: 'n' } });
});
