/** The embeddings of Vertex of the sandbox: predictions, and single contents for the models after. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { countTexts, embedderOf, encodeText, type SandboxEmbedder, tooLong } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { jsonAnswer, type SandboxResponse } from '../exchange.ts';
import { roleOf, textOfContent } from '../google/embeddings.ts';
import { refuse } from '../google/refuse.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../json.ts';

const actions = /^\/models\/([^/:]+):(predict|embedContent)$/;

/** Undefined for a path that is none of these. */
export function answerEmbeddings(path: string, body: unknown): SandboxResponse | undefined {
  const [, name = '', action] = actions.exec(path) ?? [];
  if (action === undefined) return undefined;
  const embedder = embedderOf(decodeURIComponent(name));
  if ((action === 'embedContent') !== (embedder.traits.protocol === 'embed-content')) {
    refuse(`Publisher model does not support ${action}.`, 400, 'FAILED_PRECONDITION');
  }
  return jsonAnswer(
    action === 'predict' ? predict(objectOf(body), embedder) : embedContent(objectOf(body), embedder),
  );
}

function predict({ instances, parameters }: JsonObject, embedder: SandboxEmbedder): object {
  const listed = objectsOf(instances);
  if (listed.length !== 1) refuse('The number of instances must be 1.');
  const settings = objectOf(parameters);
  return {
    predictions: listed.map(({ content, task_type: task }) => {
      const text = textOf(content);
      const values = encode(text, embedder, roleOf(task), settings);
      const statistics = { truncated: false, token_count: countTexts([text]) };
      return { embeddings: { statistics, values } };
    }),
    metadata: { billableCharacterCount: 1 },
  };
}

function embedContent({ content, embedContentConfig }: JsonObject, embedder: SandboxEmbedder): object {
  const text = textOfContent(objectOf(content));
  const settings = objectOf(embedContentConfig);
  return {
    embedding: { values: encode(text, embedder, roleOf(settings.taskType), settings) },
    usageMetadata: { promptTokenCount: countTexts([text]) },
    truncated: false,
  };
}

function encode(
  text: string,
  embedder: SandboxEmbedder,
  role: Role,
  { outputDimensionality, autoTruncate }: JsonObject,
): readonly number[] {
  const dimensions = numberOf(outputDimensionality) ?? embedder.whole;
  if (!embedder.gives(dimensions)) refuse(`Invalid output dimensionality: ${dimensions}.`);
  if (autoTruncate === false && tooLong([text], embedder) !== undefined) {
    refuse(`The input token count exceeds the maximum number of tokens allowed (${embedder.limit}).`);
  }
  return Array.from(encodeText(text, embedder, { role, dimensions }));
}
