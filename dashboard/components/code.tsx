/** A text to copy: a command, a setting, an id. */
import { CopyButton } from './copy.tsx';

interface CodeProps {
  readonly text: string;
  /** What it is, for those who hear the page. */
  readonly label: string;
  /** What is copied, where it differs from what is shown. */
  readonly copied?: string;
}

export const Code = ({ text, label, copied = text }: CodeProps) => (
  <figure class="code" aria-label={label}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which must be possible by keyboard. */}
    <pre tabIndex={0}>{text}</pre>
    <CopyButton text={copied} label={`Copy: ${label}`} />
  </figure>
);

/** A short one within a line. */
export const Identifier = ({ text }: { readonly text: string }) => (
  <span class="identifier">
    <code title={text}>{text}</code>
    <CopyButton text={text} label="Copy the id" />
  </span>
);
