/** The session of the dashboard, as its operations answer with it. */
import * as z from 'zod/mini';
import { actingMethods, roles, signInMethods } from '../../core/admin/user.ts';

const signedOut = z.strictObject({
  object: z.literal('session'),
  signed_in: z.literal(false),
  /** The sign-in methods of this gateway. */
  ways: z.array(z.enum(signInMethods)),
  /** What a client without a secret needs to sign in at the issuer; null without one. */
  oidc: z.nullable(z.strictObject({ issuer: z.string(), client_id: z.string(), scopes: z.string() })),
  /** Where the dashboard goes to end the session of the issuer, too. */
  sign_out_url: z.exactOptional(z.string()),
});

const signedIn = z.strictObject({
  object: z.literal('session'),
  signed_in: z.literal(true),
  way: z.enum(actingMethods),
  user: z.strictObject({ id: z.string(), name: z.string() }),
  role: z.enum(roles),
  tenant: z.nullable(z.string()),
  /** Unix seconds. */
  expires_at: z.number(),
  /** For the header `Authorization` of further calls; null where the cookie is enough. */
  access_token: z.nullable(z.string()),
  /** Below which the operations are that this session may call. */
  api_url: z.enum(['/admin/v1', '/account/v1']),
  /** The base URL of the gateway for clients, with `/v1`. */
  gateway_url: z.string(),
  playground_url: z.string(),
  /** What this gateway can do for this user. */
  features: z.strictObject({ members: z.boolean(), providers: z.boolean() }),
});

export const sessionSchema = z.discriminatedUnion('signed_in', [signedOut, signedIn]);

export type SessionAnswer = z.output<typeof sessionSchema>;
export type SignedIn = z.output<typeof signedIn>;

/** Longer texts are no key of the gateway. */
const maxKeyText = 200;

export const openBody = z.strictObject({
  /** An API key of the gateway; absent: the session of the cookie. */
  api_key: z.exactOptional(z.string().check(z.maxLength(maxKeyText))),
});

/** Longer texts are no one-time token. */
const maxTicketText = 200;

export const startParameters = z.strictObject({ token: z.string().check(z.maxLength(maxTicketText)) });
