/** The parts of a message's content. */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { objectOf } from '../../../core/formats/given-fields.ts';
import { fileChecks, fileFields } from '../../file-schema.ts';
import { imageDetail, imageUrl, nullish } from '../../request-schema.ts';

/** A cache marker: on a message, on one of its parts, or on a tool. */
export const cacheControl = lazy(() =>
  nullish(
    z.object({
      type: z.literal('ephemeral'),
      ttl: nullish(
        z
          .string()
          .check(
            z.regex(/^(?=.*[1-9])\d{1,9}(\.\d+)?[smh]$/, "must be a duration above zero, such as '300s'"),
          ),
      ),
    }),
  ),
);

export const textPart = lazy(() =>
  objectOf({
    type: z.literal('text'),
    text: z.string(),
    cache_control: cacheControl,
  }),
);

const imagePart = lazy(() =>
  objectOf({
    type: z.literal('image_url'),
    image_url: z.object({ url: imageUrl, detail: imageDetail() }),
    cache_control: cacheControl,
  }),
);

const filePart = lazy(() =>
  objectOf({
    type: z.literal('file'),
    file: z.object(fileFields()).check(...fileChecks),
    cache_control: cacheControl,
  }),
);

/** The formats that Google reads; OpenAI's models read the first two. Source: Google's guide "Audio understanding". */
const audioFormats = ['wav', 'mp3', 'aiff', 'aac', 'ogg', 'flac', 'm4a'] as const;

const audioPart = () =>
  objectOf({
    type: z.literal('input_audio'),
    input_audio: z.object({
      data: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')),
      format: z.enum(audioFormats),
    }),
    cache_control: cacheControl,
  });

const videoPart = () =>
  objectOf({
    type: z.literal('video_url'),
    video_url: z.object({
      url: z
        .string()
        .check(
          z.regex(
            /^(https?:\/\/|data:video\/[^,]{1,100};base64,.)/i,
            "must be an https URL or a 'data:video/<format>;base64,' URL",
          ),
        ),
    }),
    cache_control: cacheControl,
  });

/** A part of what a tool answers. */
export const resultPart = () => z.discriminatedUnion('type', [textPart(), imagePart(), filePart()]);

/** A part of what a user says. */
export const userPart = () =>
  z.discriminatedUnion('type', [textPart(), imagePart(), filePart(), audioPart(), videoPart()]);

export type MixedPart = z.output<ReturnType<typeof userPart>>;
export type TextPartBody = z.output<ReturnType<typeof textPart>>;
