/** What real clients send is served by every family of models, and refused only where nothing else is right. */
import { describe, expect, test } from 'vitest';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { type Given, handBack, pathOf, readGiven } from './answers.ts';
import { modelOf, onFamilies } from './families.ts';
import { type Fixture, readFixtures, type Step } from './fixtures.ts';

const gateway = useGateway();
const fixtures = readFixtures();

async function send({ method, path, body }: Step, headers: Fixture['headers'], given: readonly Given[]) {
  const response = await fetch(`${gateway().url}${pathOf(path, given)}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${gateway().apiKey}` },
    ...(body !== undefined && { body: JSON.stringify(handBack(body, given)) }),
  });
  return { status: response.status, text: await response.text() };
}

async function sendAll({ setup, headers, ...last }: Fixture) {
  const given: Given[] = [];
  for (const step of setup) {
    const { status, text } = await send(step, headers, given);
    expect({ status, failed: failureIn(text) }, 'an earlier step').toEqual({ status: 200, failed: '' });
    given.push(readGiven(text, step.path));
  }
  return send(last, headers, given);
}

/** The error of an answer, also of a stream that failed late. */
const failureIn = (text: string): string => /"error":(\{.*)/s.exec(text)?.[1] ?? '';

const served = fixtures
  .filter(({ refused }) => refused === undefined)
  .flatMap(onFamilies)
  .map((fixture) => ({ ...fixture, model: modelOf(fixture) }));

describe.concurrent('served', () => {
  test.each(served)('$client #$id $model: $name', async ({ model: _, ...fixture }) => {
    const { status, text } = await sendAll(fixture);
    expect({ status, failed: failureIn(text) }).toEqual({ status: 200, failed: '' });
  });
});

const refused = fixtures.flatMap(({ refused, ...fixture }) =>
  refused === undefined ? [] : [{ ...fixture, ...refused }],
);

describe.concurrent('refused', () => {
  test.each(refused)('$client #$id $param: $reason', async ({ status, param, ...fixture }) => {
    const answer = await sendAll(fixture);
    const { error } = JSON.parse(answer.text);
    expect({ status: answer.status, param: error?.param }).toEqual({ status, param });
  });
});
