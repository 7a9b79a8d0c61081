/** The pages, the theme, and who is signed in. On a phone it is behind a button. */
import { useEffect } from 'preact/hooks';
import { type Session, signOut } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Link } from '../components/link.tsx';
import type { PageRow } from '../pages/pages.ts';
import { pageName } from '../state/location.ts';
import { Mark } from './mark.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

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
        <div class="mark">
          <Mark />
          <span>Model gateway</span>
        </div>
        <ul>
          {pages.map(({ name, title, icon }) => (
            <li key={name}>
              <Link to={name} class="navigation-link" current={pageName.value === name} onFollow={close}>
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
  <div class="person">
    <ThemeSwitch />
    <div class="person-row">
      <div class="person-name">
        <span title={user.name}>{user.name}</span>
        <span class="quiet">{tenant === null ? roleNames[role] : `${roleNames[role]} · ${tenant}`}</span>
      </div>
      <IconButton icon="leave" label="Sign out" onClick={() => void signOut()} />
    </div>
  </div>
);
