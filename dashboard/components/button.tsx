/** Buttons, and links that look like them. */
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
