/**
 * Recorded provider traffic, ready to be replayed by an upstream on loopback: framing that was removed is restored.
 * The recordings are stored outside the project and may be absent.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStreamCodec } from '@smithy/eventstream-codec';

export const recordingsFolder = join(import.meta.dirname, '../../../../shared/data/traffic');

export const hasRecordings = existsSync(recordingsFolder);

export type Protocol = 'openai' | 'openai-responses' | 'anthropic' | 'google' | 'bedrock' | 'cohere';

export interface Recording {
  readonly name: string;
  readonly protocol: Protocol;
  /** The provider with this dialect of the protocol. */
  readonly provider: string;
  readonly stream: boolean;
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** What a folder holds. */
interface Folder {
  readonly protocol: Protocol;
  readonly provider: string;
}

const host = (provider: string): Folder => ({ protocol: 'openai', provider });
const own = (protocol: Protocol): Folder => ({ protocol, provider: protocol });

/** The protocol of each folder; the other folders have protocols other than chat, or not supported. */
const folders: Readonly<Record<string, Folder>> = {
  'openai-chat': own('openai'),
  'openai-compatible': own('openai'),
  azure: own('openai'),
  anthropic: own('anthropic'),
  google: own('google'),
  'google-vertex': own('google'),
  bedrock: own('bedrock'),
  cohere: own('cohere'),
  mistral: host('mistral'),
  xai: host('xai'),
  deepseek: host('deepseek'),
  groq: host('groq'),
  moonshot: host('moonshot'),
  alibaba: host('alibaba'),
  cerebras: host('cerebras'),
  openrouter: host('openrouter'),
};

const responses = (provider: string): Folder => ({ protocol: 'openai-responses', provider });

/** The folders with the Responses protocol, and their providers. Those of other hosts are replayed as OpenAI's. */
const responsesFolders: Readonly<Record<string, Folder>> = {
  'openai-responses': responses('openai'),
  'open-responses': responses('openai'),
  deepseek: responses('openai'),
  azure: responses('openai'),
  'xai-responses': responses('xai'),
};

/** In the folders that hold chat as well. */
const ofResponses =
  /^(openai-responses|open-responses|xai-responses|deepseek\/test_deepseek_responses|azure\/azure-)/;

/** Embeddings, Azure's recordings of another API, and bodies that their cassettes hold too. */
const notChat = /embed|Bedrock\.test|^azure-(text|tool)|\.0\.sse$|\.eventstream\.bin$/;

export function chatRecordings(): readonly Recording[] {
  return loadAll(folders, (name) => !notChat.test(name.replace(/^.*\//, '')));
}

export function responsesRecordings(): readonly Recording[] {
  return loadAll(responsesFolders, (name) => ofResponses.test(name) && !name.endsWith('.0.sse'));
}

function loadAll(
  from: Readonly<Record<string, Folder>>,
  isWanted: (name: string) => boolean,
): readonly Recording[] {
  if (!hasRecordings) return [];
  return Object.entries(from).flatMap(([name, held]) =>
    readdirSync(join(recordingsFolder, name))
      .map((file) => `${name}/${file}`)
      .filter(isWanted)
      .flatMap((file) => load(file, held)),
  );
}

function load(name: string, held: Folder): readonly Recording[] {
  const bytes = readFileSync(join(recordingsFolder, name));
  if (name.endsWith('.cassette.json')) return cassette(name, held, JSON.parse(bytes.toString()));
  if (name.endsWith('.chunks.txt')) {
    const frames = bytes
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '');
    return splitAnswers(name, frames).map((answer) => ({
      ...answer,
      ...held,
      stream: true,
      status: 200,
      ...frame(held.protocol, answer.frames),
    }));
  }
  if (name.endsWith('.sse')) {
    return [{ name, ...held, stream: true, status: 200, contentType: 'text/event-stream', body: bytes }];
  }
  const status = statusOf(JSON.parse(bytes.toString()));
  return [{ name, ...held, stream: false, status, contentType: 'application/json', body: bytes }];
}

/** Some files hold several answers of one conversation: each with its own id, or with its own beginning. */
function splitAnswers(name: string, frames: readonly string[]) {
  let begun = 0;
  const answerOf = (frame: string): string => {
    const { id, type } = JSON.parse(frame);
    if (type === 'response.created') begun += 1;
    return name.startsWith('cerebras/') ? String(id) : String(begun);
  };
  const answers = Map.groupBy(frames, answerOf);
  if (answers.size === 1) return [{ name, frames }];
  return [...answers.values()].map((own, index) => ({ name: `${name} #${index}`, frames: own }));
}

/** A body that is an error was recorded without its status line. */
function statusOf(body: { error?: { code?: unknown } }): number {
  if (!body.error) return 200;
  if (body.error.code === 'insufficient_quota') return 429;
  return typeof body.error.code === 'number' ? body.error.code : 400;
}

function frame(protocol: Protocol, lines: readonly string[]): Pick<Recording, 'contentType' | 'body'> {
  if (protocol === 'bedrock') {
    const body = Buffer.concat(lines.map((line) => eventMessage(JSON.parse(line))));
    return { contentType: 'application/vnd.amazon.eventstream', body };
  }
  const text = lines.map((line) => {
    const event =
      protocol === 'anthropic' || protocol === 'openai-responses' ? `event: ${JSON.parse(line).type}\n` : '';
    return `${event}data: ${line}\n\n`;
  });
  const end = protocol === 'openai' ? 'data: [DONE]\n\n' : '';
  return { contentType: 'text/event-stream', body: Buffer.from(text.join('') + end) };
}

function eventMessage(message: object): Buffer {
  const [[type, payload] = ['', {}]] = Object.entries(message);
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );
  const encoded = codec.encode({
    headers: {
      ':message-type': { type: 'string', value: 'event' },
      ':event-type': { type: 'string', value: type },
    },
    body: Buffer.from(JSON.stringify(payload)),
  });
  return Buffer.from(encoded);
}

interface Cassette {
  readonly interactions: readonly {
    readonly request: { readonly url: string };
    readonly response: {
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly base64?: string;
    };
  }[];
}

const responsesUrl = /\/responses$/;
const chatUrl = /chat\/completions|\/v2\/chat$|\/messages(\?|$)|[gG]enerateContent|\/converse/;

function cassette(file: string, held: Folder, { interactions }: Cassette): readonly Recording[] {
  return interactions
    .map(({ request, response }, index) => ({ request, response, name: `${file} #${index}` }))
    .filter(({ request }) =>
      (held.protocol === 'openai-responses' ? responsesUrl : chatUrl).test(request.url),
    )
    .map(({ response: { status, json, text, base64 }, name }) => {
      const common = { name, ...held, status };
      if (base64 !== undefined) {
        const contentType = 'application/vnd.amazon.eventstream';
        return { ...common, stream: true, contentType, body: Buffer.from(base64, 'base64') };
      }
      const stream = text !== undefined && /^(event|data|:)/m.test(text);
      const body = Buffer.from(json === undefined ? (text ?? '') : JSON.stringify(json));
      return { ...common, stream, contentType: stream ? 'text/event-stream' : 'application/json', body };
    });
}
