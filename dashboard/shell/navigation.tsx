/** The pages, the theme, and who is signed in. On a phone it is behind a button. */

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Session, signOut } from '../api/session.ts';
import { IconButton } from '../components/controls.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Link } from '../components/link.tsx';
import type { PageRow } from '../pages/pages.ts';
import { pageName } from '../state/location.ts';
import { Mark } from './mark.tsx';

interface NavigationProps {
  readonly session: Session | undefined;
  readonly pages: readonly PageRow[];
  readonly isOpen: boolean;
  readonly close: () => void;
}

export function Navigation({ session, pages, isOpen, close }: NavigationProps) {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOpen]);
  return (
    <>
      <div class="shade" data-open={isOpen} onClick={close} aria-hidden="true" />
      <nav id="navigation" class="navigation" data-open={isOpen} aria-label="Pages">
        <div class="mark row">
          <Mark />
          <span>Model gateway</span>
        </div>
        <ul>
          {pages.map(({ name, title, icon }) => (
            <li key={name}>
              <Link to={name} class="navigation-link row" current={pageName.value === name} onFollow={close}>
                <Icon name={icon} />
                {title}
              </Link>
            </li>
          ))}
        </ul>
        {session && <User session={session} />}
      </nav>
    </>
  );
}

const roleNames = { operator: 'Operator', tenant_admin: 'Tenant admin', member: 'Member', viewer: 'Viewer' };

const User = ({ session: { user, role, tenant } }: { readonly session: Session }) => (
  <div class="person stack">
    <ThemeSwitch />
    <div class="person-row row">
      <div class="person-name">
        <span class="cut" title={user.name}>
          {user.name}
        </span>
        <span class="cut quiet">{tenant === null ? roleNames[role] : `${roleNames[role]} · ${tenant}`}</span>
      </div>
      <IconButton icon="leave" label="Sign out" onClick={() => void signOut()} />
    </div>
  </div>
);

const themes = [
  { name: 'system', icon: 'system', label: 'As the system' },
  { name: 'light', icon: 'sun', label: 'Light' },
  { name: 'dark', icon: 'moon', label: 'Dark' },
] as const satisfies readonly { readonly name: string; readonly icon: IconName; readonly label: string }[];
type Theme = (typeof themes)[number]['name'];

const root = document.documentElement;

const theme = signal<Theme>(themes.find(({ name }) => name === root.dataset.theme)?.name ?? 'system');

function choose(name: Theme): void {
  theme.value = name;
  if (name === 'system') delete root.dataset.theme;
  else root.dataset.theme = name;
  try {
    if (name === 'system') localStorage.removeItem('theme');
    else localStorage.setItem('theme', name);
  } catch {
    // The choice holds until the page is closed.
  }
}

const ThemeSwitch = () => (
  <fieldset class="switch">
    <legend class="unseen">Theme</legend>
    {themes.map(({ name, icon, label }) => (
      <label key={name} class="switch-choice" title={label}>
        <input type="radio" name="theme" checked={theme.value === name} onChange={() => choose(name)} />
        <Icon name={icon} />
        <span class="unseen">{label}</span>
      </label>
    ))}
  </fieldset>
);
