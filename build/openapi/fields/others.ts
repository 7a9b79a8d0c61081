/** Descriptions of the fields of text completions, and of the operations with few fields: embeddings, images, reranking, models, usage. */
import type { Fields } from '../describe-fields.ts';
import { deploymentFields } from './routing.ts';
import { cached, extra, model, resumable, sampling, usage, usageOfChunks, user } from './shared.ts';

const { 'extra.repair': _, ...options } = extra;

const ofEach: Fields = { ...deploymentFields, ...usage, ...extra };

export const completionsFields: Fields = {
  ...model,
  prompt:
    'The text to continue, or a list with one. Send a request for each prompt. Token ids are not supported.',
  suffix:
    'The text that follows what is generated, for models that fill in, such as `mistral/codestral-latest`. Refused for models that only continue a text.',
  max_tokens:
    "The highest number of tokens to generate, reasoning included. Without it the model's own limit holds, and not the 16 tokens of OpenAI's older models.",
  temperature: sampling.temperature,
  top_p: sampling.top_p,
  n: 'How many completions to generate. With `stream: true` only 1.',
  best_of: 'Must be the same as `n`: no completion is left out.',
  echo: 'Whether each completion begins with the prompt. Not together with `logprobs`.',
  stream: 'Whether the answer is a stream of server-sent events.',
  stream_options: 'Options of a stream.',
  'stream_options.include_usage': 'Whether the stream ends with a chunk that has the token counts.',
  'stream_options.include_obfuscation': 'Ignored: streams are not obfuscated.',
  logprobs:
    'How many of the most likely tokens to return for each position. `text_offset` counts characters of the generated text.',
  stop: 'A text, or up to four, at which the model stops. They are not part of the answer.',
  frequency_penalty: 'Positive values make tokens less likely the more often they occurred.',
  presence_penalty: 'Positive values make tokens less likely that occurred at all.',
  logit_bias: 'Changes the probability of single tokens, by their ids.',
  seed: 'Asks for the same answer to the same request, as far as the provider can give it.',
  ...user,
  ...usageOfChunks,
  ...options,
  ...resumable,
  ...cached,
  'extra.normalize':
    '`false`: parameters are sent to the provider unchanged, and its errors are returned. Default: true.',
};

export const completionsComponents: Fields = { extra: 'CompletionExtra' };

export const embeddingsFields: Fields = {
  ...model,
  input:
    'A text, or a list of 1 to 128 texts. Each has at most 8,192 tokens. Lists of token ids are not supported.',
  encoding_format: 'Lists of numbers (`float`, the default), or 32-bit floats as base64 (`base64`).',
  dimensions: 'The length of each vector. The accepted values depend on the model.',
  ...user,
  ...ofEach,
  ...cached,
  'extra.input_type':
    'What the texts are: a `query`, or `document` (the default). Models that distinguish the two find worse results when a query is embedded as a document.',
};

export const imagesFields: Fields = {
  ...model,
  prompt: 'What the image shows, in at most 32,000 characters.',
  n: 'How many images to generate. Some models have a lower limit.',
  size: 'Width and height, for example `1024x1536`, or `auto`. A size that the model does not have becomes the nearest one, and is recorded.',
  quality: 'The quality of the image.',
  background: 'Whether the background is transparent.',
  output_format: 'The file format.',
  output_compression: 'The compression of `jpeg` and `webp` images, in percent.',
  moderation: 'How strict the content check of the provider is.',
  complexity: 'How much the model plans the image, on models that have this setting.',
  frame_count: 'Frames of a `gif`. A preview of OpenAI that is left out, on record, as are `gif` and `svg`.',
  frame_duration_ms: 'Time of each frame of a `gif`. Left out, on record.',
  svg: 'Which model writes an `svg`. Left out, on record.',
  'svg.model': 'Its name.',
  'svg.reasoning': 'How it reasons.',
  'svg.reasoning.effort': 'How much.',
  safety_identifier: 'Identifies the end user to the provider.',
  ...user,
  stream: 'Whether the image comes as events. With it, `n` is 1, and the format is none of `gif` and `svg`.',
  partial_images:
    'How many unfinished images come before the finished one, on models that have them. There may be fewer.',
  response_format: 'Deprecated: images are always returned as base64.',
  style: 'Deprecated: for older models only.',
  ...ofEach,
};

const generated = /^(?:moderation|style|svg(?:\..*)?)$/;
const sharedImageFields = Object.fromEntries(
  Object.entries(imagesFields).filter(([name]) => !generated.test(name)),
);

export const editsFields: Fields = {
  ...sharedImageFields,
  prompt: 'What is to become of the images, in at most 32,000 characters.',
  image:
    'The images, of a form: up to 16 files in PNG, WebP or JPEG, in their order; also as `image[]`. Together with the form 26 MB, behind API Gateway and Lambda 4.5 MB.',
  images: 'The same in JSON.',
  'images[].image_url':
    'An https URL, from which the gateway fetches at most 10 MB, or a `data:` URL in base64.',
  mask: 'A PNG of the size of the first image, of at most 4 MB: where it is transparent, the image is edited. Refused for models without masks.',
  'mask.image_url': 'The same, as of `images`.',
  markup:
    'A PNG of the size of the first image, of at most 4 MB, with drawings that guide the edit. Not beside `mask`. Left out, on record, for models that take none.',
  'markup.image_url': 'The same, as of `images`.',
  input_fidelity:
    'How closely the edit keeps to the images. Left out, on record, for models that have no such setting.',
};

export const moderationsFields: Fields = {
  model: 'The model that classifies. Default: `omni-moderation-latest`.',
  input:
    'A text, a list of up to 128 texts, which are classified each, or a list of texts and images, which are classified together.',
  'input[].type': 'What the part is.',
  'input[].text': 'The text.',
  'input[].image_url': 'The image.',
  'input[].image_url.url': 'Its URL, or its bytes as a `data:` URL.',
  ...deploymentFields,
  ...extra,
};

export const clientSecretsFields: Fields = {
  expires_after:
    'How long the secret can open sessions: for ten minutes when it is not set. A session goes on after that.',
  'expires_after.anchor': 'From when on.',
  'expires_after.seconds': 'How many seconds.',
  session:
    "The session, in OpenAI's format: what is not listed here goes to the provider as it is. A client that has the secret may change it.",
  'session.type': '`realtime`: the model answers. `transcription`: it writes down what is said.',
  'session.model':
    "The model, as in every operation. The answer has the provider's name of it, which the client uses there.",
  'session.audio': 'The audio of the session.',
  'session.audio.input': 'What is said to the model.',
  'session.audio.input.transcription': 'How it is written down.',
  'session.audio.input.transcription.model': 'The model that writes it down, as in every operation.',
  ...deploymentFields,
  ...extra,
};

export const speechFields: Fields = {
  ...model,
  input: 'The text that is spoken. Most models take 4,096 characters, and none more than 40,000.',
  voice:
    "The name of a voice. For a model with other voices, the names of OpenAI's stand for some of its own, on record; any other name is refused, with a list.",
  'voice.id': 'A voice that the account has made at OpenAI.',
  instructions: 'How to speak. Left out, on record, for models that take no such text.',
  response_format:
    '`mp3` when it is not set, or the first one that the model has, on record. A format that the model does not have is refused: audio is not converted, but `wav` is made of samples.',
  speed: '1 when it is not set. Left out, on record, for models without this setting.',
  stream_format:
    '`audio`: the answer is the audio, as it comes. `sse`: events with pieces of it as base64, and what was used at the end.',
  ...ofEach,
};

export const transcriptionFields: Fields = {
  ...model,
  file: 'The recording, of a form: one file in flac, mp3, mp4 (m4a), mpeg, ogg, wav or webm, at most 25 MB; behind API Gateway and Lambda 4.5 MB with the form.',
  url: 'The https URL of a recording, in place of `file`. The gateway fetches at most 25 MB from public addresses.',
  file_url: "Mistral's name of `url`.",
  response_format:
    '`json` when it is not set. `srt`, `vtt` and `verbose_json` need a model with timestamps, `diarized_json` one that identifies speakers. The gateway makes them, and refuses them for other models.',
  timestamp_granularities:
    'With `verbose_json`: `word` adds the times of words, for models that have them. Segments are always there.',
  prompt: 'How the text goes on, or words that it may have. Left out, on record, for models that take none.',
  temperature: 'From 0 to 1. Left out, on record, for models that take none.',
  language: 'The language that is spoken, as `en`. Left out, on record, for models that take none.',
  languages: 'The same, of several. Left out, on record, for models that take one or none.',
  keywords: 'Words that may be said, such as names. Left out, on record, for models that take none.',
  include: '`logprobs`: log probabilities of tokens. Refused for models without them.',
  chunking_strategy:
    'How a long recording is divided. Left out, on record, for models that do that themselves.',
  'chunking_strategy.type': 'At silence.',
  'chunking_strategy.prefix_padding_ms': 'What is kept before speech, in milliseconds.',
  'chunking_strategy.silence_duration_ms': 'How long silence is, in milliseconds.',
  'chunking_strategy.threshold': 'How loud speech is.',
  known_speaker_names: 'Names of speakers. Refused for models that do not take them.',
  known_speaker_references:
    'How these speakers sound, as data URLs of audio. Refused for models that do not take them.',
  stream: 'Whether the answer is a stream of server-sent events. Not with `srt`, `vtt` and `verbose_json`.',
  ...ofEach,
};

export const rerankFields: Fields = {
  ...model,
  query: 'What is searched for, in at most 32,000 characters.',
  documents:
    '1 to 1,000 texts, or objects. An object with `text` alone is that text; of others, all fields are ranked, or those that `rank_fields` names, as lines of YAML.',
  top_n: 'How many of the best documents the answer has. All when it is not set.',
  top_k: "Voyage's name of `top_n`.",
  rank_fields: 'The fields of objects that are ranked.',
  return_documents: 'Whether the results have the documents, as they were sent. `false` when it is not set.',
  max_tokens_per_doc: 'Longer documents are cut, on providers that have this setting.',
  max_chunks_per_doc: "A setting of the first version of Cohere's API. Left out, on record.",
  priority:
    'How urgent the request is at the provider, from 0 (the most) to 999, on providers that have this setting.',
  instruction: 'How to judge what is relevant, on servers that have this setting.',
  truncation: 'Whether what is too long is cut. `false` is refused for models whose provider always cuts.',
  ...ofEach,
};

export const extraComponent: Fields = { extra: 'Extra' };

export const embeddingsComponents: Fields = { extra: 'EmbeddingsExtra' };

export const modelsFields: Fields = {
  status: 'Only models with this status. All models when it is not set.',
  supports:
    'Only models with all of these, separated by commas: operations (`chat_completions`, `responses`, `messages`, `embeddings`, `images_generations`, `moderations`, `rerank`, `audio_speech`, `audio_transcriptions`, `realtime`), input (`image`, `pdf`, `audio`, `video`), `tools`, `reasoning`, `structured_outputs`, `web_search`. A filter leaves out models that are no longer served.',
  region: 'Only models with a deployment that stays within this region or region group, such as `eu`.',
  zdr: '`true`: only models with a deployment that is known to keep nothing, also where it searches the web, if that is asked for.',
  allowed:
    '`true`: only models that the API key of the request may use, by its permissions and its data policy.',
  lifecycle:
    "Only models with this `lifecycle`, or one of several (`lifecycle[]`), as Anthropic's SDKs ask. Requests with the header `anthropic-version` get no retired models unless they ask for them.",
  limit: 'How many models a page has. Without it the list is whole.',
  after_id: 'Only models whose id comes after this one: `last_id` of the page before.',
  before_id: 'Only models whose id comes before this one, the last of them: `first_id` of the page after.',
};

export const modelsRetrieveFields: Fields = {
  model:
    'The id of the model, its name without the owner, one of its `aliases`, or an alias of the operator. A name that several models have is a 400 that lists them.',
};

export const streamFields: Fields = {
  stream_id: 'The `x-stream-id` of the answer.',
  starting_after:
    'The `id` of the last event that was read: those after it follow. All when it is not set. The header `Last-Event-ID` counts for more.',
};

export const usageRequestFields: Fields = {
  request_id: 'The `x-request-id` of the answer.',
};

export const usageFields: Fields = {
  from: 'The start: a date (UTC), or a time with its zone. The start of the month of `to` when it is not set.',
  to: 'The end: a date (UTC), which is included, or a time with its zone, which is not. The end of today when it is not set. At most 366 days after `from`.',
  group_by:
    'What to group by: `day`, `model`, `key`, `user`, `session`, `tag:<name>`, repeated or separated by commas.',
  limit: 'How many groups a page has.',
  after: 'The `next_after` of the previous page.',
};
