/** A text to copy: a command, a setting, an id. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { toast } from './toast.tsx';

const shownMs = 1_600;

export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toast('The browser does not allow to copy. Select the text instead.', 'bad'),
    );
  return (
    <button
      type="button"
      class={copied ? 'icon-button is-done' : 'icon-button'}
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      onClick={copy}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}

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
    <code class="cut" title={text}>
      {text}
    </code>
    <CopyButton text={text} label="Copy the id" />
  </span>
);
