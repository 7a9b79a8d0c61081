/** What an error means and what to do about it: the text of the error reference, which is loaded when it is needed. */
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorGuide } from '../../../lib/core/errors/error-guide.ts';

export function ErrorMeaning({ code }: { readonly code: string }) {
  const [guide, setGuide] = useState<ErrorGuide>();
  useEffect(() => {
    let isShown = true;
    // Without it, the code alone is shown.
    import('./error-guide.ts').then(
      ({ guideOf }) => isShown && setGuide(guideOf(code)),
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [code]);
  return (
    <div class="error-meaning">
      <code>{code}</code>
      {guide && (
        <>
          <p>{withCode(guide.when)}</p>
          <p>{withCode(guide.what)}</p>
        </>
      )}
    </div>
  );
}

/** What the reference has between backticks is code. */
const withCode = (text: string) =>
  text
    .split('`')
    .map((part, index) =>
      index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
    );
