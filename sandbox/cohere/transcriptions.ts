/** Transcription at Cohere. Sources: docs.cohere.com/reference/create-audio-transcription; docs.cohere.com/docs/transcribe (languages, 25 MB). */
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { wordSet } from '../json.ts';
import { hear, one, openForm } from '../recordings.ts';
import { refuse } from './refuse.ts';

const known = wordSet('model language temperature');
const languages = wordSet('en de fr it es pt el nl pl vi zh ar ja ko');
const types = wordSet('flac mp3 mpeg mpga ogg wav');
const maxFile = 25 * 1024 * 1024;

export function answerTranscription(request: SandboxRequest): SandboxResponse {
  const form = openForm(request) ?? refuse('invalid request: not a multipart form');
  for (const name of form.fields.keys())
    if (!known.has(name)) refuse(`invalid request: unknown field "${name}"`);
  if (one(form, 'model') === undefined) refuse('invalid request: model is required');
  if (!languages.has(one(form, 'language') ?? '')) refuse('invalid request: language is not supported');
  const { name, filename = '', bytes } = form.file ?? refuse('invalid request: file is required');
  if (name !== 'file' || !types.has(filename.replace(/^.*\./, ''))) refuse('invalid file type');
  if (bytes.length > maxFile) refuse('file is too large', 413);
  return jsonAnswer({ text: hear(bytes).text });
}
