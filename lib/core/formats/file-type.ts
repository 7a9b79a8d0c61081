/**
 * The type of a file in a message, by what its sender says: the type in its data URL, else the ending of its name, else
 * that of its URL. A file of which nothing is said is a PDF.
 */

export const pdfType = 'application/pdf';

const office = 'application/vnd.openxmlformats-officedocument';

/** Documents that are neither PDF nor text, by the common ending of their names. */
export const officeTypes = {
  doc: 'application/msword',
  docx: `${office}.wordprocessingml.document`,
  xls: 'application/vnd.ms-excel',
  xlsx: `${office}.spreadsheetml.sheet`,
  ppt: 'application/vnd.ms-powerpoint',
  pptx: `${office}.presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
} as const;

/** Types of text whose names do not begin with `text/`. */
const textTypes: ReadonlySet<string> = new Set(
  [
    'json x-ndjson ndjson jsonl json-lines xml yaml x-yaml toml x-toml csv sql graphql javascript x-javascript ecmascript',
    'typescript x-typescript x-sh x-shellscript x-python x-httpd-php x-ipynb+json x-tex x-subrip',
  ].flatMap((line) => line.split(' ').map((name) => `application/${name}`)),
);

/** Endings of text files whose type is not `text/plain`. */
const textEndings: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  markdown: 'text/markdown',
  md: 'text/markdown',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

const plainEndings: ReadonlySet<string> = new Set(
  [
    'txt text log ini cfg conf env toml jsonl ndjson ipynb tex rst adoc org srt vtt diff patch properties',
    'py js mjs cjs ts tsx jsx vue svelte java kt kts scala groovy c h cc cpp hpp cxx cs go rs rb php swift m mm r jl lua pl',
    'sh bash zsh fish ps1 bat sql graphql proto css scss sass less dart ex exs erl hs clj elm zig nim sol tf dockerfile',
  ].flatMap((line) => line.split(' ')),
);

/** More text than any model reads. */
export const maxTextBytes = 4 * 1024 * 1024;

/** Said of files whose type the sender does not know. */
const unknownTypes: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

interface DescribedFile {
  /** `https:` or `data:`. */
  readonly url: string;
  readonly filename?: string | undefined;
}

/** A media type in lower case, without parameters. */
export function fileTypeOf({ url, filename }: DescribedFile): string {
  const declared = declaredType(url);
  if (declared !== undefined && isKnownFileType(declared)) return declared;
  // Systems that know only a few types call a source file a video, for example.
  const named = typeOfName(filename) ?? (declared === undefined ? typeOfName(pathOfUrl(url)) : undefined);
  return named ?? (declared === undefined || unknownTypes.has(declared) ? pdfType : declared);
}

/** The type in a data URL. Looks only at the head of what may be many megabytes. */
function declaredType(url: string): string | undefined {
  return /^data:([^;,]{0,200})/i.exec(url.slice(0, 256))?.[1]?.trim().toLowerCase();
}

const pathOfUrl = (url: string): string | undefined => URL.parse(url)?.pathname;

function typeOfName(name: string | undefined): string | undefined {
  const ending = /\.([a-z0-9]{1,12})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
  if (ending === 'pdf') return pdfType;
  if (plainEndings.has(ending)) return 'text/plain';
  if (Object.hasOwn(textEndings, ending)) return textEndings[ending];
  return Object.hasOwn(officeTypes, ending) ? officeTypes[ending as keyof typeof officeTypes] : undefined;
}

export function isTextType(type: string): boolean {
  return type.startsWith('text/') || textTypes.has(type) || /\+(json|xml|yaml)$/.test(type);
}

/** The ending of an office document's name. */
export function officeEnding(type: string): string | undefined {
  return Object.entries(officeTypes).find(([, known]) => known === type)?.[0];
}

/** A name for a file that has none. */
export function nameFor(type: string): string {
  const ending = Object.entries(textEndings).find(([, known]) => known === type)?.[0];
  return `document.${type === pdfType ? 'pdf' : (officeEnding(type) ?? ending ?? 'txt')}`;
}

/** Whether any provider takes files of this type. */
export function isKnownFileType(type: string): boolean {
  return type === pdfType || isTextType(type) || officeEnding(type) !== undefined;
}
