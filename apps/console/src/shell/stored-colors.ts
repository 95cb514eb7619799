import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { preferencesQuery } from '../api/credentials.ts';
import { hasChosenColors, useColorScheme } from '../components/theme.tsx';
import { oneOf } from './view-state.ts';

const schemeOf = oneOf('auto', 'light', 'dark');

/** In a browser where no colors were chosen yet, shows those that the user has chosen elsewhere. */
export function useStoredColors(): void {
  const { setColorScheme } = useColorScheme();
  const { data } = useQuery({ ...preferencesQuery, enabled: !hasChosenColors() });
  useEffect(() => {
    if (data && !hasChosenColors()) setColorScheme(schemeOf(data['theme']) ?? 'auto');
  }, [data, setColorScheme]);
}
