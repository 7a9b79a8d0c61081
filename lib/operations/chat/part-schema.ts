/** The parts of a message's content. */
import * as z from 'zod/mini';
import { fileChecks, fileFields } from '../file-schema.ts';
import { imageDetail, imageUrl, nullish } from '../request-schema.ts';

/** A cache marker: on a message, on one of its parts, or on a tool. */
export const cacheControl = nullish(
  z.object({
    type: z.literal('ephemeral'),
    ttl: nullish(z.string().check(z.regex(/^\d{1,9}(\.\d+)?[smh]$/, "must be a duration such as '300s'"))),
  }),
);

export const textPart = z.object({
  type: z.literal('text'),
  text: z.string(),
  cache_control: cacheControl,
});

const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: imageUrl,
    detail: nullish(imageDetail),
  }),
  cache_control: cacheControl,
});

const filePart = z.object({
  type: z.literal('file'),
  file: z.object(fileFields).check(...fileChecks),
  cache_control: cacheControl,
});

/** A part of what a user or a tool says. */
export const mixedPart = z.discriminatedUnion('type', [textPart, imagePart, filePart]);

export type MixedPart = z.output<typeof mixedPart>;
export type TextPartBody = z.output<typeof textPart>;
