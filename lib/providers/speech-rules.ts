/** The rules on speech that follow from a model's traits, at every provider. */
import type { SpeechFormat, SpeechTraits, Target } from '../core/catalog/model.ts';
import { nameOfVoice, type SpeechProtocol, type SpeechRequest } from '../core/generation/speech.ts';
import type { RequestContext, RuleFor } from '../normalization/rule.ts';
import type { Speech } from './provider.ts';

type SpeechContext = RequestContext<SpeechRequest>;
type SpeechRule = RuleFor<SpeechRequest>;

const traitsOf = ({ target }: SpeechContext): SpeechTraits => target.model.traits.speech ?? {};

const formatsOf = (context: SpeechContext) => traitsOf(context).formats ?? [];

/** A file in another format would break what plays it. */
const onlyItsFormats: SpeechRule = {
  param: 'response_format',
  reason: 'The model does not have this format.',
  applies: (context) => {
    const { response_format: format } = context.parameters;
    return format !== undefined && formatsOf(context).length > 0 && !formatsOf(context).includes(format);
  },
  refuses: {
    message: (context) =>
      `'response_format' must be one of ${formatsOf(context).join(', ')} for the model '${context.target.model.id}'.`,
  },
};

/** Without a format, callers expect `mp3`. */
export function defaultFormat({ model }: Target): SpeechFormat {
  const { formats = [] } = model.traits.speech ?? {};
  return formats.includes('mp3') ? 'mp3' : (formats[0] ?? 'mp3');
}

const itsDefault: SpeechRule = {
  param: 'response_format',
  reason: 'The model does not have mp3, which is the default.',
  adds: true,
  applies: (context) =>
    context.parameters.response_format === undefined && defaultFormat(context.target) !== 'mp3',
  value: ({ target }) => defaultFormat(target),
};

const likeVoice = (context: SpeechContext): string | undefined =>
  Object.entries(traitsOf(context).likeVoices ?? {}).find(
    ([name]) => name === nameOfVoice(context.parameters.voice),
  )?.[1];

/** A voice that the account has made, where the provider has such. */
const isOwn = ({ parameters: { voice }, target }: SpeechContext): boolean =>
  typeof voice === 'object' && target.model.traits.speech?.takesOwnVoices === true;

const voiceRules: readonly SpeechRule[] = [
  {
    param: 'voice',
    reason: 'The model has voices with other names. The one that stands for this name is used.',
    always: true,
    applies: (context) => likeVoice(context) !== undefined,
    value: likeVoice,
  },
  {
    param: 'voice',
    reason: 'The model does not have this voice.',
    applies: (context) =>
      !isOwn(context) && traitsOf(context).voices?.includes(nameOfVoice(context.parameters.voice)) === false,
    refuses: {
      message: (context) =>
        `'voice' must be one of ${traitsOf(context).voices?.join(', ')} for the model '${context.target.model.id}'.`,
    },
  },
];

const leftOut: readonly SpeechRule[] = (['instructions', 'speed'] as const).map((param) => ({
  param,
  reason: 'The model does not support this parameter.',
  applies: (context) => traitsOf(context).refuses?.includes(param) === true,
  isDefault: ({ parameters }) => param === 'speed' && parameters.speed === 1,
}));

export const speechBy = (protocol: SpeechProtocol): Speech => ({
  protocol,
  rules: [onlyItsFormats, itsDefault, ...voiceRules, ...leftOut],
});
