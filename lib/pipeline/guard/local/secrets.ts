/** Keys and tokens, by the forms that their issuers document. */
import { type Match, matchesOf, type Scan } from './scan.ts';

/** A token stands alone: letters before or after it are of another word. */
const token = (body: string) => new RegExp(`(?<![\\w-])${body}(?![\\w-])`, 'g');

const forms: readonly (readonly [label: string, expression: RegExp])[] = [
  ['gateway_key', token('mgw_[0-9A-Za-z]{40}')],
  ['anthropic_key', token('sk-ant-[\\w-]{20,200}')],
  ['openai_key', token('sk-(?!ant-)(?:(?:proj|svcacct|admin)-)?[\\w-]{20,200}')],
  ['aws_key', token('(?:AKIA|ASIA)[A-Z2-7]{16}')],
  [
    'aws_secret',
    /(?<=aws_secret_access_key["']?\s{0,4}[=:]\s{0,4}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
  ],
  ['google_key', token('AIza[\\w-]{35}')],
  ['github_token', token('(?:gh[pousr]_[0-9A-Za-z]{36,251}|github_pat_\\w{22,255})')],
  ['gitlab_token', token('glpat-[\\w-]{20,64}')],
  ['slack_token', token('xox[abeprs]-[0-9A-Za-z-]{10,250}')],
  ['slack_webhook', /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/]{20,120}/g],
  ['stripe_key', token('(?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,250}')],
  ['sendgrid_key', token('SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}')],
  ['npm_token', token('npm_[0-9A-Za-z]{36}')],
  ['pypi_token', token('pypi-[\\w-]{50,250}')],
  ['huggingface_token', token('hf_[0-9A-Za-z]{30,64}')],
  ['digitalocean_token', token('do[opr]_v1_[0-9a-f]{64}')],
  ['azure_key', /(?<=AccountKey=)[A-Za-z0-9+/]{86}==/g],
  ['telegram_token', token('\\d{8,10}:AA[\\w-]{33}')],
  // Its signature may come after an answer's next piece.
  ['jwt', token('eyJ[\\w-]{10,2000}\\.eyJ[\\w-]{10,4000}(?:\\.[\\w-]{16,1000})?')],
  ['password_in_url', /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,64}:)[^\s:@/]{3,128}(?=@[\w.-])/g],
  [
    'private_key',
    // Its lines, also of a key that is cut off, have no two dashes one after the other.
    /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----(?:-?[\w+/=\s\\:,]){0,8000}(?:-----END [A-Z ]{0,20}PRIVATE KEY-----)?/g,
  ],
];

export const scanSecrets: Scan = function* scan(text) {
  const found: Match[] = [];
  for (const [label, expression] of forms) {
    for (const range of yield* matchesOf(expression, text)) found.push({ ...range, label });
  }
  return found;
};
