/** Subtitles, SRT and WebVTT, of what a target has heard: of its words or, without those, of its segments. */
import type { Transcript, Word } from '../../../core/generation/transcription.ts';

interface Cue {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Sources: Netflix, Timed Text Style Guide (characters of a line, lines, seconds); the pause is an assumption. */
const lineLength = 42;
const maxLines = 2;
const maxSeconds = 7;
const pauseSeconds = 0.5;

/** Languages without spaces end sentences, too. */
const endsSentence = /[.!?…。！？]["'”’)\]]*$/;

export function cuesOf(transcript: Transcript): readonly Cue[] {
  const cues: Cue[] = [];
  let open: Word[] = [];
  const close = () => {
    const [first, last] = [open.at(0), open.at(-1)];
    if (first && last) cues.push({ start: first.start, end: last.end, lines: linesOf(open) });
    open = [];
  };
  for (const word of wordsOf(transcript)) {
    if (open.length > 0 && !fits(open, word)) close();
    open.push(word);
    if (endsSentence.test(word.text)) close();
  }
  close();
  return cues;
}

function fits(open: readonly Word[], word: Word): boolean {
  const [first, last] = [open.at(0), open.at(-1)];
  if (!first || !last) return true;
  const pause = word.start - last.end > pauseSeconds;
  const isOther = word.speaker !== last.speaker;
  return (
    !pause && !isOther && word.end - first.start <= maxSeconds && linesOf([...open, word]).length <= maxLines
  );
}

/** A word that is longer than a line has one of its own. */
function linesOf(words: readonly Word[]): readonly string[] {
  const lines: string[] = [];
  for (const { text } of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + text.length <= lineLength)
      lines[lines.length - 1] = `${line} ${text}`;
    else lines.push(text);
  }
  return lines;
}

/** With those of a segment at times that follow from their place in its text. */
function wordsOf({ words, segments = [] }: Transcript): readonly Word[] {
  const found = words ?? segments.flatMap(spread);
  return found.map((word) => ({ ...word, text: word.text.trim() })).filter(({ text }) => text !== '');
}

function spread({ start, end, text, speaker }: Word): readonly Word[] {
  const pieces = text.trim().split(/\s+/).flatMap(short);
  const length = pieces.join('').length || 1;
  let at = 0;
  return pieces.map((piece) => {
    const from = start + ((end - start) * at) / length;
    at += piece.length;
    const to = start + ((end - start) * at) / length;
    return { start: from, end: to, text: piece, ...(speaker !== undefined && { speaker }) };
  });
}

/** Text without spaces is cut into lines. */
const short = (piece: string): readonly string[] =>
  piece.match(new RegExp(`.{1,${lineLength}}`, 'gsu')) ?? [];

export const srtOf = (transcript: Transcript): string =>
  cuesOf(transcript)
    .map(
      ({ start, end, lines }, index) =>
        `${index + 1}\n${time(start, ',')} --> ${time(end, ',')}\n${lines.join('\n')}\n\n`,
    )
    .join('');

/** `-->` and what would be a tag must not be in a text. Source: W3C, WebVTT, "WebVTT cue text". */
export const vttOf = (transcript: Transcript): string =>
  `WEBVTT\n\n${cuesOf(transcript)
    .map(
      ({ start, end, lines }) =>
        `${time(start, '.')} --> ${time(end, '.')}\n${lines.map(escaped).join('\n')}\n\n`,
    )
    .join('')}`;

const escaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function time(seconds: number, point: string): string {
  const ms = Math.round(seconds * 1_000);
  const two = (value: number) => `${Math.floor(value)}`.padStart(2, '0');
  const [hours, minutes, rest] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  return `${two(hours)}:${two(minutes)}:${two(rest)}${point}${`${ms % 1_000}`.padStart(3, '0')}`;
}
