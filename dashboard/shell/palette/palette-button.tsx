/** Opens the command palette, by click or Ctrl K (⌘ K); its code is loaded then. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../../api/session.ts';
import { IconButton } from '../../components/controls.tsx';
import { toast } from '../../components/toast.tsx';

const isOpen = signal(false);
const open = () => {
  isOpen.value = true;
};
const close = () => {
  isOpen.value = false;
};

export const PaletteButton = () => (
  <IconButton icon="search" label="Go to (Ctrl K)" aria-haspopup="dialog" onClick={open} />
);

type Palette = ComponentType<PageProps & { readonly onClose: () => void }>;

/** Once in the page. */
export function PaletteWindow({ session }: PageProps) {
  const [loaded, setLoaded] = useState<{ readonly Palette: Palette }>();
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const isWanted = isOpen.value;
  useEffect(() => {
    if (!isWanted || loaded) return;
    import('./palette.tsx').then(setLoaded, () => {
      close();
      toast('The search could not be loaded.', 'bad');
    });
  }, [isWanted]);
  return isWanted && loaded ? <loaded.Palette session={session} onClose={close} /> : null;
}

function onKey(event: KeyboardEvent): void {
  const isShortcut = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  // What a window shows, such as a new key, must not be lost.
  if (!isShortcut || event.shiftKey || event.altKey || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  open();
}
