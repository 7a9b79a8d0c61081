/** What a client secret contributes to the pipeline. The session goes from its client to the provider: nothing of it is seen here. */
import type { Target } from '../core/catalog/model.ts';
import { asObject } from '../core/formats/json-object.ts';
import type { ClientSecret, SecretRequest } from '../core/generation/realtime.ts';
import type { Provider, Providers, Realtime } from '../providers/provider.ts';
import type { CallOptions, ModelTask } from './model-task.ts';
import { type AskedModels, oneCallTask, servedBy } from './one-call.ts';
import { isSandbox, openAccount, readJson } from './use/account.ts';
import { readAnswer } from './use/read-answer.ts';

export interface SecretCall {
  readonly provider: Provider;
  readonly realtime: Realtime;
  readonly target: Target;
  readonly request: SecretRequest;
}

export interface MadeSecret extends ClientSecret {
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** Its session is as long as the one that was sent, and what the provider adds. */
const largestAnswer = 16 * 1024 * 1024;

export const realtimeTask = (
  { providers }: { readonly providers: Providers },
  asked: AskedModels & { readonly request: SecretRequest },
): ModelTask<SecretCall, MadeSecret> => ({
  ...oneCallTask('realtime', asked, 'realtime'),
  needs: [{ modality: 'audio' }],
  alsoCalls: () => transcriberOf(asked.request),
  inputTokens: () => 0,
  maxTokens: () => ({ input: 0, output: 0, isUnseen: true }),
  prepare(target) {
    const { provider, serves: realtime } = servedBy(providers, target, 'realtime');
    return { provider, realtime, target, request: asked.request };
  },
  call: callRealtime,
});

/** The model that writes down what is said to another one. */
function transcriberOf({ session }: SecretRequest) {
  if (session.type === 'transcription') return [];
  const { model } = asObject(asObject(asObject(session.audio).input).transcription);
  const param = 'session.audio.input.transcription.model';
  return typeof model === 'string' ? [{ model: `openai/${model}`, param }] : [];
}

/** What a secret is used for is never known: its call stays uncounted, so that its cost is unknown, and not none. */
async function callRealtime(
  { provider, realtime: { protocol }, target, request }: SecretCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<MadeSecret> {
  const options = { signal, lasting, memory, attempt };
  const account = await openAccount(provider, target, 'stream', connections, options);
  const sent = { headers: protocol.headers(request) };
  const response = await account.post(protocol.path, protocol.encode(request, target), sent);
  return await readAnswer(response, {
    protocol,
    read: async () => ({
      ...protocol.decode(await readJson(response, largestAnswer)),
      sandbox: isSandbox(response),
    }),
    // The paths of its fields are the caller's, too.
    located: (error) => error.with({ param: error.upstreamParam ?? error.param }),
  });
}
