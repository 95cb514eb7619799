/** How charts look: on a ground of their own, so that they can be read wherever they are put. */
export interface Theme {
  readonly ground: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly band: string;
  readonly colours: readonly string[];
}

export const THEMES = {
  light: {
    ground: '#ffffff',
    text: '#1b2330',
    quiet: '#5a6577',
    line: '#dde2ea',
    band: '#f4f6f9',
    colours: ['#2864d8', '#e07b00', '#12875e', '#b8327f', '#6f4fe0', '#0b8aa3', '#a84d22', '#667085'],
  },
  dark: {
    ground: '#12171f',
    text: '#eef2f8',
    quiet: '#a3aec0',
    line: '#323b49',
    band: '#1a212c',
    colours: ['#6ea0ff', '#ffab4a', '#45cf9b', '#f07fbe', '#a793ff', '#4fcbe2', '#e3916a', '#a3aec0'],
  },
} as const satisfies Record<string, Theme>;

export type ThemeName = keyof typeof THEMES;

export const THEME_NAMES = Object.keys(THEMES) as ThemeName[];

/** The font that ships with the product, and what stands in for it where an SVG is shown without it. */
export const FONT_FAMILY = "Inter, 'Helvetica Neue', Arial, sans-serif";

/** The size of charts; those that list things grow with their rows. */
export const WIDTH = 960;
export const HEIGHT = 540;
