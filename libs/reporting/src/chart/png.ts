import { createRequire } from 'node:module';
import { renderAsync } from '@resvg/resvg-js';

const resolve = createRequire(import.meta.url).resolve;

/** The bundled font, in the weights that charts use. */
const FONTS = ['400Regular/Inter_400Regular', '600SemiBold/Inter_600SemiBold'].map((name) =>
  resolve(`@expo-google-fonts/inter/${name}.ttf`),
);

/** Twice the nominal size, so that the image is sharp on any screen. */
const ZOOM = 2;

/** Renders an SVG as PNG. It uses the bundled font only, so that the result is the same on every machine. */
export async function pngOf(svg: string): Promise<Buffer> {
  const image = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { fontFiles: FONTS, loadSystemFonts: false, defaultFontFamily: 'Inter' },
  });
  return image.asPng();
}
