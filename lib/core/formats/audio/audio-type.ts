/** Detects the container of audio by its first bytes. File names and headers are not trusted. */
import { findMp3Frame } from './mp3.ts';

export const audioTypes = {
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  mp4: 'audio/mp4',
  mpeg: 'video/mpeg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  webm: 'audio/webm',
} as const;

/** Also the extension of its files. */
export type AudioType = keyof typeof audioTypes;

/** Undefined for what is none of them. */
export function audioTypeOf(bytes: Buffer): AudioType | undefined {
  const has = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (has('fLaC')) return 'flac';
  if (has('OggS')) return 'ogg';
  if ((has('RIFF') || has('RF64')) && has('WAVE', 8)) return 'wav';
  if (has('\x1a\x45\xdf\xa3')) return 'webm';
  if (has('\x00\x00\x01\xba')) return 'mpeg';
  if (has('ftyp', 4)) return 'mp4';
  return has('ID3') || findMp3Frame(bytes, 0, mp3Head) ? 'mp3' : undefined;
}

/** Some files have padding before their first frame. */
const mp3Head = 64 * 1024;
