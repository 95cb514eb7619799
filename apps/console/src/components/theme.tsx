import './trusted-html.ts';
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import './layout.css';
import './lists.css';
import './survey.css';
import './texts.css';

import { createTheme, type CSSVariablesResolver, MantineProvider, useMantineColorScheme } from '@mantine/core';
import { setNonce } from 'get-nonce';
import type { ReactNode } from 'react';
import { nonce } from './page-settings.ts';

setNonce(nonce);

const theme = createTheme({
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
});

/** The defaults of the library have too little contrast for small text. */
const resolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#50575f',
    '--mantine-color-placeholder': '#5c636b',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--console-accent': 'var(--mantine-color-indigo-9)',
    '--console-selected': 'var(--mantine-color-indigo-1)',
    '--console-hover': 'var(--mantine-color-gray-0)',
    '--console-line': 'var(--mantine-color-gray-3)',
  },
  dark: {
    '--mantine-color-dimmed': '#b3b8bd',
    '--mantine-color-placeholder': '#a4a9ae',
    '--mantine-color-error': '#ff9c94',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--console-accent': 'var(--mantine-color-indigo-3)',
    '--console-selected': '#1c2660',
    '--console-hover': 'var(--mantine-color-dark-6)',
    '--console-line': 'var(--mantine-color-dark-4)',
  },
});

export function AppTheme({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}

export const useColorScheme = useMantineColorScheme;

/** Whether colors were chosen in this browser. */
export const hasChosenColors = (): boolean => localStorage.getItem('mantine-color-scheme-value') !== null;
