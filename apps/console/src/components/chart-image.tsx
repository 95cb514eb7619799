import { Button, Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import { strings } from '../strings.ts';

/** The service draws few charts at once, and rejects those that would wait too long. They are asked for again. */
const RETRY_MILLISECONDS = [2000, 5000];

/** A chart that the service draws, in the colors of the page. Its size is known before it is loaded. */
export function ChartImage({
  title,
  addressIn,
  size = 'large',
}: {
  readonly title: string;
  readonly addressIn: (theme: 'light' | 'dark') => string;
  readonly size?: 'large' | 'small';
}) {
  const theme = useComputedColorScheme('light');
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ readonly address: string; readonly isShown: boolean }>();
  const address = addressIn(theme);
  const key = `${address} ${attempt}`;
  const result = loaded?.address === key ? loaded : undefined;
  const hasFailed = result?.isShown === false;
  const pause = RETRY_MILLISECONDS[attempt];
  useEffect(() => {
    if (!hasFailed || pause === undefined) return undefined;
    const timer = setTimeout(() => setAttempt((before) => before + 1), pause);
    return () => clearTimeout(timer);
  }, [hasFailed, pause]);
  if (hasFailed && pause === undefined)
    return (
      <Stack align="center" justify="center" gap="xs" mih={size === 'small' ? 200 : 300}>
        <Text c="dimmed" size="sm">
          {strings.chartFailed}
        </Text>
        <Button size="xs" variant="default" onClick={() => setAttempt((before) => before + 1)}>
          {strings.tryAgain}
        </Button>
      </Stack>
    );
  return (
    <Skeleton visible={!result} radius="md" mih={result ? 0 : size === 'small' ? 200 : 300}>
      <img
        key={key}
        src={address}
        alt={strings.chartOf(title)}
        loading={size === 'small' ? 'lazy' : 'eager'}
        style={{ display: 'block', width: '100%', maxWidth: 960, height: 'auto' }}
        onLoad={() => setLoaded({ address: key, isShown: true })}
        onError={() => setLoaded({ address: key, isShown: false })}
      />
    </Skeleton>
  );
}
