/** The internal format of transcriptions: what readers produce, and what every protocol makes of an answer. */
import type { Target } from '../catalog/model.ts';
import type { Granularity } from '../catalog/transcription-traits.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { AudioType } from '../formats/audio/audio-type.ts';
import type { FormFile } from '../ports/http.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { JsonObject } from './request.ts';
import type { Counted } from './usage.ts';

export const transcriptionFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json', 'diarized_json'] as const;
export type TranscriptionFormat = (typeof transcriptionFormats)[number];

/** What the caller set, under its public name; absent means not set. */
interface TranscriptionParameters {
  /** `json` if absent. */
  readonly response_format?: TranscriptionFormat;
  readonly timestamp_granularities?: readonly Granularity[];
  readonly prompt?: string;
  readonly temperature?: number;
  readonly language?: string;
  readonly languages?: readonly string[];
  readonly keywords?: readonly string[];
  readonly include?: readonly 'logprobs'[];
  readonly chunking_strategy?: 'auto' | JsonObject;
  readonly known_speaker_names?: readonly string[];
  readonly known_speaker_references?: readonly string[];
}

export interface Audio {
  readonly bytes: Buffer;
  readonly type: AudioType;
  /** By its container, in milliseconds; absent: unknown. */
  readonly ms?: number;
}

export interface TranscriptionRequest {
  /** Absent while it is not fetched. */
  readonly audio?: Audio;
  /** Where it is, in place of the audio. */
  readonly source?: { readonly url: string; readonly param: string };
  /** Whether its text is wanted as it is heard. */
  readonly stream?: boolean;
  /** Into English; else it is written as it is spoken. */
  readonly translates: boolean;
  readonly parameters: TranscriptionParameters;
}

/** In seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker?: string;
}

export interface Segment extends Span {
  /** What else the provider says of it, under OpenAI's names. */
  readonly facts?: JsonObject;
}

export type Word = Span;

/** What a target has heard. */
export interface Transcript {
  readonly text: string;
  readonly language?: string | undefined;
  readonly languages?: readonly JsonObject[] | undefined;
  readonly segments?: readonly Segment[] | undefined;
  readonly words?: readonly Word[] | undefined;
  readonly logprobs?: readonly unknown[] | undefined;
  /** Of the audio, in seconds. */
  readonly duration?: number | undefined;
  /** What is charged, in seconds. */
  readonly chargedSeconds?: number | undefined;
  /** What is charged, in tokens. */
  readonly counted?: Counted | undefined;
  readonly rawUsage?: JsonObject | undefined;
}

/** A part of what a target hears. */
export type TranscriptEvent =
  | { readonly type: 'delta'; readonly text: string; readonly logprobs?: readonly unknown[] | undefined }
  | { readonly type: 'segment'; readonly segment: Segment }
  | { readonly type: 'done'; readonly transcript: Transcript };

/** The audio as its protocol writes it. */
interface SentAudio extends Audio {
  /** What stands for its base64 until a body is written; empty for a protocol of forms. */
  readonly base64: string;
}

/** A body that is sent: a form or, without files, JSON. */
interface EncodedTranscription {
  readonly fields: JsonObject;
  readonly files?: readonly FormFile[];
}

/** A protocol for transcription; like a GenerationProtocol, it knows no provider, host or key. */
export interface TranscriptionProtocol {
  /** The name of the elements of a list; absent: the list's with brackets. */
  readonly listName?: (name: string) => string;
  /** Whether it sends the audio in base64. */
  readonly inJson?: boolean;
  /** Path below the provider's base URL, with a leading slash. */
  path(request: TranscriptionRequest, target: Target): string;
  /** Total. */
  encode(request: TranscriptionRequest, audio: SentAudio, target: Target): EncodedTranscription;
  /** Throws GatewayError `upstream_invalid_answer` for what is no transcript. */
  decode(body: unknown, request: TranscriptionRequest): Transcript;
  /** What a body counts that is no transcript; absent: such a body counts nothing. */
  readCounts?(body: unknown): Counted | undefined;
  /** Reads the data of an event; absent: it has no streams. Undefined for what says nothing. Throws GatewayError for a failure. */
  readEvent?(data: string, request: TranscriptionRequest): TranscriptEvent | undefined;
  readFailure(failure: UpstreamFailure): GatewayError;
}

/** The formats that need to know when something was said. */
export const timedFormats: readonly TranscriptionFormat[] = ['srt', 'vtt', 'verbose_json', 'diarized_json'];

/** Whether the target is asked for events, which no provider has of translations. */
export const isStreamed = ({ stream, translates }: TranscriptionRequest, { model }: Target): boolean =>
  stream === true && !translates && model.traits.transcription?.streams === true;

export const isTimed = ({
  parameters: { response_format: format = 'json' },
}: TranscriptionRequest): boolean => timedFormats.includes(format);

export const wantsSpeakers = ({ parameters }: TranscriptionRequest): boolean =>
  parameters.response_format === 'diarized_json';

export const wantsWords = ({ parameters }: TranscriptionRequest): boolean =>
  parameters.timestamp_granularities?.includes('word') ?? false;
