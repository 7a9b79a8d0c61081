/**
 * Signs what a model must get back unchanged: reasoning texts and calls. A provider refuses a signature that is not its
 * own, so the sandbox detects whether the gateway sends reasoning back byte for byte.
 */
import { createHash } from 'node:crypto';

export function seal(content: string): string {
  return createHash('sha512').update(`sandbox:${content}`).digest('base64');
}

export function isSigned(content: string, signature: unknown): boolean {
  return signature === seal(content);
}
