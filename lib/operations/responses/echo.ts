/** What a response object repeats of the request that it answers. */
import type { JsonObject } from '../../core/generation.ts';

export interface ResponseEcho {
  readonly background: false;
  readonly instructions: string | null;
  readonly max_output_tokens: number | null;
  readonly max_tool_calls: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parallel_tool_calls: boolean;
  readonly previous_response_id: string | null;
  readonly prompt_cache_key: string | null;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null };
  readonly safety_identifier: string | null;
  readonly store: boolean;
  readonly temperature: number;
  readonly text: { readonly format: JsonObject; readonly verbosity?: string };
  readonly tool_choice: string | JsonObject;
  readonly tools: readonly JsonObject[];
  readonly top_logprobs: number;
  readonly top_p: number;
  readonly truncation: 'auto' | 'disabled';
  /** Absent where none was given: OpenAI's schema does not let it be null. */
  readonly user?: string;
}
