/** The rules on transcription: what a model does not take is left out on record, and what would be another answer is refused. */
import {
  type OptionalTranscription,
  optionalTranscription,
  type TranscriptionTraits,
} from '../core/catalog/transcription-traits.ts';
import type { AudioType } from '../core/formats/audio/audio-type.ts';
import {
  type TranscriptionProtocol,
  type TranscriptionRequest,
  timedFormats,
} from '../core/generation/transcription.ts';
import type { RequestContext, RuleFor } from '../normalization/rule.ts';
import type { Transcription } from './provider.ts';

type Context = RequestContext<TranscriptionRequest>;
type TranscriptionRule = RuleFor<TranscriptionRequest>;

const traitsOf = ({ target }: Context): TranscriptionTraits => target.model.traits.transcription ?? {};

const formatOf = ({ parameters }: Context) => parameters.response_format ?? 'json';

/** A caller who wants subtitles cannot use a text. */
const onlyItsFormats: TranscriptionRule = {
  param: 'response_format',
  reason: 'The model cannot answer in this format.',
  applies: (context) => {
    const { timestamps, speakers } = traitsOf(context);
    const format = formatOf(context);
    return format === 'diarized_json' ? !speakers : timedFormats.includes(format) && !timestamps;
  },
  refuses: {
    message: (context) =>
      formatOf(context) === 'diarized_json'
        ? `'response_format' must not be diarized_json for the model '${context.target.model.id}', which does not identify speakers.`
        : `'response_format' must not be ${formatOf(context)} for the model '${context.target.model.id}', which does not say when something was said.`,
  },
};

const onlyItsTimes: TranscriptionRule = {
  param: 'timestamp_granularities',
  reason: 'The model does not have these timestamps.',
  applies: (context) =>
    context.parameters.timestamp_granularities?.includes('word') === true &&
    !traitsOf(context).timestamps?.includes('word'),
  refuses: {
    message: ({ target }) =>
      `'timestamp_granularities' must not have 'word' for the model '${target.model.id}', which has no times of words.`,
  },
};

/** Without them, the answer would lack what was asked for. */
const refusedWhereMissing: readonly OptionalTranscription[] = [
  'include',
  'known_speaker_names',
  'known_speaker_references',
];

const takenBy = (usual: readonly OptionalTranscription[]): readonly TranscriptionRule[] =>
  optionalTranscription.map((param) => ({
    param,
    reason: 'The model does not support this parameter.',
    applies: (context) => !(traitsOf(context).takes ?? usual).includes(param),
    isDefault: ({ parameters }) => param === 'temperature' && parameters.temperature === 0,
    ...(refusedWhereMissing.includes(param) && {
      refuses: {
        message: ({ target }) => `'${param}' is not supported by the model '${target.model.id}'.`,
      },
    }),
  }));

/** `usual`: the parameters that models take whose catalog row does not say which. */
export const transcriptionBy = (
  protocol: TranscriptionProtocol,
  usual: readonly OptionalTranscription[],
  ...rules: readonly TranscriptionRule[]
): Transcription => ({
  protocol,
  rules: [onlyItsFormats, onlyItsTimes, ...takenBy(usual), ...rules],
});

/** Source: ostt.ai/reference/providers/mistral: a language cannot be combined with timestamps. */
export const noLanguageBesideTimes: TranscriptionRule = {
  param: 'language',
  reason: 'The provider takes no language beside timestamps.',
  applies: (context) => timedFormats.includes(formatOf(context)),
};

/** Source: docs.cohere.com/reference/create-audio-transcription. A language that is guessed would be another transcript. */
export const languageNeeded: TranscriptionRule = {
  param: 'language',
  adds: true,
  reason: 'The provider needs the language.',
  applies: ({ parameters }) => parameters.language === undefined,
  refuses: {
    message: ({ target }) => `'language' is required by the model '${target.model.id}'.`,
  },
};

/** Whether the audio is in a container that the provider reads is known before it is sent. */
export const onlyTypes = (...types: readonly AudioType[]): TranscriptionRule => ({
  param: 'response_format',
  adds: true,
  reason: 'The provider does not read this type of audio.',
  applies: ({ request: { audio } }) => audio !== undefined && !types.includes(audio.type),
  refuses: {
    path: ({ request: { source } }) => source?.param ?? 'file',
    message: ({ request: { source }, target }) =>
      `'${source?.param ?? 'file'}' must be audio of one of these types for the model '${target.model.id}': ${types.join(', ')}.`,
  },
});

export const geminiTranscription = ['language', 'languages', 'keywords'] as const;

export const whisperParameters = ['prompt', 'temperature', 'language'] as const;
