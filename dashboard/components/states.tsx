/** What stands where data would be: nothing yet, nothing at all, or a failure. */
import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/api-error.ts';
import type { Read } from '../api/use-read.ts';
import { CopyButton } from './code.tsx';
import { Button } from './controls.tsx';
import { Icon, type IconName } from './icon.tsx';

/** There is nothing. The text is what to do about it. */
export const EmptyState = ({
  title,
  icon,
  children,
}: {
  readonly title: string;
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    {icon && <Icon name={icon} />}
    <h2>{title}</h2>
    <div class="empty-text">{children}</div>
  </div>
);

/** What went wrong, with the id of the request and another try. */
export const ErrorState = ({ error, retry }: { readonly error: Error; readonly retry?: () => void }) => {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div class="failure row" role="alert">
      <Icon name="warning" />
      <div class="failure-text">
        <p>{error.message}</p>
        {requestId && (
          <p class="row row-wrap quiet">
            Request <code>{requestId}</code> <CopyButton text={requestId} label="Copy the request's id" />
          </p>
        )}
      </div>
      {retry && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
};

interface NoEntriesProps {
  readonly read: Pick<Read<unknown>, 'data' | 'error' | 'reload'>;
  /** What it means that there are none. */
  readonly none: string;
}

/** In place of the entries of a part: that they load, what failed, or that there are none. */
export function NoEntries({ read: { data, error, reload }, none }: NoEntriesProps) {
  if (error) return <ErrorState error={error} retry={reload} />;
  return <p class="quiet">{data === undefined ? 'Loading' : none}</p>;
}

/** Lines in place of a text or a table that is still loading. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="skeleton stack" aria-hidden="true">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton-line" />
    ))}
  </div>
);

/** What went wrong, in one line. */
export const Problem = ({ text }: { readonly text: string }) => (
  <p class="form-error" role="alert">
    <Icon name="warning" />
    {text}
  </p>
);
