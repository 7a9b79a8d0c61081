/** Recorded embeddings of the providers, unchanged. They are stored outside the project and may be absent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasRecordings } from './recordings.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/traffic');

interface EmbeddingRecording {
  readonly file: string;
  readonly provider: string;
  /** Traits of the model that answered. */
  readonly embedding: object;
  readonly input: readonly string[];
  readonly fields?: object;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The recorded request; absent if only the answer was stored. */
  readonly sent?: Readonly<Record<string, unknown>>;
  /** The expected result. */
  readonly vectors: readonly unknown[];
  readonly tokens?: number;
}

type Source = Pick<EmbeddingRecording, 'provider' | 'embedding' | 'fields' | 'tokens'> & {
  readonly file: string;
  readonly vectorsOf: (body: never) => readonly unknown[];
};

const data = ({ data: items }: { data: { embedding: unknown }[] }) => items.map((item) => item.embedding);
const five = { default: 5 };

const sources: readonly Source[] = [
  {
    file: 'openai-embeddings/openai-embedding.json',
    provider: 'openai',
    embedding: { dimensions: five },
    tokens: 12,
    vectorsOf: data,
  },
  {
    file: 'openai-embeddings/TestOpenAI.test_query.cassette.json',
    provider: 'openai',
    embedding: { dimensions: { default: 1536 } },
    tokens: 4,
    vectorsOf: data,
  },
  {
    file: 'openai-embeddings/TestOpenAI.test_embed_error.cassette.json',
    provider: 'openai',
    embedding: { dimensions: five },
    vectorsOf: () => [],
  },
  {
    file: 'voyage/voyage-embedding.json',
    provider: 'voyage',
    embedding: { dimensions: five, inputTypes: 'field' },
    tokens: 12,
    vectorsOf: data,
  },
  {
    file: 'voyage/TestVoyageAI.test_query.cassette.json',
    provider: 'voyage',
    embedding: { dimensions: { default: 1024 }, inputTypes: 'field' },
    fields: { extra: { input_type: 'query' } },
    tokens: 3,
    vectorsOf: data,
  },
  {
    file: 'voyage/TestVoyageAI.test_embed_error.cassette.json',
    provider: 'voyage',
    embedding: { dimensions: five },
    vectorsOf: () => [],
  },
  {
    file: 'cohere/cohere-embedding.json',
    provider: 'cohere',
    embedding: { dimensions: five, inputTypes: 'field' },
    tokens: 10,
    vectorsOf: ({ embeddings }: { embeddings: { float: unknown[] } }) => embeddings.float,
  },
  {
    file: 'cohere/TestCohere.test_embed_error.cassette.json',
    provider: 'cohere',
    embedding: { dimensions: five },
    vectorsOf: () => [],
  },
  {
    file: 'bedrock/TestBedrock.test_cohere_v4_with_dimensions.cassette.json',
    provider: 'bedrock',
    embedding: { dimensions: { default: 1536, values: [512] }, inputTypes: 'field', protocol: 'cohere' },
    fields: { dimensions: 512, extra: { input_type: 'query' } },
    tokens: 3,
    vectorsOf: ({ embeddings }: { embeddings: { float: unknown[] } }) => embeddings.float,
  },
  {
    file: 'bedrock/TestBedrock.test_titan_v2_with_dimensions.cassette.json',
    provider: 'bedrock',
    embedding: { dimensions: { default: 1024, values: [256] }, protocol: 'titan' },
    fields: { dimensions: 256 },
    tokens: 4,
    vectorsOf: ({ embedding }: { embedding: unknown }) => [embedding],
  },
  {
    file: 'bedrock/TestBedrock.test_nova_with_dimensions.cassette.json',
    provider: 'bedrock',
    embedding: { dimensions: { default: 3072, values: [256] }, inputTypes: 'field', protocol: 'nova' },
    fields: { dimensions: 256, extra: { input_type: 'query' } },
    tokens: 18,
    vectorsOf: ({ embeddings }: { embeddings: { embedding: unknown }[] }) =>
      embeddings.map(({ embedding }) => embedding),
  },
  {
    file: 'google/TestGoogle.test_query_with_dimensions.cassette.json',
    provider: 'google',
    embedding: { dimensions: { default: 3072, values: [768] }, inputTypes: 'field' },
    fields: { dimensions: 768, extra: { input_type: 'query' } },
    vectorsOf: ({ embeddings }: { embeddings: { values: unknown }[] }) =>
      embeddings.map(({ values }) => values),
  },
  {
    file: 'google/TestGoogle.test_embed_error.cassette.json',
    provider: 'google',
    embedding: { dimensions: five },
    vectorsOf: () => [],
  },
];

interface Cassette {
  readonly interactions: readonly {
    readonly request: { readonly body: Readonly<Record<string, unknown>> };
    readonly response: {
      readonly status: number;
      readonly headers: Readonly<Record<string, readonly string[]>>;
      readonly json: unknown;
    };
  }[];
}

export function embeddingRecordings(): readonly EmbeddingRecording[] {
  return hasRecordings ? sources.map(load) : [];
}

function load({ vectorsOf, ...source }: Source): EmbeddingRecording {
  const parsed = JSON.parse(readFileSync(join(folder, source.file), 'utf8'));
  if (!source.file.endsWith('.cassette.json')) {
    const vectors = vectorsOf(parsed as never);
    const input = vectors.map((_, index) => `text ${index}`);
    return { ...source, input, status: 200, headers: {}, body: parsed, vectors };
  }
  const [interaction] = (parsed as Cassette).interactions;
  if (!interaction) throw new Error(`${source.file} is empty.`);
  const { request, response } = interaction;
  const headers = Object.entries(response.headers).map(([name, values]) => [name, values.join(', ')]);
  return {
    ...source,
    input: textsOf(request.body),
    status: response.status,
    headers: Object.fromEntries(headers),
    body: response.json,
    sent: request.body,
    vectors: response.status === 200 ? vectorsOf(response.json as never) : [],
  };
}

/** The texts of a recorded request, in any protocol. */
function textsOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(body, (key, value) => {
    if (['text', 'inputText', 'value'].includes(key) && typeof value === 'string') texts.push(value);
    if (['input', 'texts'].includes(key) && Array.isArray(value)) texts.push(...value);
    return value;
  });
  return texts;
}

/** The recorded prediction of Vertex, whose model answers one text at a time: one body for each text. */
export function vertexPredictions(): readonly {
  predictions: readonly { embeddings: { values: number[] } }[];
}[] {
  const text = readFileSync(join(folder, 'google-vertex/google-vertex-embedding.json'), 'utf8');
  const { predictions, ...others } = JSON.parse(text);
  return predictions.map((prediction: object) => ({ ...others, predictions: [prediction] }));
}
