/** Which models a recorded request also applies to: one for each protocol, and a host of OpenAI's. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fixture, Step } from './fixtures.ts';

interface Row {
  readonly id: string;
  readonly modalities: { readonly input: readonly string[] };
  readonly traits: { readonly webSearch?: boolean };
}

const families = [
  'openai/gpt-5.5',
  'anthropic/claude-opus-5',
  'google/gemini-3.5-flash',
  'amazon/nova-pro',
  'cohere/command-a-vision-07-2025',
  'deepseek/deepseek-v4-flash',
].map(rowOf);

function rowOf(id: string): Row {
  const [owner] = id.split('/');
  const rows: readonly Row[] = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../infra/catalog/${owner}.json`), 'utf8'),
  );
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Error(`The catalog has no ${id}.`);
  return row;
}

/** The request for its own model, and for each other one that has what it asks for. */
export function onFamilies(fixture: Fixture): readonly Fixture[] {
  if (!isGeneration(fixture)) return [fixture];
  const own = modelOf(fixture);
  const request = JSON.stringify([fixture.setup, fixture.body]);
  const others = families.filter((row) => row.id !== own && takes(row, request));
  return [fixture, ...others.map(({ id }) => onModel(fixture, id))];
}

export function modelOf({ body }: Step): string {
  return Object(body).model ?? '';
}

function onModel(fixture: Fixture, model: string): Fixture {
  const moved = <S extends Step>(step: S): S => ({ ...step, body: { ...Object(step.body), model } });
  return { ...moved(fixture), setup: fixture.setup.map(moved) };
}

function isGeneration({ path }: Step): boolean {
  return /\/(chat\/completions|responses|messages(\/count_tokens)?)(\?|$)/.test(path);
}

/** Tools that run at OpenAI. */
const hosted = /"type":"(code_interpreter|mcp|image_generation)"/;

function takes({ id, modalities, traits }: Row, request: string): boolean {
  if (/image_url|"type":"image"/.test(request) && !modalities.input.includes('image')) return false;
  if (/"type":"((input_)?file|document)"/.test(request) && !modalities.input.includes('pdf')) return false;
  if (/"type":"web_search(_\d+)?"/.test(request) && !traits.webSearch) return false;
  // Its newest models think without a budget, and refuse one: a request in its own protocol is not adapted.
  if (request.includes('"budget_tokens"') && id.startsWith('anthropic/')) return false;
  return !hosted.test(request) || id.startsWith('openai/');
}
