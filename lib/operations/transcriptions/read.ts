/** Converts a valid transcription body to the gateway's internal request. */
import { optionalTranscription } from '../../core/catalog/transcription-traits.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { TranscriptionFormat, TranscriptionRequest } from '../../core/generation/transcription.ts';
import { readAudio } from '../../pipeline/media/fetch-audio.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import { given } from '../read-request.ts';
import type { TranscriptionBody } from './schema.ts';

/** The parts of a transcription request. */
export interface TranscriptionInput extends AskedOnce {
  readonly request: TranscriptionRequest;
}

/** @throws GatewayError `invalid_request` for fields that do not fit together, and for a file that is no audio. */
export function readTranscription(body: TranscriptionBody, translates: boolean): TranscriptionInput {
  const { model, stream, response_format: format = 'json' } = body;
  checkFormat(body, format ?? 'json');
  return {
    ...readAsked(model, body),
    request: {
      ...readSource(body),
      ...(stream === true && { stream }),
      translates,
      parameters: given(body, ['response_format', 'timestamp_granularities', ...optionalTranscription]),
    },
  };
}

function checkFormat(body: TranscriptionBody, format: TranscriptionFormat): void {
  if (body.timestamp_granularities && format !== 'verbose_json')
    throw invalid('timestamp_granularities', "needs 'response_format' verbose_json");
  const streamed = ['json', 'text', 'diarized_json'];
  if (body.stream && !streamed.includes(format))
    throw invalid('stream', `must not be true with 'response_format' ${format}`);
}

function readSource({
  file,
  url,
  file_url,
}: TranscriptionBody): Pick<TranscriptionRequest, 'audio' | 'source'> {
  const [held] = file ?? [];
  const sources = Object.entries({ file: held, url, file_url }).filter(([, value]) => value != null);
  const [first, second] = sources.map(([name]) => name);
  if (first === undefined) throw invalid('file', "is required, or 'url' in its place");
  if (second !== undefined) throw invalid(second, `cannot be used together with '${first}'`);
  if (held) return { audio: readAudio(held.bytes, 'file') };
  return { source: { url: url ?? file_url ?? '', param: first } };
}
