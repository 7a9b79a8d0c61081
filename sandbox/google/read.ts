/** Reads a request of the Gemini protocol. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { isObject, numberOf, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { roundOf, type Turn } from '../round.ts';

export function readContents(body: JsonObject, model: string, provider: string): Prompt {
  const contents = objectsOf(body.contents);
  const config = objectOf(body.generationConfig);
  const userParts = contents.filter(({ role }) => role === 'user').map(partsOf);
  const declarations = objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations));
  // Results of functions have parts of their own.
  const shown = userParts.flat().flatMap((part) => [part, ...partsOf(objectOf(part.functionResponse))]);
  const media = shown.flatMap(({ inlineData, fileData }) => {
    const data = inlineData ?? fileData;
    return data === undefined ? [] : [textOf(objectOf(data).mimeType)];
  });
  const { functionCallingConfig } = objectOf(body.toolConfig);
  return {
    provider,
    model,
    toolResults: partsOf(contents.at(-1))
      .filter((part) => 'functionResponse' in part)
      .map(resultText),
    turns: contents.filter(({ role }) => role === 'model').length,
    ...roundOf(contents.map(toTurn)),
    images: media.filter((type) => type.startsWith('image/')).length,
    files: media.filter((type) => type === 'application/pdf').length,
    played: media.filter((type) => /^(audio|video)\//.test(type)).length,
    input: inputText(body, contents),
    tools: declarations.map(({ name, parametersJsonSchema, parameters }) => ({
      name: textOf(name),
      schema: objectOf(parametersJsonSchema ?? parameters),
    })),
    toolChoice: readToolChoice(objectOf(functionCallingConfig)),
    parallel: true,
    format: readFormat(config),
    reasoning: thinks(objectOf(config.thinkingConfig)),
    search: objectsOf(body.tools).some((tool) => 'googleSearch' in tool),
    maxTokens: numberOf(config.maxOutputTokens),
    stop: textsOf(config.stopSequences),
  };
}

function toTurn(content: JsonObject): Turn {
  const has = (kind: string) => partsOf(content).some((part) => kind in part);
  return {
    from: content.role === 'user' ? 'user' : 'model',
    text: textOfParts(partsOf(content)),
    calls: has('functionCall'),
    results: has('functionResponse'),
  };
}

function partsOf(content: JsonObject | undefined): readonly JsonObject[] {
  return objectsOf(content?.parts);
}

function textOfParts(parts: readonly JsonObject[]): string {
  return parts.map(({ text }) => textOf(text)).join('');
}

/** A result is wrapped in an object: a single text inside it is what the function said. */
function resultText(part: JsonObject): string {
  const response = objectOf(objectOf(part.functionResponse).response);
  const values = Object.values(response);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(response);
}

function inputText(body: JsonObject, contents: readonly JsonObject[]): string {
  const calls = contents
    .flatMap(partsOf)
    .filter((part) => 'functionCall' in part || 'functionResponse' in part);
  return (
    textOfParts(partsOf(objectOf(body.systemInstruction))) +
    contents.map((content) => textOfParts(partsOf(content))).join('') +
    (calls.length > 0 ? JSON.stringify(calls) : '') +
    JSON.stringify(body.tools ?? '')
  );
}

function readToolChoice({ mode, allowedFunctionNames }: JsonObject): Prompt['toolChoice'] {
  const [name, other] = textsOf(allowedFunctionNames);
  if (mode === 'NONE') return 'none';
  if (mode !== 'ANY') return 'auto';
  return name === undefined || other !== undefined ? 'required' : { name };
}

function readFormat(config: JsonObject): Prompt['format'] {
  if (config.responseMimeType !== 'application/json') return 'text';
  const schema = config.responseJsonSchema ?? config.responseSchema;
  return isObject(schema) ? { schema } : 'json';
}

function thinks({ thinkingBudget, thinkingLevel, includeThoughts }: JsonObject): boolean {
  if (thinkingBudget === 0) return false;
  return thinkingBudget !== undefined || thinkingLevel !== undefined || includeThoughts === true;
}
