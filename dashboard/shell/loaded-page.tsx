/** Loads a page's code and shows it. What fails inside stays inside. */
import { Component, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../api/session.ts';
import { ErrorState, Skeleton } from '../components/states.tsx';
import type { PageRow } from '../pages/pages.ts';
import { reloadForNewVersion } from './deployments.ts';

const loaded = new Map<string, ComponentType<PageProps>>();

export function LoadedPage({ page, session }: PageProps & { readonly page: PageRow }) {
  const [, setLoaded] = useState(loaded.has(page.name));
  const [error, setError] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    page.load().then(
      ({ Page }) => {
        loaded.set(page.name, Page);
        setError(undefined);
        setLoaded(true);
      },
      () => {
        if (!reloadForNewVersion()) setError(new Error('This part of the page could not be loaded.'));
      },
    );
  }, [page, attempt]);
  const Page = loaded.get(page.name);
  if (error) return <ErrorState error={error} retry={() => setAttempt(attempt + 1)} />;
  if (!Page) return <Skeleton lines={6} />;
  return (
    <Boundary>
      <Page session={session} />
    </Boundary>
  );
}

/** A mistake in a page's code must not take the navigation away. */
class Boundary extends Component<object, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  override componentDidCatch(error: Error): void {
    this.setState({ error });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <ErrorState error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
