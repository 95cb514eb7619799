import sanitize from 'sanitize-html';

/** Elements after which a line ends. */
const BLOCK_END = /<\/(?:p|h[1-6]|li|pre|blockquote|tr|div)>|<br ?\/?>/gi;

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The text of HTML, one line for each block; links keep their target. */
export function textOfHtml(html: string): string {
  const text = sanitize(html.replaceAll(BLOCK_END, '$&\n'), {
    allowedTags: [],
    allowedAttributes: {},
    transformTags: {
      a: (tagName, attributes) => ({ tagName, attribs: {}, text: `${attributes['href'] ?? ''} ` }),
    },
  });
  return text
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
