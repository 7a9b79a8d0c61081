/** How Vertex refuses betas: by their names. Source: anthropics/claude-code issue 21767. */
import { asObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { asText, lookUp } from '../../protocols/json.ts';
import { type NextBetas, otherNames } from '../claude/claude-elsewhere.ts';

const refusal = /^unexpected value\(s\) (.{1,2000}?) for the .?anthropic-beta.? header/i;

export const nextAtVertex: NextBetas = (body, sent) => {
  const [, list] = refusal.exec(asText(asObject(asObject(parseJson(body)).error).message)) ?? [];
  if (list === undefined) return undefined;
  const refused = list.split(/[`'",\s]+/);
  const left = sent.flatMap((beta) => (refused.includes(beta) ? (lookUp(otherNames, beta) ?? []) : [beta]));
  return left.length === sent.length && left.every((beta) => sent.includes(beta)) ? [] : [...new Set(left)];
};
