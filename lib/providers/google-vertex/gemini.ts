/** Gemini on Vertex: the Gemini API below a project. */
import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationProtocol } from '../../core/generation/original/protocol.ts';
import { geminiFormat } from '../../core/generation/reasoning-format.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { unsupported } from '../../normalization/rules.ts';
import { vertexEmbedContent, vertexPredict } from '../../protocols/google-embeddings.ts';
import { googleGenerateContent, vertexCounter } from '../../protocols/google-generate-content/protocol.ts';
import { googleSpeech } from '../../protocols/google-speech.ts';
import { googleTranscriptions } from '../../protocols/google-transcriptions.ts';
import { embeddingsBy } from '../embedding-rules.ts';
import { vertexImages } from '../google/images.ts';
import { google, messageRules } from '../google/provider.ts';
import type { Provider } from '../provider.ts';
import { speechBy } from '../speech-rules.ts';
import { geminiTranscription, transcriptionBy } from '../transcription-rules.ts';
import { vertexAccount } from './account.ts';

const vertexGemini: GenerationProtocol = {
  ...googleGenerateContent,
  path: (upstreamId, stream) => `/publishers/google${googleGenerateContent.path(upstreamId, stream)}`,
  encode: (request, target) => withoutDeveloperFields(googleGenerateContent.encode(request, target)),
};

/** Vertex always combines its search with functions: it has neither the field that requests it, nor ids of calls. */
function withoutDeveloperFields({ contents, toolConfig, ...body }: JsonObject): JsonObject {
  const { includeServerSideToolInvocations: _, ...config } = asObject(toolConfig);
  return {
    ...body,
    contents: asArray(contents).map((content) => {
      const { parts, ...others } = asObject(content);
      return { ...others, parts: asArray(parts).map((part) => withoutId(asObject(part))) };
    }),
    ...(toolConfig !== undefined && { toolConfig: config }),
  };
}

function withoutId(part: JsonObject): JsonObject {
  const name = ['functionCall', 'functionResponse'].find((key) => key in part);
  if (name === undefined) return part;
  const { id: _, ...rest } = asObject(part[name]);
  return { ...part, [name]: rest };
}

export const googleVertex: Provider = {
  name: 'google-vertex',
  ...vertexAccount('v1beta1'),
  generation: {
    ...google.generation,
    protocol: vertexGemini,
    counter: vertexCounter,
    rules: {
      ...google.generation.rules,
      // It asks for a tier by a header, and only at its global endpoint.
      parameters: [...google.generation.rules.parameters, ...unsupported('service_tier')],
      // It takes no steps of the Developer API's search.
      messages: messageRules(geminiFormat),
    },
  },
  images: vertexImages,
  speech: speechBy({
    ...googleSpeech,
    path: (upstreamId) => `/publishers/google${googleSpeech.path(upstreamId)}`,
  }),
  transcription: transcriptionBy(
    {
      ...googleTranscriptions,
      path: (request, target) => `/publishers/google${googleTranscriptions.path(request, target)}`,
    },
    geminiTranscription,
  ),
  embeddings: embeddingsBy(({ model }) =>
    model.traits.embedding?.protocol === 'embed-content' ? vertexEmbedContent : vertexPredict,
  ),
};
