/** Reads a valid body of the Responses operation, and checks what spans several fields. */
import type { GenerationRequest } from '../../core/generation.ts';
import type { DebugCategory } from '../debug.ts';
import type { ResponseEcho } from './echo.ts';
import type { InputItem } from './item.ts';
import type { ResponsesBody } from './schema.ts';

/** A request, read; what it only refers to is still to be found (`history.ts`). */
export interface ResponsesInput {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly debug: readonly DebugCategory[];
  /** True: where the conversation is too long for the model, its middle is left out. */
  readonly truncate: boolean;
  readonly store: boolean;
  readonly previousResponseId?: string;
  /** Whether reasoning items are answered with `encrypted_content`. */
  readonly includesEncrypted: boolean;
  /** Whether web searches are answered with the `sources` of their action. */
  readonly includesSources: boolean;
  readonly instructions?: string;
  readonly items: readonly InputItem[];
  /** What is asked of the model, but for the conversation (`readConversation` makes its messages). */
  readonly request: Omit<GenerationRequest, 'messages'>;
  readonly echo: ResponseEcho;
  /** The body as it came, for telling of its fields in the caller's words. */
  readonly body: ResponsesBody;
}

export function readResponses(_body: ResponsesBody): ResponsesInput {
  throw new Error('Not written yet.');
}
