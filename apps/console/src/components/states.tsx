import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../strings.ts';

/** Instead of content that does not exist: why, and what to do next. */
export function Empty({
  title,
  isPage = false,
  children,
}: {
  readonly title: string;
  /** Whether there is nothing else on the page. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" p="xl" ta="center">
      <Title order={isPage ? 1 : 2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" component="div">
        {children}
      </Text>
    </Stack>
  );
}

export function Loading() {
  return (
    <Stack align="center" p="xl">
      <Loader size="sm" aria-label={strings.loading} role="status" />
    </Stack>
  );
}

/** What an error means for people. */
export const messageOf = (error: unknown): string => {
  if (error instanceof TypeError) return strings.noConnection;
  return (error instanceof Error && error.message) || strings.unknownError;
};

export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  return (
    <Alert color="red" variant="outline" title={strings.failed} m="md" role="alert">
      <Stack gap="sm" align="flex-start">
        {messageOf(error)}
        {retry && (
          <Button variant="default" onClick={retry}>
            {strings.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface Result<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** The result of a query once it is there; until then, that it is loading or has failed. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: Result<Data>;
  readonly children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}
