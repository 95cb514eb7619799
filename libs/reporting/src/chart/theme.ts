/** How charts look: on a ground of their own, so that they can be read wherever they are put. */
export interface Theme {
  readonly ground: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly band: string;
  readonly colours: readonly string[];
  /** Colours of statuses. They also differ in lightness, for people who can't tell red from green. */
  readonly statuses: Readonly<Record<'good' | 'partial' | 'bad' | 'none', string>>;
}

export const THEMES = {
  light: {
    ground: '#ffffff',
    text: '#1b2330',
    quiet: '#5a6577',
    line: '#dde2ea',
    band: '#f4f6f9',
    colours: ['#2864d8', '#e07b00', '#12875e', '#b8327f', '#6f4fe0', '#0b8aa3', '#a84d22', '#667085'],
    statuses: { good: '#1f9d6b', partial: '#f5c542', bad: '#8f1d1d', none: '#cfd5de' },
  },
  dark: {
    ground: '#12171f',
    text: '#eef2f8',
    quiet: '#a3aec0',
    line: '#323b49',
    band: '#1a212c',
    colours: ['#6ea0ff', '#ffab4a', '#45cf9b', '#f07fbe', '#a793ff', '#4fcbe2', '#e3916a', '#a3aec0'],
    statuses: { good: '#6ee0b5', partial: '#e3b341', bad: '#d0394b', none: '#667085' },
  },
} as const satisfies Record<string, Theme>;

/** The names that statuses have in reports, in lower case. */
const STATUSES: Readonly<Record<string, keyof Theme['statuses']>> = {
  pass: 'good',
  complete: 'good',
  compliant: 'good',
  partial: 'partial',
  fail: 'bad',
  'non-compliant': 'bad',
  none: 'none',
  'not applicable': 'none',
};

/** The colour of a series or slice with this name where it is a status; undefined for others. */
export function statusColour({ statuses }: Theme, name: string): string | undefined {
  const status = STATUSES[name.toLowerCase()];
  return status && statuses[status];
}

export type ThemeName = keyof typeof THEMES;

/** The font of charts, and what replaces it where an SVG is shown without it. */
export const FONT_FAMILY = "Inter, 'Helvetica Neue', Arial, sans-serif";

/** The size of charts; those that list things grow with their rows. */
export const WIDTH = 960;
export const HEIGHT = 540;
