/** Buttons, links that look like them, and a choice of views. */
import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  /** `main`: the one thing to do here; `danger`: it cannot be undone; `bare`: without a border. */
  readonly kind?: 'main' | 'danger' | 'bare' | undefined;
  readonly size?: 'small' | undefined;
  readonly icon?: IconName;
}

const classOf = ({ kind, size }: Look, more = '') =>
  ['button', kind && `button-${kind}`, size && `button-${size}`, more].filter(Boolean).join(' ');

type ButtonProps = Look &
  Omit<JSX.IntrinsicElements['button'], 'size' | 'icon' | 'class'> & {
    /** It works: it cannot be pressed again, and shows that. */
    readonly isBusy?: boolean;
    readonly children?: ComponentChildren;
  };

export function Button({ kind, size, icon, isBusy = false, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      class={classOf({ kind, size }, isBusy ? 'is-busy' : '')}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A button that shows an icon alone. */
export const IconButton = ({
  icon,
  label,
  ...rest
}: { readonly icon: IconName; readonly label: string } & Omit<
  JSX.IntrinsicElements['button'],
  'size' | 'icon' | 'class' | 'label'
>) => (
  <button type="button" class="icon-button" aria-label={label} title={label} {...rest}>
    <Icon name={icon} />
  </button>
);

interface LinkProps extends Look {
  readonly href: string;
  /** The name under which the browser saves it. */
  readonly download?: string;
  readonly children?: ComponentChildren;
}

export const ButtonLink = ({ kind, size, icon, children, ...rest }: LinkProps) => (
  <a class={classOf({ kind, size })} {...rest}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
);

export interface Tab {
  readonly name: string;
  readonly title: string;
}

interface TabsProps {
  /** What is chosen, for those who hear the page. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex(({ name }) => name === value);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.name);
    event.currentTarget.querySelector<HTMLElement>(`[data-name="${next.name}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          role="tab"
          class="tab"
          data-name={name}
          aria-selected={name === value}
          tabIndex={name === value ? 0 : -1}
          onClick={() => onChange(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
