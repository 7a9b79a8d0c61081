/** Reads a public price file, in the format that its content shows. */
import { readFile, stat } from 'node:fs/promises';
import { isJsonObject } from '../../../lib/core/formats/json-object.ts';
import { readLiteLlm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import type { PublicFile } from './public-deployment.ts';

/** The largest public files have a few megabytes, and some thousand models. */
const maxComparedBytes = 64 * 1024 * 1024;
const maxComparedModels = 50_000;

/** Rejects with an Error that names the file and what is wrong. */
export async function readPriceFile(path: string): Promise<PublicFile> {
  const { size } = await stat(path);
  if (size > maxComparedBytes)
    throw new Error(`${path} is too large: ${size} bytes, at most ${maxComparedBytes}.`);
  const content = parse(path, await readFile(path, 'utf8'));
  const file = formatOf(content);
  if (file && file.size > maxComparedModels) {
    throw new Error(`${path} has too many models: ${file.size}, at most ${maxComparedModels}.`);
  }
  if (file && file.size > 0) return file;
  throw new Error(`${path} is neither the price file of LiteLLM nor the api.json of models.dev.`);
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** LiteLLM's has models on top, or in `models`; models.dev's has providers on top, each with `models`. */
function formatOf(content: unknown): PublicFile | undefined {
  if (!isJsonObject(content)) return undefined;
  const models =
    isJsonObject(content.models) && !isJsonObject(content.models.models) ? content.models : content;
  const entries = new Map(Object.entries(models));
  const values = [...entries.values()].filter(isJsonObject);
  if (values.some((value) => 'litellm_provider' in value)) return readLiteLlm(entries);
  return values.some((value) => isJsonObject(value.models)) ? readModelsDev(entries) : undefined;
}
