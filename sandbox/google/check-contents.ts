/**
 * What the Gemini protocol refuses in `contents`: empty turns, results without a name or a call, calls whose thought
 * signature was lost.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, isObject, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { isSigned } from '../signature.ts';
import { refuse, refuseUnknown } from './refuse.ts';

const partKeys = wordSet(
  'text inlineData fileData functionCall functionResponse thought thoughtSignature',
  'mediaResolution toolCall toolResponse',
);

/** Documented for calls that another model made. */
const skipsValidation = 'skip_thought_signature_validator';

/** `needsSignatures`: whether the model wants its signature back with each step's first call. */
export function checkContents(contents: readonly JsonObject[], needsSignatures: boolean): void {
  if (contents.length === 0) refuse('* GenerateContentRequest.contents: contents is not specified');
  for (const [index, content] of contents.entries()) checkContent(content, `contents[${index}]`);
  for (const [index, content] of contents.entries()) checkResults(content, contents[index - 1]);
  // Source: google-gemini/gemini-cli issue 26486, pipecat-ai/pipecat PR 5660.
  if (partsWith(contents[0], 'functionCall').length > 0) {
    refuse(
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    );
  }
  if (!needsSignatures) return;
  for (const [index, content] of contents.entries()) {
    checkSignatures(content, contents.slice(index + 1), index);
  }
}

function checkContent(content: JsonObject, path: string): void {
  if (!/^(user|model)$/.test(textOf(content.role))) refuse('Please use a valid role: user, model.');
  const parts = objectsOf(content.parts);
  if (parts.length === 0) refuse(`* GenerateContentRequest.${path}.parts: contents.parts must not be empty.`);
  for (const [index, part] of parts.entries()) checkPart(part, `${path}.parts[${index}]`);
}

/** Source: Google's guides on images, documents, audio and video. */
const mediaTypes =
  /^(image\/(png|jpeg|webp|gif|heic|heif)|application\/pdf|text\/\w+|audio\/(wav|mp3|aiff|aac|ogg|flac|m4a|mpeg|webm)|video\/(mp4|mpeg|quicktime|avi|x-flv|webm|wmv|3gpp))$/;

function checkPart(part: JsonObject, path: string): void {
  checkKeys(part, partKeys, (unknown) => refuseUnknown(unknown, path));
  // Source: router-for-me/CLIProxyAPI issue 1292. A signature may come with an empty text.
  if (part.text === '' && part.thoughtSignature === undefined) {
    refuse(
      `* GenerateContentRequest.${path}.data: required oneof field 'data' must have one initialized field`,
    );
  }
  const response = part.functionResponse;
  if (isObject(response)) {
    const where = `* GenerateContentRequest.${path}.function_response`;
    if (textOf(response.name) === '') refuse(`${where}.name: [REQUIRED FIELD] Name cannot be empty.`);
    if (!isObject(response.response))
      refuse(`Invalid value at '${path}.function_response.response' (Struct).`);
  }
  checkStep(part, path);
  const call = part.functionCall;
  if (isObject(call) && 'args' in call && !isObject(call.args)) {
    refuse(`Invalid value at '${path}.function_call.args' (Struct).`);
  }
  const data = part.inlineData;
  if (!isObject(data)) return;
  if (!mediaTypes.test(textOf(data.mimeType))) {
    refuse(`Unsupported MIME type: ${textOf(data.mimeType)}`);
  }
  if (!/^[A-Za-z0-9+/]+=*$/.test(textOf(data.data))) {
    refuse(`Invalid value at '${path}.inline_data.data' (TYPE_BYTES), Base64 decoding failed.`);
  }
}

/** Steps of the provider's own tools come back as they were. */
function checkStep({ toolCall, toolResponse, thoughtSignature }: JsonObject, path: string): void {
  const step = toolCall ?? toolResponse;
  if (step === undefined || isSigned(JSON.stringify(step), thoughtSignature)) return;
  refuse(`${path}: the thought_signature of this tool invocation is missing or not valid.`);
}

function partsWith(content: JsonObject | undefined, key: string): readonly JsonObject[] {
  return objectsOf(content?.parts).filter((part) => key in part);
}

function checkResults(content: JsonObject, before: JsonObject | undefined): void {
  const results = partsWith(content, 'functionResponse').length;
  checkIds(content, before);
  if (results > 0 && results !== partsWith(before, 'functionCall').length) {
    refuse(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    );
  }
}

/** "id … must be sent back in the associated FunctionResponse": the Gemini SDKs' documentation of FunctionCall. */
function checkIds(content: JsonObject, before: JsonObject | undefined): void {
  const idsOf = (turn: JsonObject | undefined, key: string) =>
    partsWith(turn, key).flatMap((part) => objectOf(part[key]).id ?? []);
  const calls = idsOf(before, 'functionCall');
  const results = idsOf(content, 'functionResponse');
  if (results.length === 0 && calls.length > 0 && partsWith(content, 'functionResponse').length > 0) {
    refuse('Please ensure that function response parts have the ids of their function calls.');
  }
  if (results.some((id) => !calls.includes(id))) {
    refuse('Please ensure that the id of each function response is the id of a function call.');
  }
}

/** Only the current turn counts: contents before the last text of the user are not checked. */
function checkSignatures(content: JsonObject, after: readonly JsonObject[], index: number): void {
  const first = partsWith(content, 'functionCall')[0];
  const isOver = after.some((one) => one.role === 'user' && partsWith(one, 'text').length > 0);
  if (first === undefined || isOver) return;
  const { name, args } = objectOf(first.functionCall);
  const signature = first.thoughtSignature;
  if (signature === skipsValidation) return;
  if (signature === undefined) {
    refuse(
      `Function call is missing a thought_signature in functionCall parts: position ${index}, function \`${textOf(name)}\`.`,
    );
  }
  // In these words. Source: issues of clients, such as heyhuynhgiabuu/proxypal#119.
  if (!isSigned(`${textOf(name)}${JSON.stringify(args ?? {})}`, signature))
    refuse('Corrupted thought signature.');
}
