/** Recorded embeddings of each provider through the whole gateway: the numbers are returned unchanged. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';
import { type EmbeddingsBody, floatsOf, putEmbedders } from '../../harness/matrix/embedders.ts';
import { embeddingRecordings, vertexPredictions } from '../../harness/recorded/embedding-recordings.ts';
import { hasRecordings } from '../../harness/recorded/recordings.ts';
import { answerJson } from '../../harness/upstream.ts';

const recordings = embeddingRecordings().map((recording, index) => ({
  ...recording,
  id: `recorded/model-${index}`,
}));

const { gateway, upstream } = useUpstreamGateway(
  ['OPENAI', 'VOYAGE', 'COHERE', 'BEDROCK', 'GOOGLE', 'GOOGLE_VERTEX'],
  { GOOGLE_VERTEX_PROJECT: 'p' },
);
beforeAll(async () => {
  await putEmbedders([
    ...recordings.map(({ id, provider, embedding }) => ({ id, provider, upstreamId: 'm', embedding })),
    {
      id: 'recorded/vertex',
      provider: 'google-vertex',
      upstreamId: 'm',
      embedding: { dimensions: { default: 5 }, inputTypes: 'field' },
    },
  ]);
});

async function embed(body: object) {
  const response = await gateway.post('/v1/embeddings', body);
  return { status: response.status, body: (await response.json()) as EmbeddingsBody };
}

/** A recorded vector, as numbers. */
const numbersOf = (written: unknown) => (typeof written === 'string' ? floatsOf(written) : written);

const answered = recordings.filter(({ status }) => status === 200);

describe.skipIf(!hasRecordings)('recorded answers', () => {
  test('are there', () => expect(answered.length).toBeGreaterThan(7));

  test.each(answered)(
    '$file',
    async ({ id, input, fields, status, headers, body, vectors, tokens, sent }) => {
      const count = { totalTokens: 7 };
      upstream.script((request, response) =>
        answerJson(request.path.endsWith(':countTokens') ? count : body, status, headers)(request, response),
      );
      const float = await embed({ model: id, input, ...fields });
      expect(float.status).toBe(200);
      expect(float.body.data.map(({ embedding }) => embedding)).toEqual(vectors.map(numbersOf));
      expect(float.body.usage.prompt_tokens).toBe(tokens ?? count.totalTokens);
      if (sent) expect(upstream.requests[0]?.body).toMatchObject(withoutDefaults(sent));
      const base64 = await embed({ model: id, input, encoding_format: 'base64', ...fields });
      for (const [index, { embedding }] of base64.body.data.entries()) {
        const numbers = numbersOf(vectors[index]) as readonly number[];
        expect(floatsOf(embedding as unknown as string)).toEqual(numbers.map(Math.fround));
      }
    },
  );

  test('of Vertex, a text at a time', async () => {
    const bodies = vertexPredictions();
    upstream.script((request, response) => {
      const [instance] = request.body.instances as { content: string }[];
      return answerJson(bodies[Number(instance?.content)])(request, response);
    });
    const { body } = await embed({ model: 'recorded/vertex', input: ['0', '1'] });
    const expected = bodies.flatMap(({ predictions }) => predictions.map((one) => one.embeddings.values));
    expect(body.data.map(({ embedding }) => embedding)).toEqual(expected);
    expect(body.usage).toEqual({ prompt_tokens: 11, total_tokens: 11 });
  });
});

/** The recorded model was another one, and a null means an absent field. */
function withoutDefaults(sent: object): object {
  const text = JSON.stringify(sent, (key, value) => (key === 'model' || value === null ? undefined : value));
  return JSON.parse(text);
}

describe.skipIf(!hasRecordings)('recorded refusals', () => {
  test.each(recordings.filter(({ status }) => status !== 200))('$file', async (recording) => {
    upstream.script(answerJson(recording.body, recording.status, recording.headers));
    const { status, body } = await embed({ model: recording.id, input: recording.input });
    // The model is missing there: not an error of the caller.
    expect(status).toBe(503);
    expect(body.error).toMatchObject({ code: 'provider_model' });
    expect(upstream.requests).toHaveLength(1);
  });
});
