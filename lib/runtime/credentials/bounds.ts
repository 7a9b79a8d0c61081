/** Reading credentials: which addresses, how long, how much, and the form of an answer. */
import { readFile } from 'node:fs/promises';
import { GatewayError } from '../../core/errors/errors.ts';
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { HttpResponse, Timeouts } from '../../core/ports/http.ts';
import { readBytesInTime } from '../../transport/read-body.ts';
import type { ExpiringCredentials } from './source.ts';

/** The endpoints are on the machine or beside it. Source: aws-sdk credential-provider-http, which waits a second for each. */
export const credentialsTimeouts: Timeouts = { connectMs: 1_000, firstByteMs: 2_000, idleMs: 1_000 };

/** The whole answer must be here after this time. */
const credentialsAnswerMs = 3_000;

/** Bytes of an answer with credentials. */
export const maxCredentialsAnswer = 65_536;

/** Characters of a token in a file. Source: STS API reference, AssumeRoleWithWebIdentity, `WebIdentityToken`. */
const maxTokenLength = 20_000;

/** What may be in a header. */
const printable = /^[\x21-\x7e]+$/;
/** A header may have a scheme before its token. */
const printableWords = /^[\x20-\x7e]+$/;

/** Of ECS, and of the agent for pod identity. Source: AWS SDKs and Tools reference guide, "Container credential provider". */
const agents: ReadonlySet<string> = new Set(['169.254.170.2', '169.254.170.23', '[fd00:ec2::23]']);
const ownHost = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/;

/**
 * An address that credentials may be read from: over TLS any, otherwise only this machine and the agents of ECS and EKS.
 * @throws Error that names the variable.
 */
export function credentialsUrl(variable: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:') return url.href;
  if (url?.protocol === 'http:' && (agents.has(url.hostname) || ownHost.test(url.hostname))) return url.href;
  throw new Error(
    `${variable} must be an address over https, of this machine, or of the agent of ECS or EKS.`,
  );
}

/** The text of an answer. Rejects with GatewayError if it is too long or too slow. */
export async function readAnswer(response: HttpResponse): Promise<string> {
  const bytes = await readBytesInTime(response, maxCredentialsAnswer, credentialsAnswerMs);
  if (bytes) return new TextDecoder().decode(bytes);
  throw new GatewayError('upstream_invalid_answer', 'The answer with credentials is too long or too slow.');
}

/**
 * A token, which its owner replaces from time to time, so it is read each time. `variable` names the file.
 * @throws Error of Node, or one that names the variable.
 */
export async function readToken(variable: string, path: string): Promise<string> {
  return checkToken(variable, (await readFile(path, 'utf8')).trimEnd());
}

/** @throws Error that names the variable. */
export function checkToken(variable: string, token: string): string {
  if (token.length <= maxTokenLength && printableWords.test(token)) return token;
  throw new Error(
    `${variable} must hold one line of at most ${maxTokenLength} characters, without special characters.`,
  );
}

/** A member of credentials, or undefined if it is none that a header or a key can have. */
export const isPrintable = (value: unknown): value is string =>
  typeof value === 'string' && printable.test(value);

/** Of the agent of a container, and of an instance. @throws Error for an answer without them. */
export function readCredentials(answer: string): ExpiringCredentials {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = asObject(parseJson(answer));
  const expiresAt = typeof Expiration === 'string' ? Date.parse(Expiration) : Number.NaN;
  if (isPrintable(AccessKeyId) && isPrintable(SecretAccessKey) && isPrintable(Token) && expiresAt) {
    const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
    return { credentials, expiresAt };
  }
  throw new Error('The answer has no credentials.');
}
