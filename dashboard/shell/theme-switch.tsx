/** Light, dark, or as the system has it. */
import { signal } from '@preact/signals';
import { Icon, type IconName } from '../components/icon.tsx';

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

export const ThemeSwitch = () => (
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
