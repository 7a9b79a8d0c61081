/** The choice of a range of time. */
import { useState } from 'preact/hooks';
import { Button } from '../components/controls.tsx';
import { Icon } from '../components/icon.tsx';
import { Popover } from '../components/popover.tsx';
import { change, range } from '../state/location.ts';
import { dateOf, maxRangeDays, type Range, rangeNames, rangeQuery, rangeTitles } from '../state/range.ts';

export function RangePicker() {
  const now = range.value;
  return (
    <Popover label={titleOf(now)} title="Range of time, in UTC" icon="calendar">
      {(close) => (
        <>
          <div class="range-choices">
            {rangeNames.map((name) => (
              <button
                key={name}
                type="button"
                aria-pressed={now.name === name}
                onClick={() => {
                  change(rangeQuery({ name }));
                  close();
                }}
              >
                {rangeTitles[name]}
                {now.name === name && <Icon name="check" />}
              </button>
            ))}
          </div>
          <Dates range={now} close={close} />
        </>
      )}
    </Popover>
  );
}

const day = 86_400;

const titleOf = ({ name, from, to }: Range): string => {
  if (name !== 'custom') return rangeTitles[name];
  const last = dateOf(to - day);
  return dateOf(from) === last ? last : `${dateOf(from)} – ${last}`;
};

function Dates({ range: now, close }: { readonly range: Range; readonly close: () => void }) {
  const [from, setFrom] = useState(dateOf(now.from));
  const [to, setTo] = useState(dateOf(now.to - day));
  const days = (Date.parse(to) - Date.parse(from)) / 1_000 / day + 1;
  const fits = days >= 1 && days <= maxRangeDays;
  return (
    <form
      class="range-dates"
      onSubmit={(event) => {
        event.preventDefault();
        change(rangeQuery({ from, to }));
        close();
      }}
    >
      <label>
        <span class="quiet">From</span>
        <input
          class="input"
          type="date"
          required
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </label>
      <label>
        <span class="quiet">To</span>
        <input
          class="input"
          type="date"
          required
          value={to}
          onInput={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </label>
      {!fits && from !== '' && to !== '' && (
        <p class="hint is-bad">
          {days < 1 ? 'The first day is after the last one.' : `At most ${maxRangeDays} days.`}
        </p>
      )}
      <Button type="submit" disabled={!fits}>
        Show these days
      </Button>
    </form>
  );
}
