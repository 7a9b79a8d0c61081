/** A button that opens a small surface below it. A click elsewhere and Escape close it: the browser does both. */
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface PopoverProps {
  /** On the button. */
  readonly label: ComponentChildren;
  readonly title?: string;
  readonly icon?: IconName;
  /** Gets what closes it. */
  readonly children: (close: () => void) => ComponentChildren;
}

const gap = 4;

export function Popover({ label, title, icon, children }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const surface = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = () => {
    const [anchor, box] = [button.current?.getBoundingClientRect(), surface.current];
    if (!anchor || !box) return;
    const width = box.offsetWidth;
    const left = Math.min(anchor.left, document.documentElement.clientWidth - width - 2 * gap);
    box.style.left = `${Math.max(2 * gap, left)}px`;
    box.style.top = `${anchor.bottom + gap}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button"
        popovertarget={id}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        title={title}
      >
        {icon && <Icon name={icon} />}
        {label}
        <Icon name="chevron" />
      </button>
      <div
        ref={surface}
        id={id}
        popover="auto"
        class="popover"
        role="dialog"
        aria-label={title}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') requestAnimationFrame(place);
        }}
      >
        {isOpen && children(() => surface.current?.hidePopover())}
      </div>
    </>
  );
}
