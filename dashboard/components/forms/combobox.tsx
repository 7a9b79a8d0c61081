/** A text field that proposes values. Arrow keys choose, Enter takes, Escape closes. */
import { useId, useRef, useState } from 'preact/hooks';

export interface Option {
  readonly value: string;
  readonly label?: string;
}

interface ComboboxProps {
  readonly id?: string;
  readonly label?: string;
  readonly options: readonly Option[];
  readonly placeholder?: string;
  /** Whether a value may be taken that is not proposed. */
  readonly isFree?: boolean;
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: true | undefined;
  readonly onTake: (value: string) => void;
  /** What is typed. */
  readonly onText?: (text: string) => void;
  /** Backspace in an empty field. */
  readonly onBack?: () => void;
}

/** More are found by typing. */
const mostShown = 50;

export function Combobox({
  options,
  isFree = false,
  label,
  onTake,
  onText,
  onBack,
  ...input
}: ComboboxProps) {
  const list = useId();
  const element = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const shown = matching(options, text).slice(0, mostShown);
  const take = (value: string) => {
    setText('');
    setActive(0);
    setOpen(false);
    onTake(value);
    element.current?.focus();
  };
  const takeActive = () => {
    const found = shown[active]?.value ?? (isFree ? text.trim() : '');
    if (found !== '') take(found);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      setActive(Math.max(0, Math.min(shown.length - 1, isOpen ? active + step : active)));
    } else if (event.key === 'Enter' && (isOpen || text !== '')) {
      event.preventDefault();
      takeActive();
    } else if (event.key === 'Escape' && isOpen) {
      // It closes the list, and not the window around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === 'Backspace' && text === '') onBack?.();
  };
  return (
    <span class="combobox">
      <input
        ref={element}
        {...input}
        class="input"
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen && shown.length > 0}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && shown[active] ? `${list}-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          onText?.(currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={list}
        class="options"
        role="listbox"
        aria-label={label ?? 'Proposals'}
        data-open={isOpen && shown.length > 0}
      >
        {isOpen &&
          shown.map(({ value, label: title = value }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus, and takes the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            <div
              key={value}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              // A press would take the focus from the field, which closes the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(value)}
            >
              {title}
            </div>
          ))}
      </div>
    </span>
  );
}

/** Those that have every word of the text, those that begin with it first. */
function matching(options: readonly Option[], text: string): readonly Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  const nameOf = ({ value, label }: Option) => `${label ?? ''} ${value}`.toLowerCase();
  const found = options.filter((option) => words.every((word) => nameOf(option).includes(word)));
  const begins = (option: Option) => (option.value.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return found.toSorted((one, other) => begins(one) - begins(other));
}
