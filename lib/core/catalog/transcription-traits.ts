/** The facts about a model that transcribes. */

export const granularities = ['segment', 'word'] as const;
export type Granularity = (typeof granularities)[number];

/** The parameters that not every target takes. */
export const optionalTranscription = [
  'prompt',
  'temperature',
  'language',
  'languages',
  'keywords',
  'include',
  'chunking_strategy',
  'known_speaker_names',
  'known_speaker_references',
] as const;

export type OptionalTranscription = (typeof optionalTranscription)[number];

export interface TranscriptionTraits {
  /** Of what it says when it was said; absent: of nothing. */
  readonly timestamps?: readonly Granularity[];
  /** Whether it identifies speakers. */
  readonly speakers?: boolean;
  /** Whether it gives its text as it hears it. */
  readonly streams?: boolean;
  /** Whether it also translates into English. */
  readonly translates?: boolean;
  /** The parameters that it takes; absent: those that its provider's models usually take. */
  readonly takes?: readonly OptionalTranscription[];
}
