/**
 * Gives a token for the claim of a service account, whose signature it cannot check: it knows no keys. Source:
 * developers.google.com/identity/protocols/oauth2/service-account, "Making the access token request".
 */
import { type Handler, jsonAnswer, Refusal } from '../exchange.ts';
import { numberOf, objectOf, textOf } from '../json.ts';

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const longestSeconds = 3_600;

export const answerToken: Handler = ({ method, bytes }) => {
  const form = new URLSearchParams(bytes?.toString());
  if (method !== 'POST' || form.get('grant_type') !== grant) throw refusal('unsupported_grant_type');
  const [head, claim, signature = ''] = (form.get('assertion') ?? '').split('.').map(decoded);
  const { iss, scope, aud, iat, exp } = objectOf(claim);
  const seconds = (numberOf(exp) ?? 0) - (numberOf(iat) ?? 0);
  const isWhole =
    textOf(objectOf(head).alg) === 'RS256' &&
    textOf(iss).includes('@') &&
    textOf(scope) !== '' &&
    aud === 'https://oauth2.googleapis.com/token' &&
    seconds > 0 &&
    seconds <= longestSeconds &&
    signature !== '';
  if (!isWhole) throw refusal('invalid_grant');
  return jsonAnswer({ access_token: `sandbox ${iss}`, expires_in: longestSeconds, token_type: 'Bearer' });
};

const refusal = (error: string) => new Refusal(400, { error });

/** A part of a claim: JSON, or the bytes of its signature as they are. */
function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return part;
  }
}
