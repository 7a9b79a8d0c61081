/** Bytes that are encrypted, and authentic, with AES-256-GCM: they open with the same key, for the same purpose. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The nonce, the tag, and what is encrypted. */
export function sealBytes(key: Uint8Array, purpose: string, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(
    Buffer.from(purpose),
  );
  const encrypted = [sealing.update(bytes), sealing.final()];
  return Buffer.concat([nonce, sealing.getAuthTag(), ...encrypted]);
}

/** Throws for bytes that were changed, or sealed with another key or for another purpose. */
export function openBytes(key: Uint8Array, purpose: string, sealed: Uint8Array): Buffer {
  const start = nonceBytes + tagBytes;
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(nonceBytes, start));
  return Buffer.concat([opening.update(sealed.subarray(start)), opening.final()]);
}
