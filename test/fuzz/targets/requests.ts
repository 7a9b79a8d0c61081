/** Requests: any JSON is read, or refused with a 400 that names no more than a field. */
import { examples } from '../../../build/openapi/example-bodies.ts';
import { GatewayError } from '../../../lib/core/errors/errors.ts';
import { validate } from '../../../lib/http/request/validate.ts';
import { readQuestion, usageSchema } from '../../../lib/metering/usage/question.ts';
import { readChat } from '../../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../../lib/operations/chat/read/schema.ts';
import { readCompletions } from '../../../lib/operations/completions/read.ts';
import { completionsSchema } from '../../../lib/operations/completions/schema.ts';
import { readEmbeddings } from '../../../lib/operations/embeddings/read.ts';
import { embeddingsSchema } from '../../../lib/operations/embeddings/schema.ts';
import { readImages } from '../../../lib/operations/images/read.ts';
import { readEdits } from '../../../lib/operations/images/read-edits.ts';
import { editsSchema, imagesSchema } from '../../../lib/operations/images/schema.ts';
import {
  countSchema as countMessagesSchema,
  readCount as readMessagesCount,
} from '../../../lib/operations/messages/count/endpoint.ts';
import { readMessages } from '../../../lib/operations/messages/read/read.ts';
import { messagesSchema } from '../../../lib/operations/messages/read/schema.ts';
import { readClientSecrets } from '../../../lib/operations/realtime/read.ts';
import { clientSecretsSchema } from '../../../lib/operations/realtime/schema.ts';
import { readRerank } from '../../../lib/operations/rerank/read.ts';
import { rerankSchema } from '../../../lib/operations/rerank/schema.ts';
import { compactSchema, readCompact } from '../../../lib/operations/responses/compact/endpoint.ts';
import { countSchema, readCount } from '../../../lib/operations/responses/count/endpoint.ts';
import { readResponses } from '../../../lib/operations/responses/read/read.ts';
import { responsesSchema } from '../../../lib/operations/responses/read/schema.ts';
import { readSpeech } from '../../../lib/operations/speech/read.ts';
import { speechSchema } from '../../../lib/operations/speech/schema.ts';
import { readFixtures } from '../../clients/fixtures.ts';
import { faultsOfError } from './generation.ts';
import { jsonLines, readValue, type Target } from './target.ts';

const readers: Readonly<Record<string, (body: unknown) => unknown>> = {
  'chat-completions': (body) => readChat(validate(chatSchema, body), body),
  completions: (body) => readCompletions(validate(completionsSchema, body)),
  responses: (body) => readResponses(validate(responsesSchema, body), body),
  'responses-compact': (body) => readCompact(validate(compactSchema, body), body),
  'responses-input-tokens': (body) => readCount(validate(countSchema, body), body),
  messages: (body) => readMessages(validate(messagesSchema, body), body),
  'messages-count-tokens': (body) => readMessagesCount(validate(countMessagesSchema, body), body),
  embeddings: (body) => readEmbeddings(validate(embeddingsSchema, body)),
  'images-generations': (body) => readImages(validate(imagesSchema, body)),
  'images-edits': (body) => readEdits(validate(editsSchema, body)),
  rerank: (body) => readRerank(validate(rerankSchema, body)),
  'audio-speech': (body) => readSpeech(validate(speechSchema, body)),
  'realtime-client-secrets': (body) => readClientSecrets(validate(clientSecretsSchema, body)),
  'usage-retrieve': (query) => readQuestion(validate(usageSchema, query), Date.UTC(2026, 5)),
};

const paths: Readonly<Record<string, string>> = {
  'chat-completions': '/chat/completions',
  responses: '/responses',
  embeddings: '/embeddings',
  completions: '/completions',
  messages: '/messages',
  'messages-count-tokens': '/messages/count_tokens',
};

/** Longer requests are not more useful, and slow. */
const maxBytes = 20_000;

export function requestTargets(): readonly Target[] {
  const fixtures = readFixtures();
  return Object.entries(readers).map(([name, read]) => {
    const sent = fixtures.filter(
      ({ path }) => paths[name] !== undefined && path.split('?')[0]?.endsWith(paths[name]),
    );
    const bodies = [examples[name as keyof typeof examples].request, ...sent.map(({ body }) => body)];
    return {
      name: `request ${name}`,
      samples: bodies
        .filter((body) => body !== undefined)
        .map((body) => jsonLines([body]))
        .filter(({ length }) => length < maxBytes),
      check: (input) => faultsOfReading(() => read(readValue(input))),
    };
  });
}

function faultsOfReading(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (thrown) {
    if (!(thrown instanceof GatewayError)) throw thrown;
    return thrown.status === 400 ? faultsOfError(thrown) : [`is refused with ${thrown.status}`];
  }
}
