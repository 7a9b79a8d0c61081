/**
 * What a caller may see of a provider's words: messages without keys, accounts, organisations and hosts, and plain names.
 *
 * A provider repeats what a caller wrote, so each pattern takes linear time whatever the text: what may repeat without end
 * has one way to match, and what is looked for ahead has a bound.
 */

/** Longest part of a provider's message that is looked at, and that is shown. In characters. */
export const readLimit = 4000;
const shownLimit = 500;

const removed = '[removed]';

const hasDigitAndLetter = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text);
const unlessPlain = (text: string): string => (hasDigitAndLetter(text) ? removed : text);

type Replacement = string | ((found: string) => string);

/** What must not be shown to callers, in the order of removal: the wider patterns come first. White space is single blanks. */
const secrets: readonly [RegExp, Replacement][] = [
  [/\barn:[\w-]*:\S*/gi, removed],
  [/\b[a-z][a-z0-9+.-]{1,15}:\/\/\S+/gi, removed],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, removed],
  [/\b(bearer|basic) [\w.+/=~-]{8,}/gi, `$1 ${removed}`],
  // Providers show the ends of a key with asterisks between them (`sk-proj-****abcd`).
  [/[\w.-]{0,64}\*{3,}[\w.-]{0,64}/g, removed],
  // Keys by how they begin: OpenAI, DeepSeek, Anthropic (sk), Groq (gsk), xAI, Perplexity (pplx), Cerebras (csk), Moonshot and
  // Alibaba (ak, sk), Voyage (pa), Jina, Fireworks (fw), Together (tgp), Replicate (r8), Hugging Face (hf), GitLab, Nvidia, ours.
  [
    /\b(?:sk|pk|rk|gsk|mgw|key|xai|pplx|csk|ak|r8|hf|api|pa|jina|fw|tgp|glpat|nvapi)[-_](?=[\w*.-]{0,99}[\d*])[\w*.-]{6,}/gi,
    removed,
  ],
  // Google's keys and tokens; AWS's keys, and those of Bedrock.
  [/\b(?:AIza|ya29\.|AKIA|ASIA|ABSK|AROA|AIDA)[\w*.=/+-]{6,}/g, removed],
  // Signed tokens (JWT): their first part is JSON in Base64.
  [/\beyJ[\w-]{8,200}\.[\w.-]+/g, removed],
  [
    /(\b(?:api[ _-]?key|token|secret|signature)(?: provided)? ?[:=] ?)["'`]?(?=\S{0,99}\d)[^\s"'`,)]+/gi,
    `$1${removed}`,
  ],
  [/(\b(?:password|passwd|pwd) ?[:=] ?)["'`]?[^\s"'`,)]+/gi, `$1${removed}`],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, removed],
  // Organisations, projects and accounts: their ids, then names in quotes, then names with a capital letter.
  [
    /\b(?:org|organization|proj|project|acct|account|wrkspc|workspace|user|tenant)[-_](?=[\w-]{0,99}\d)[\w-]{6,}/gi,
    removed,
  ],
  [/\b(projects\/)[\w-]+/gi, `$1${removed}`],
  [/\b(project(?:[ _-]number)?[ :=]{1,3})(?=[\w-]{0,99}\d)[\w-]+/gi, `$1${removed}`],
  [
    /\b(organi[sz]ation|workspace|account|project|team|tenant)( (?:name)? ?[:=]? ?|[:=] ?)(["'`])[^"'`]{1,100}\3/gi,
    `$1$2${removed}`,
  ],
  [/\b([Oo]rgani[sz]ation|[Ww]orkspace|[Tt]eam)( ?[:=] ?| )(?:[A-Z][\w&-]*[ ,.]?){1,5}/g, `$1$2${removed} `],
  [/\b(?:\d{12}|\d{4}-\d{4}-\d{4})\b/g, removed],
  [
    /\b(?:[a-z0-9-]{1,63}\.){1,10}(?:com|net|org|io|ai|dev|cloud|internal|local|localdomain|app|aws|cn)\b(?::\d+)?/gi,
    removed,
  ],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, removed],
  // Hosts of one label, by their port: `db01:5432`, `localhost:8000`, `vllm-server:80`.
  [/\b(?:localhost|[a-z][a-z-]{0,30}[\d-][a-z0-9-]{0,30}):\d{2,5}\b/gi, removed],
  // IPv6 addresses of eight groups, or with `::` for some of them; a digit distinguishes them from names in code.
  [
    /\[?\b(?=[0-9a-f:]{0,39}\d)(?:(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4})\b\]?/gi,
    removed,
  ],
  // Any other long random text: secrets without a known format. 32 characters: keys of Azure and Mistral, and Z.ai's with a
  // second part; 40 and more: Cohere's, AWS's, Azure's newer ones.
  [/[\w+/=-]{40,}/g, unlessPlain],
  [/\b[A-Za-z0-9]{32,39}(?:\.[A-Za-z0-9]{8,32})?\b/g, unlessPlain],
];

/**
 * A provider's message as a caller may see it: without keys, account ids, resource names, hosts, addresses and
 * organisation names, and at most 500 characters long. Empty for an empty message.
 */
export function scrubProviderMessage(text: string): string {
  const clean = removeSecrets(firstWords(text).replace(/\s+/g, ' ')).trim();
  return clean.length > shownLimit ? `${clean.slice(0, shownLimit - 1)}…` : clean;
}

function removeSecrets(text: string): string {
  return secrets.reduce(
    (message, [pattern, replacement]) =>
      typeof replacement === 'string'
        ? message.replace(pattern, replacement)
        : message.replace(pattern, replacement),
    text,
  );
}

/** As much of a text as is read, and no part of a word: the rest of a key might not look like one. */
function firstWords(text: string): string {
  if (text.length <= readLimit) return text;
  const start = text.slice(0, readLimit);
  const end = Math.max(start.lastIndexOf(' '), start.lastIndexOf('\n'));
  return end > 0 ? start.slice(0, end) : start;
}

/** A longer name is no field and no code of ours, and is not shown. */
const maxNameLength = 200;

const plainName = /^[A-Za-z0-9_.[\]-]+$/;

/** The path of a field, or a code, as a provider names it; undefined for anything that is no plain name. */
export function plainNameOf(name: string | undefined): string | undefined {
  if (name === undefined || name.length > maxNameLength || !plainName.test(name)) return undefined;
  return removeSecrets(name) === name ? name : undefined;
}
