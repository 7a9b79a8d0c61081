/** A file of settings: one object of JSON, with the names of `-c`. */
import { readFileSync } from 'node:fs';

/** Throws an Error that names the file. */
export function readSettingsFile(path: string): Readonly<Record<string, unknown>> {
  const value = parse(path, read(path));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${path}: settings are one object, such as {"ledgerDays": 400}.`);
  return { ...value };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`The settings file ${path} cannot be read: ${code ?? error}.`);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}
