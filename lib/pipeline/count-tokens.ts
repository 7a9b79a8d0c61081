/** One target asked how many tokens a request has. Knows nothing of other targets. */
import { GatewayError } from '../core/errors/errors.ts';
import type { JsonObject } from '../core/formats/json-object.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import { encodeRequest } from '../providers/provider.ts';
import type { GenerationCall } from './generation/call-generation.ts';
import { fetchForTarget } from './media/fetch-for-target.ts';
import type { CallOptions } from './model-task.ts';
import { withNativeFields } from './native-fields.ts';
import { expectSuccess, isSandbox, openAccount, readJson } from './use/account.ts';

export interface CountedTokens {
  readonly inputTokens: number;
  /** True: the gateway estimated it, because the provider does not count for this model. */
  readonly isEstimated: boolean;
  /** What the provider reports beside the count. */
  readonly others?: JsonObject;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

const largestCount = 64 * 1024;

/** Rejects with GatewayError when the provider refuses the request or cannot be reached. */
export async function countTokens(prepared: GenerationCall, options: CallOptions): Promise<CountedTokens> {
  const estimate = async () => {
    const { countOwn } = await import('./own-count/count-own.ts');
    const inputTokens = await countOwn(prepared.request, prepared.target, options.signal);
    return { inputTokens, isEstimated: true, sandbox: false };
  };
  if (!prepared.generation.counter) return await estimate();
  try {
    return await askProvider(prepared, prepared.generation.counter, options);
  } catch (thrown) {
    if (thrown instanceof GatewayError && countsNot(thrown)) return await estimate();
    throw thrown;
  }
}

async function askProvider(
  { provider, generation, target, request }: GenerationCall,
  counter: NonNullable<GenerationCall['generation']['counter']>,
  { connections, media, signal, memory, attempt }: CallOptions,
): Promise<CountedTokens> {
  const { request: ready } = await fetchForTarget(request, generation, media, signal);
  const protocol = withNativeFields(generation.protocol, request.nativeFields);
  const options = { signal, memory, attempt, held: media.held };
  const account = await openAccount(provider, target, 'body', connections, options);
  const { upstreamId } = target.deployment;
  const { body, headers } = encodeRequest(protocol, ready, target);
  const sent = counter.body(body, upstreamId);
  const response = await account.post(counter.path(upstreamId), sent, {
    free: true,
    inBase64: counter.inBase64,
    headers: counter.takesBetas === false ? withoutBetas(headers) : headers,
  });
  await expectSuccess(response, protocol).catch((thrown) => {
    throw withCallerPath(thrown, request);
  });
  const answer = await readJson(response, largestCount);
  const inputTokens = counter.read(answer);
  if (inputTokens === undefined) {
    throw new GatewayError('upstream_invalid_answer', 'The provider returned no count of tokens.');
  }
  const others = counter.readOthers?.(answer);
  return { inputTokens, isEstimated: false, sandbox: isSandbox(response), ...(others && { others }) };
}

const withoutBetas = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'anthropic-beta'));

/**
 * Whether a provider does not count for a model, where it does for others: an unknown path, or Bedrock's "The provided model
 * doesn't support counting tokens." (pydantic/pydantic-ai issue 4001).
 */
function countsNot({ upstreamStatus, message }: GatewayError): boolean {
  return (
    upstreamStatus === 404 || upstreamStatus === 405 || /^[\w ']{0,60} support counting tokens/i.test(message)
  );
}
