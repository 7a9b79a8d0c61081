/** The code of a request of the playground, for a key in the environment. */
import type { PlaygroundBody } from './conversation.ts';

interface CodeSnippet {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

/** @param baseUrl With `/v1`. */
export function codeFor(body: PlaygroundBody, baseUrl: string): readonly CodeSnippet[] {
  const json = JSON.stringify(body, null, 2);
  return [
    {
      name: 'curl',
      title: 'curl',
      text: `curl -s ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $GATEWAY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d @- <<'END'
${json}
END`,
    },
    {
      name: 'python',
      title: 'Python',
      text: `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["GATEWAY_API_KEY"])
completion = client.chat.completions.create(
${Object.entries(body)
  .map(([name, value]) => `    ${name}=${pythonOf(value, '    ')},`)
  .join('\n')}
)
print(completion.choices[0].message)`,
    },
    {
      name: 'typescript',
      title: 'TypeScript',
      text: `import { env } from 'node:process';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: env.GATEWAY_API_KEY });
const completion = await client.chat.completions.create(${json});
console.log(completion.choices[0].message);`,
    },
  ];
}

/** A value of JSON as Python writes it. */
function pythonOf(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  const wrapped = (open: string, lines: readonly string[], close: string) =>
    lines.length === 0
      ? open + close
      : `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
  if (Array.isArray(value))
    return wrapped(
      '[',
      value.map((one) => pythonOf(one, inner)),
      ']',
    );
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${pythonOf(one, inner)}`,
  );
  return wrapped('{', members, '}');
}

/** The same without the data of images, which fill the screen. */
export const withoutData = (text: string): string =>
  text.replaceAll(/(data:image\/\w+;base64,[\w+/=]{24})[\w+/=]+/g, '$1…');
