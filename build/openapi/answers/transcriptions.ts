/** The answers of transcriptions and translations. */
import * as z from 'zod';
import { choice, costInUsage, count, debug, list, named, nullable, object, text } from './shared.ts';

const transcriptionUsage = object('What was used, where it is known.', {
  type: choice(['duration', 'tokens'], 'What is counted.'),
  seconds: z.number().describe('Of audio.').optional(),
  input_tokens: count('Tokens of audio and prompt.').optional(),
  output_tokens: count('Tokens of the text.').optional(),
  total_tokens: count('Both together.').optional(),
  input_token_details: object('Parts of `input_tokens`.', {
    audio_tokens: count('Of audio.'),
    text_tokens: count('Of the prompt.'),
  }).optional(),
  cost: costInUsage,
}).optional();

const span = {
  start: z.number().describe('When it begins, in seconds.'),
  end: z.number().describe('When it ends, in seconds.'),
};

const spokenSegment = {
  ...span,
  text: text('What is said.'),
  speaker: nullable(text('Who says it, with `diarized_json`: A, B and so on, or a known name.')).optional(),
};

export const transcription = named('Transcription', 'What is said in a recording.', {
  text: text('All of it.'),
  task: choice(['transcribe', 'translate'], 'With `verbose_json` and `diarized_json`.').optional(),
  language: nullable(text('The language that is spoken, with `verbose_json`, where it is known.')).optional(),
  duration: nullable(z.number().describe('Of the audio, in seconds, with both.')).optional(),
  segments: list(z.looseObject(spokenSegment), 'What is said one after the other, with both.').optional(),
  words: list(z.object({ word: text('The word.'), ...span }), 'With the granularity `word`.').optional(),
  languages: list(z.looseObject({}), 'Languages that were heard, of models that say so.').optional(),
  logprobs: list(z.looseObject({}), 'Log probabilities of tokens, when they were asked for.').optional(),
  usage: transcriptionUsage,
  debug,
});

export const transcriptionEvent = named('TranscriptionEvent', 'One event of a transcription.', {
  type: choice(
    ['transcript.text.segment', 'transcript.text.delta', 'transcript.text.done'],
    'What the event is. Only `done` is complete: a stream without it has failed.',
  ),
  delta: text('The next piece of the text.').optional(),
  text: text('All of the text, or that of the segment.').optional(),
  usage: transcriptionUsage,
  debug,
});
