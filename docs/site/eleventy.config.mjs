// `npm run docs` builds the documentation as a site in `docs/dist`. Its pages are the same files that people read in the
// repository, so this configuration only adds navigation, and removes links to files that are not pages.
import { existsSync } from 'node:fs';
import path from 'node:path';

import { HtmlBasePlugin, IdAttributePlugin, InputPathToUrlTransformPlugin } from '@11ty/eleventy';

/** Folders whose Markdown is not documentation, or has a reader who is in the repository anyway. */
const NOT_PAGES = [
  'apps',
  'libs',
  'packages',
  'test',
  'docker',
  'dist',
  'node_modules',
  'docs/dist',
  'docs/site',
  '.*',
];

const FOLDERS = {
  understand: 'Understand',
  use: 'Use',
  integrate: 'Integrate',
  operate: 'Operate',
  develop: 'Develop',
  'move-here': 'Move here',
};

const titleOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1].replaceAll('`', '') ?? 'Merlon';
const isAddress = (link) => /^[a-z]+:|^#/.test(link);
const isPage = (file) =>
  file.endsWith('.md') && !NOT_PAGES.some((folder) => path.matchesGlob(file, `${folder}/**`)) && existsSync(file);

/** The text of a link to source code stays; the link would lead nowhere. */
function withoutLinksToSources(markdown) {
  markdown.core.ruler.push('links_to_sources', ({ env, tokens }) => {
    for (const { children } of tokens) {
      let removed = false;
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const link = token.attrGet('href');
          const [target] = link.split('#');
          removed = !isAddress(link) && !isPage(path.join(path.dirname(env.page.inputPath), decodeURI(target)));
        }
        if (removed && /^link_(open|close)$/.test(token.type)) {
          if (token.type === 'link_close') removed = false;
          Object.assign(token, { type: 'text', tag: '', nesting: 0, content: '', attrs: null });
        }
      }
    }
  });
}

export default function configure(config) {
  for (const folder of NOT_PAGES) config.ignores.add(`${folder}/**`);
  config.setUseGitIgnore(false);
  config.addPassthroughCopy({ 'docs/pictures': 'docs/pictures', 'docs/site/site.css': 'site.css' });
  config.addPlugin(IdAttributePlugin, { slugify: slugOf });
  config.addPlugin(InputPathToUrlTransformPlugin);
  // With `-- --pathprefix merlon`, the site works in a folder of a server.
  config.addPlugin(HtmlBasePlugin);
  config.amendLibrary('md', (markdown) => {
    markdown.set({ html: true, linkify: false });
    withoutLinksToSources(markdown);
  });
  config.addGlobalData('layout', 'page.liquid');
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        `${page.filePathStem.replace(/README$/, 'index')}.html`,
  );
  config.addGlobalData('eleventyComputed', { title: ({ page }) => page.rawInput && titleOf(page.rawInput) });
  config.addCollection('folders', (pages) =>
    Object.entries(FOLDERS).map(([folder, title]) => ({
      title,
      pages: pages
        .getAll()
        .filter(({ inputPath }) => inputPath.startsWith(`./docs/${folder}/`))
        .map(({ url, rawInput }) => ({ url, title: titleOf(rawInput) })),
    })),
  );
  return {
    dir: { input: '.', includes: 'docs/site', output: 'docs/dist' },
    templateFormats: ['md'],
    markdownTemplateEngine: false,
  };
}

/** The names that GitHub gives to headings, so that a link works in both places. */
function slugOf(heading) {
  const text = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return text.trim().replace(/\s/g, '-');
}
