/**
 * Renders the output of a command as an SVG picture of a terminal. Usage:
 * `node docs/images/render-terminal.ts '<command>' < output.txt > picture.svg`
 */
import { text } from 'node:stream/consumers';

const columnWidth = 7.8;
const lineHeight = 19;
const padding = 18;
const titleHeight = 34;
const maxColumns = 108;

/** The colours of ANSI escape sequences that the local gateway uses. */
const colours: Readonly<Record<string, string>> = { '31': '#ff7b72', '32': '#7ee787', '33': '#e3b341' };

interface Span {
  readonly text: string;
  readonly colour: string | undefined;
}

function toSpans(line: string): readonly Span[] {
  const [first = '', ...parts] = line.split('\u001b[');
  const coloured = parts.map((part): Span => {
    const end = part.indexOf('m');
    return { text: part.slice(end + 1), colour: colours[part.slice(0, end)] };
  });
  return [{ text: first, colour: undefined }, ...coloured];
}

/** Breaks a long line as a terminal does. Lines with colours are short. */
function wrap(line: string): readonly string[] {
  if (line.includes('\u001b') || line.length <= maxColumns) return [line];
  return [line.slice(0, maxColumns), ...wrap(line.slice(maxColumns))];
}

const escapeXml = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function render(title: string, lines: readonly string[]): string {
  const width = Math.ceil(maxColumns * columnWidth + 2 * padding);
  const height = titleHeight + lines.length * lineHeight + padding;
  const rows = lines.map((line, index) => {
    const spans = toSpans(line).map(({ text: value, colour }) =>
      colour === undefined ? escapeXml(value) : `<tspan fill="${colour}">${escapeXml(value)}</tspan>`,
    );
    const y = titleHeight + (index + 1) * lineHeight;
    return `  <text x="${padding}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">`,
    `  <rect width="${width}" height="${height}" rx="10" fill="#161b22"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `  <circle cx="${20 + index * 20}" cy="18" r="6" fill="${fill}"/>`,
    ),
    '  <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13" fill="#e6edf3">',
    `  <text x="${width / 2}" y="22" text-anchor="middle" fill="#8b949e">${escapeXml(title)}</text>`,
    ...rows,
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}

const [title = ''] = process.argv.slice(2);
const output = (await text(process.stdin)).replaceAll('\r', '').trimEnd();
process.stdout.write(render(title, output.split('\n').flatMap(wrap)));
