/** Copies a text, and shows that it did. */
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
