import MarkdownIt, { type Token } from 'markdown-it';

const markdown = new MarkdownIt('commonmark', { html: false });

/** Text without the characters that have a meaning in Jira's markup. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\{}[\]!*_~^+|?]/g, String.raw`\$&`).replaceAll(/^(\s*)(-|#|h\d\.|bq\.)/g, String.raw`$1\$2`);

/** A block of code can't contain the word that ends it. */
const withoutCodeTag = (code: string): string => code.replaceAll(/\{(?=code|noformat)/gi, '{ ');

function inlineText(tokens: readonly Token[]): string {
  const links: string[] = [];
  return tokens
    .map((token) => {
      if (token.type === 'strong_open' || token.type === 'strong_close') return '*';
      if (token.type === 'em_open' || token.type === 'em_close') return '_';
      if (token.type === 'hardbreak' || token.type === 'softbreak') return '\n';
      if (token.type === 'code_inline') return `{{${escaped(token.content)}}}`;
      if (token.type === 'link_open') {
        links.push(String(token.attrGet('href')).replaceAll(/[|\]]/g, encodeURIComponent));
        return '[';
      }
      if (token.type === 'link_close') return `|${links.pop()}]`;
      return escaped(token.content);
    })
    .join('');
}

/** Converts Markdown to the markup of Jira Data Center. */
export function wikiOf(text: string): string {
  let bullets = '';
  let written = '';
  for (const token of markdown.parse(text, {})) {
    if (token.type === 'bullet_list_open' || token.type === 'ordered_list_open')
      bullets += token.type === 'bullet_list_open' ? '*' : '#';
    else if (token.type === 'bullet_list_close' || token.type === 'ordered_list_close') {
      bullets = bullets.slice(0, -1);
      if (bullets === '') written += '\n';
    } else if (token.type === 'list_item_open') written += `${bullets} `;
    else if (token.type === 'heading_open') written += bullets === '' ? `${token.tag}. ` : '';
    else if (token.type === 'blockquote_open' || token.type === 'blockquote_close') written += '{quote}\n';
    else if (token.type === 'paragraph_close' || token.type === 'heading_close')
      written += bullets === '' ? '\n\n' : '\n';
    else if (token.type === 'inline') written += inlineText(token.children ?? []);
    else if (token.type === 'hr') written += '----\n';
    else if (token.content !== '') written += `{code}\n${withoutCodeTag(token.content)}{code}\n\n`;
  }
  return written.trim();
}
