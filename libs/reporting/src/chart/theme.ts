/**
 * The colours of a chart. The background is always filled, so that a chart is readable on any page; parts of a page
 * have its background.
 */
export interface Theme {
  readonly background: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly band: string;
  readonly colours: readonly string[];
  /** Colours of statuses. They also differ in lightness, for people who can't distinguish red and green. */
  readonly statuses: Readonly<Record<'good' | 'partial' | 'bad' | 'none', string>>;
}

export const THEMES = {
  light: {
    background: '#ffffff',
    text: '#1b2330',
    quiet: '#5a6577',
    line: '#dde2ea',
    band: '#f4f6f9',
    colours: ['#2864d8', '#e07b00', '#12875e', '#b8327f', '#6f4fe0', '#0b8aa3', '#a84d22', '#667085'],
    statuses: { good: '#1f9d6b', partial: '#f5c542', bad: '#8f1d1d', none: '#cfd5de' },
  },
  dark: {
    background: '#12171f',
    text: '#eef2f8',
    quiet: '#a3aec0',
    line: '#323b49',
    band: '#1a212c',
    colours: ['#6ea0ff', '#ffab4a', '#45cf9b', '#f07fbe', '#a793ff', '#4fcbe2', '#e3916a', '#a3aec0'],
    statuses: { good: '#6ee0b5', partial: '#e3b341', bad: '#d0394b', none: '#667085' },
  },
} as const satisfies Record<string, Theme>;

/** The names of statuses in reports, in lower case. */
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

/** What measures that count the countermeasures of a status add to its name. */
const COUNTED = / countermeasures$/;

/** The colour of a series or slice that is named like a status or counts it; undefined for other names. */
export function statusColour({ statuses }: Theme, name: string): string | undefined {
  const status = STATUSES[name.toLowerCase().replace(COUNTED, '')];
  return status && statuses[status];
}

export type ThemeName = keyof typeof THEMES;

/** The bundled font, and alternatives for viewers of an SVG that do not have it. */
export const FONT_FAMILY = "Inter, 'Helvetica Neue', Arial, sans-serif";

/** The form of a chart, in pixels. The height of large lists depends on the number of rows. */
interface Size {
  readonly width: number;
  readonly height: number;
  /** Whether it is a picture of its own; otherwise, a page around it has its title and background. */
  readonly isWhole: boolean;
  /** Whether it shows less. */
  readonly isCompact: boolean;
}

export const SIZES = {
  large: { width: 960, height: 540, isWhole: true, isCompact: false },
  medium: { width: 960, height: 480, isWhole: false, isCompact: false },
  small: { width: 480, height: 270, isWhole: false, isCompact: true },
} as const satisfies Record<string, Size>;

export type SizeName = keyof typeof SIZES;

/** How a chart looks. */
export interface Style extends Theme, Size {}

export const styleOf = (theme: ThemeName, size: SizeName): Style => {
  const { isWhole } = SIZES[size];
  return { ...THEMES[theme], ...SIZES[size], ...(!isWhole && { background: 'transparent' }) };
};
