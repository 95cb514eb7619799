import type { SwaggerCustomOptions } from '@nestjs/swagger';
import { REMOVED_TAG } from './tags.js';

/** The parts of Swagger UI that the plugin uses. Its lists and maps are those of Immutable.js. */
interface SwaggerUi {
  readonly React: { createElement(type: unknown, properties: object | null, ...children: unknown[]): unknown };
  readonly authActions: { showDefinitions(definitions: unknown): void };
  readonly authSelectors: { definitionsToAuthorize(): Collection };
  readonly layoutActions: { updateFilter(phrase: string): void };
  readonly layoutSelectors: { currentFilter(): unknown };
  readonly getConfigs: () => { readonly hiddenTag: string; readonly logo: string };
}

interface Collection {
  filter(test: (value: Collection, key: string) => boolean): Collection;
  map(change: (value: Collection) => Collection): Collection;
  update(key: string, change: (value: Collection) => Collection): Collection;
  get(key: string): Collection;
  getIn(path: readonly string[]): unknown;
  has(key: string): boolean;
  readonly size: number;
}

interface Properties {
  readonly children?: unknown;
  readonly content?: unknown;
  readonly contentType?: string;
}

type Wrap = (original: unknown, system: SwaggerUi) => (properties: Properties) => unknown;

/**
 * Adapts Swagger UI. The function runs in the browser: its text is part of a script, so it must not use anything from
 * outside.
 */
function merlonPlugin({ React, getConfigs }: SwaggerUi): object {
  const MAX_HIGHLIGHTED_CHARACTERS = 100_000;

  /** Highlighting a long response takes the browser seconds. */
  const highlightUnlessLong: Wrap = (original) => (properties) => {
    const text = properties.children;
    return typeof text === 'string' && text.length > MAX_HIGHLIGHTED_CHARACTERS
      ? React.createElement('pre', { className: 'microlight plain' }, text)
      : React.createElement(original, properties);
  };

  /** Swagger UI shows SVG as text. */
  const showImage: Wrap = (original) => (properties) => {
    const { content, contentType = '' } = properties;
    return contentType.startsWith('image/svg') && typeof content === 'string'
      ? React.createElement('img', { alt: 'Response', src: `data:image/svg+xml,${encodeURIComponent(content)}` })
      : React.createElement(original, properties);
  };

  /** The dialog for all operations asks only for the API token; that of an operation asks for what it accepts. */
  const authorizeByToken: Wrap =
    (original, { authActions, authSelectors }) =>
    (properties) => {
      const onClick = (): void =>
        authActions.showDefinitions(authSelectors.definitionsToAuthorize().filter((one) => one.has('token')));
      return React.createElement(original, { ...properties, onClick });
    };

  /** Finds operations by tag, summary or path. */
  const filterOperations = (tags: Collection, phrase: string): Collection => {
    const words = phrase.toLowerCase().split(/\s+/);
    return tags
      .map((tag) =>
        tag.update('operations', (operations) =>
          operations.filter((one) => {
            const text = [
              tag.getIn(['tagDetails', 'name']),
              one.getIn(['operation', 'summary']),
              one.getIn(['path']),
              one.getIn(['method']),
            ];
            return words.every((word) => text.join(' ').toLowerCase().includes(word));
          }),
        ),
      )
      .filter((tag) => tag.get('operations').size > 0);
  };

  /** The original says that it filters by tag. */
  const FilterContainer = ({ layoutActions, layoutSelectors }: SwaggerUi): unknown => {
    const phrase = layoutSelectors.currentFilter();
    const input = React.createElement('input', {
      className: 'operation-filter-input',
      type: 'search',
      placeholder: 'Find operations by summary, path or tag',
      'aria-label': 'Find operations',
      value: typeof phrase === 'string' ? phrase : '',
      onChange: ({ target }: { target: { value: string } }) => layoutActions.updateFilter(target.value),
    });
    const filter = React.createElement('div', { className: 'filter wrapper' }, input);
    return React.createElement('div', { className: 'filter-container' }, filter);
  };

  const hideTag =
    (selector: (...values: unknown[]) => Collection) =>
    (state: unknown, ...values: unknown[]): unknown =>
      selector(state, ...values).filter((_tag, name) => name !== getConfigs().hiddenTag);

  const Logo = (): unknown => React.createElement('img', { alt: 'Merlon', height: 40, src: getConfigs().logo });

  return {
    components: { Logo, FilterContainer },
    wrapComponents: { HighlightCode: highlightUnlessLong, responseBody: showImage, authorizeBtn: authorizeByToken },
    fn: { opsFilter: filterOperations },
    statePlugins: { spec: { wrapSelectors: { taggedOperations: hideTag } } },
  };
}

/** The parapet between two merlons, and the name. */
const LOGO_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 40">' +
  '<path fill="#7cc4a4" d="M4 34V8h8v8h6V8h8v8h6V8h8v26z"/>' +
  '<text x="50" y="29" font-family="sans-serif" font-size="24" font-weight="600" fill="#fff">Merlon</text></svg>';

const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 44 40">' +
  '<path fill="#2a7f5f" d="M4 34V8h8v8h6V8h8v8h6V8h8v26z"/></svg>';

const dataUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** The settings of Swagger UI. */
export const SWAGGER_UI: SwaggerCustomOptions = {
  customSiteTitle: 'Merlon API',
  customfavIcon: dataUrl(ICON_SVG),
  customCss: '.swagger-ui .plain { max-height: 400px; overflow: auto; white-space: pre-wrap; }',
  swaggerOptions: {
    persistAuthorization: true,
    docExpansion: 'none',
    filter: true,
    deepLinking: true,
    plugins: [merlonPlugin],
    hiddenTag: REMOVED_TAG,
    logo: dataUrl(LOGO_SVG),
  },
};
