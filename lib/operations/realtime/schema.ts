/** The schema of a request for a client secret. What a session has is the provider's, but for its model. */
import * as z from 'zod/mini';
import { strictObjectOf } from '../../core/formats/given-fields.ts';
import { extraFields, integerBetween, modelId, nullish } from '../request-schema.ts';
import { placeField } from '../routing/schema.ts';

/** How long a secret can open sessions, in seconds. Source: openai 7.55, `ClientSecretCreateParams`. */
const minSecretSeconds = 10;
const maxSecretSeconds = 7_200;

/** The account that stores it has many tenants. */
const storedPrompt = z.optional(z.null("is not supported: use 'instructions' instead"));

const spoken = z.looseObject({ type: z.literal('realtime'), model: modelId, prompt: storedPrompt });

const transcribed = z.looseObject({
  type: z.literal('transcription'),
  /** None is checked but the one that transcribes. */
  model: z.optional(z.null("is not supported: use 'audio.input.transcription.model' instead")),
  prompt: storedPrompt,
  audio: z.looseObject({
    input: z.looseObject({ transcription: z.looseObject({ model: modelId }) }),
  }),
});

export const clientSecretsSchema = strictObjectOf({
  expires_after: () =>
    nullish(
      z.strictObject({
        anchor: nullish(z.literal('created_at')),
        seconds: nullish(integerBetween(minSecretSeconds, maxSecretSeconds)),
      }),
    ),
  session: z.discriminatedUnion('type', [spoken, transcribed]),
  ...placeField,
  extra: () => nullish(strictObjectOf(extraFields)),
});

export type ClientSecretsBody = z.infer<typeof clientSecretsSchema>;
