/** The internal format of moderation: what is classified, and what a protocol of it answers. */
import type { Target } from '../catalog/model.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { JsonObject } from './request.ts';

/** A part of the one input that is made of texts and images. */
export type ModeratedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface ModerationRequest {
  /** Texts, each an input of its own, or the parts of one input. */
  readonly input: readonly string[] | readonly ModeratedPart[];
}

/** Of one input, in OpenAI's format; the categories are the model's own. */
export interface ModerationResult {
  readonly flagged: boolean;
  readonly categories: Readonly<Record<string, unknown>>;
  readonly category_scores: Readonly<Record<string, unknown>>;
  readonly category_applied_input_types?: Readonly<Record<string, unknown>>;
}

export interface ModerationAnswer {
  readonly id: string | undefined;
  /** In the order of the inputs. */
  readonly results: readonly ModerationResult[];
  /** As reported by upstream; undefined if it reports none. */
  readonly promptTokens: number | undefined;
}

/** How many results an input gets. */
export const inputsIn = ({ input }: ModerationRequest): number =>
  typeof input[0] === 'string' ? input.length : 1;

export interface ModerationProtocol {
  /** Below the provider's base URL, with a leading slash. */
  readonly path: string;
  encode(request: ModerationRequest, target: Target): JsonObject;
  /** Throws GatewayError `upstream_invalid_answer` for anything but one result for each input. */
  decode(body: unknown, inputs: number): ModerationAnswer;
  readFailure(failure: UpstreamFailure): GatewayError;
}
