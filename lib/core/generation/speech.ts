/** The internal format of speech requests: what readers produce, and the pieces of every speech protocol. */
import type { SpeechFormat, Target } from '../catalog/model.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { AudioMeter } from '../formats/audio/meter.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { JsonObject } from './request.ts';
import type { Counted } from './usage.ts';

/** What the caller set, under its public name; absent means not set. */
interface SpeechParameters {
  /** A name, or a voice that the account has made at its provider. */
  readonly voice: string | { readonly id: string };
  readonly instructions?: string;
  /** `mp3` if absent. */
  readonly response_format?: SpeechFormat;
  readonly speed?: number;
}

export const nameOfVoice = (voice: SpeechParameters['voice']): string =>
  typeof voice === 'string' ? voice : voice.id;

export interface SpeechRequest {
  readonly input: string;
  readonly parameters: SpeechParameters;
}

export interface SpeechPiece {
  readonly audio?: Uint8Array;
  readonly counted?: Counted | undefined;
  /** All audio has come. */
  readonly isLast?: boolean;
}

/** A protocol for speech; like a GenerationProtocol, it knows no provider, host or key. */
export interface SpeechProtocol {
  /** Measures its audio; undefined where the format does not say how long it is, or nothing depends on it. */
  meter?(format: SpeechFormat, target: Target): AudioMeter | undefined;
  /** Headers beside those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a character counts as at most, where the provider says how many it charges for. Absent: as one. */
  readonly maxPerCharacter?: number;
  /** Path below the provider's base URL, with a leading slash. */
  path(upstreamId: string): string;
  /** Total. */
  encode(request: SpeechRequest, target: Target): JsonObject;
  /** Reads the data of an event; undefined for a target that answers with the bytes of the audio. Throws GatewayError for a failure. */
  reader(request: SpeechRequest, target: Target): ((data: string) => SpeechPiece) | undefined;
  readFailure(failure: UpstreamFailure): GatewayError;
}
