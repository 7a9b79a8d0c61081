/** One target asked to classify texts and images. Knows nothing of other targets. */
import type { Target } from '../../core/catalog/model.ts';
import { inputsIn, type ModerationAnswer, type ModerationRequest } from '../../core/generation/moderation.ts';
import { inputOnly } from '../../core/generation/usage.ts';
import type { Moderations, Provider } from '../../providers/provider.ts';
import type { CallOptions } from '../model-task.ts';
import { isSandbox, openAccount, readJson } from '../use/account.ts';
import { noteEstimate, noteUse } from '../use/attempt-use.ts';
import { readAnswer } from '../use/read-answer.ts';

export interface ModerationCall {
  readonly provider: Provider;
  readonly moderations: Moderations;
  readonly target: Target;
  readonly request: ModerationRequest;
  /** The estimated number of tokens, used where the provider does not count them. */
  readonly estimate: number;
}

export interface Moderated extends ModerationAnswer {
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

const largestAnswer = 8 * 1024 * 1024;

export async function callModeration(
  { provider, moderations: { protocol }, target, request, estimate }: ModerationCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Moderated> {
  const options = { signal, lasting, memory, attempt };
  const account = await openAccount(provider, target, 'stream', connections, options);
  const response = await account.post(protocol.path, protocol.encode(request, target));
  return await readAnswer(response, {
    protocol,
    async read() {
      const answer = protocol.decode(await readJson(response, largestAnswer), inputsIn(request));
      const { promptTokens } = answer;
      if (promptTokens !== undefined) noteUse(attempt, { usage: inputOnly(promptTokens) });
      else noteEstimate(attempt, inputOnly(estimate));
      return { ...answer, sandbox: isSandbox(response) };
    },
    located: (error) => error,
  });
}
