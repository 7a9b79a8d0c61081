/** Recorded requests that a provider answered with 200: its sandbox refuses none of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxRoutes } from '../../local/providers.ts';
import { Refusal } from '../../sandbox/exchange.ts';
import { hasRecordings, recordingsFolder } from '../harness/recorded/recordings.ts';

interface Interaction {
  readonly request: { readonly method: string; readonly url: string; readonly body?: unknown };
  readonly response: { readonly status: number };
}

/** The provider of a folder, and where its addresses have what the sandbox's base has. */
const folders: Readonly<Record<string, { readonly provider: string; readonly base: RegExp }>> = {
  anthropic: { provider: 'anthropic', base: /^\/v1/ },
  bedrock: { provider: 'bedrock', base: /^/ },
  cohere: { provider: 'cohere', base: /^\/v2/ },
  deepseek: { provider: 'deepseek', base: /^/ },
  google: { provider: 'google', base: /^\/v1beta/ },
  'google-vertex': { provider: 'google-vertex', base: /^\/v1(beta1)?/ },
  groq: { provider: 'groq', base: /^\/openai\/v1/ },
  mistral: { provider: 'mistral', base: /^\/v1/ },
  'openai-chat': { provider: 'openai', base: /^\/v1/ },
  'openai-embeddings': { provider: 'openai', base: /^\/v1/ },
  'openai-responses': { provider: 'openai', base: /^\/v1/ },
  openrouter: { provider: 'openrouter', base: /^\/api\/v1/ },
  voyage: { provider: 'voyage', base: /^\/v1/ },
};

/** Sent by any client: the recordings have no keys. */
const headers = {
  'anthropic-version': '2023-06-01',
  'x-api-key': 'key',
  authorization: 'Bearer key',
  'x-goog-api-key': 'key',
};

const exchanges = !hasRecordings
  ? []
  : Object.keys(folders).flatMap((folder) => {
      const files = readdirSync(join(recordingsFolder, folder)).filter((name) =>
        name.endsWith('.cassette.json'),
      );
      return files.flatMap((file) => {
        const text = readFileSync(join(recordingsFolder, folder, file), 'utf8');
        const { interactions } = JSON.parse(text) as { readonly interactions: readonly Interaction[] };
        return interactions
          .map((exchange, index) => ({
            ...exchange,
            folder,
            name: `${folder}/${file.replace('.cassette.json', '')} #${index}`,
          }))
          .filter(({ request, response }) => request.method === 'POST' && response.status === 200);
      });
    });

function refusalOf({ folder, request }: (typeof exchanges)[number]): string | undefined {
  const { provider, base } = folders[folder] ?? { provider: folder, base: /^/ };
  const route = sandboxRoutes.find((one) => one.provider === provider);
  const url = new URL(request.url);
  try {
    const answer = route?.handle({
      provider,
      method: 'POST',
      path: url.pathname.replace(base, ''),
      query: url.searchParams,
      headers,
      body: request.body,
    });
    return answer?.status === 200 ? undefined : `${answer?.status} ${answer?.chunks.join('').slice(0, 300)}`;
  } catch (thrown) {
    if (thrown instanceof Refusal) return `${thrown.answer.status} ${thrown.answer.chunks.join('')}`;
    throw thrown;
  }
}

/** Why the sandbox refuses what the provider took, by the beginning of the name. */
const known: Readonly<Record<string, string>> = {
  'anthropic/test_anthropic_model_thinking_part #1': 'It knows only signatures that it has made.',
  'anthropic/test_anthropic_tool_with_thinking #1': 'It knows only signatures that it has made.',
  'bedrock/test_bedrock_cache_write_and_read': 'A line break alone is refused as blank.',
  'deepseek/test_deepseek_responses_text_stream': 'The gateway does not use its Responses API.',
  'google/TestGoogle.test_query_with_dimensions': 'The model is not served any more.',
  'google/test_google_model_cached_content #': 'It has only content that it has stored.',
  'google/test_google_streaming_tool_call_thought_signature': 'It reads names in camel case alone.',
  'google/test_google_vertex_logprobs_structure': 'It is a request to Vertex.',
  'google/test_tool_choice_matrix': 'It reads names in camel case alone.',
  'google-vertex/test_google_model_armor': 'Callers cannot ask for Model Armor.',
  'openai-responses/test_openai_previous_response_id #1': 'It has only responses that it has stored.',
  'openai-responses/test_tool_choice_matrix_auto-openai_responses #1': 'It knows only reasoning of its own.',
};

test.runIf(hasRecordings)('none is refused that was answered, but for known reasons', () => {
  const isKnown = (name: string) => Object.keys(known).find((one) => name.startsWith(one));
  const refused = exchanges.flatMap((one) => {
    const refusal = refusalOf(one);
    return refusal === undefined ? [] : [{ name: one.name, refusal }];
  });
  expect(exchanges.length).toBeGreaterThan(50);
  expect(refused.filter(({ name }) => isKnown(name) === undefined)).toEqual([]);
  expect(new Set(refused.map(({ name }) => isKnown(name)))).toEqual(new Set(Object.keys(known)));
});
