/** A gateway whose providers all answer with one recording. */
import type { Recording } from '../recorded/recordings.ts';
import { useUpstreamGateway } from './upstream-gateway.ts';

/** A model of each provider; the ones with failures among their recordings have no second deployment. */
export const recordedModels: Readonly<Record<string, string>> = {
  openai: 'openai/gpt-4.1-mini',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-2.5-flash-lite',
  bedrock: 'amazon/nova-pro',
  cohere: 'cohere/command-a-reasoning-08-2025',
  mistral: 'mistral/mistral-small-2603',
  xai: 'xai/grok-4.3',
  deepseek: 'deepseek/deepseek-flash',
  groq: 'openai/gpt-oss-20b',
  moonshot: 'moonshotai/kimi-k3',
  alibaba: 'alibaba/qwen3.7-plus',
  cerebras: 'zai/glm-4.7',
  openrouter: 'moonshotai/kimi-k2-thinking',
};

/** Streams that must not be reported as a success: they contain the beginning of another answer, or an error. */
export const brokenRecordings = new Set([
  'anthropic/spliced-message-start.chunks.txt',
  'groq/test_tool_use_failed_error_streaming.cassette.json #0',
  'openrouter/test_openrouter_stream_error.cassette.json #0',
]);

export type Replay = (path: string, recording: Omit<Recording, 'name'>, more?: object) => Promise<Response>;

/** Starts it for the tests of a file, and gives a way to ask the model of a recording at a path. */
export function useRecordedGateway(): Replay {
  const providers = Object.keys(recordedModels).map((provider) => provider.toUpperCase());
  const { gateway, upstream } = useUpstreamGateway(providers);
  return (path, { provider, stream, status, contentType, body }, more = {}) => {
    upstream.script((_request, response) => {
      response.writeHead(status, { 'content-type': contentType }).end(body);
    });
    return gateway.post(path, { model: recordedModels[provider], stream, ...more });
  };
}
