/** The answer of client secrets. */
import * as z from 'zod';
import { debug, named, text, unixSeconds } from './shared.ts';

export const clientSecret = named('ClientSecret', 'A secret for realtime sessions. It is not stored.', {
  value: text('The secret: `ek_…`.'),
  expires_at: unixSeconds,
  session: z
    .record(z.string(), z.unknown())
    .describe("The session, as the provider has set it up. `model` is the provider's name."),
  debug,
});
