import { adfOf, markdownOf } from './adf.js';
import { wikiOf } from './wiki.js';

const TEXT = [
  '## Use *strong* `hashes`',
  'A **bold** [**link**](https://a.example/x?y=1) and text.',
  '- one\n- two\n  - inner',
  '1. first\n2. second',
  '> said',
  '```\nif (a) { b(); }\n```',
  '---',
].join('\n\n');

describe('Markdown in Jira', () => {
  it('becomes a document of Jira Cloud, and Markdown again', () => {
    const document = adfOf(TEXT);
    expect(document).toMatchObject({ type: 'doc', version: 1 });
    expect(document.content?.map(({ type }) => type)).toEqual([
      'heading',
      'paragraph',
      'bulletList',
      'orderedList',
      'blockquote',
      'codeBlock',
      'rule',
    ]);
    expect(adfOf(markdownOf(document))).toEqual(document);
    const spaced = { type: 'text', text: ' x ', marks: [{ type: 'strong' }] };
    expect(markdownOf({ type: 'paragraph', content: [spaced] })).toBe(' **x** ');
  });

  it('contains only what Jira Cloud allows in lists and quotes', () => {
    const text = JSON.stringify(adfOf('- # Title\n- > quoted\n-\n\n> # Title\n> > deeper'));
    expect(text).not.toContain('heading');
    expect(text.match(/blockquote/g)).toHaveLength(1);
    expect(text).not.toContain('"listItem","content":[]');
    expect(adfOf('').content).toEqual([]);
    expect(JSON.stringify(adfOf('[x](javascript:alert(1))'))).not.toContain('"link"');
  });

  it('becomes markup of Jira Data Center', () => {
    expect(wikiOf(TEXT)).toBe(
      [
        'h2. Use _strong_ {{hashes}}',
        'A *bold* [*link*|https://a.example/x?y=1] and text.',
        '* one\n* two\n** inner',
        '# first\n# second',
        '{quote}\nsaid\n\n{quote}',
        '{code}\nif (a) { b(); }\n{code}',
        '----',
      ]
        .join('\n\n')
        .replace('{quote}\n\n{code}', '{quote}\n{code}'),
    );
  });

  it('does not become other markup of Jira Data Center', () => {
    expect(wikiOf('{code} [~admin] !x.png! h1. a')).toBe(String.raw`\{code\} \[\~admin\] \!x.png\! h1. a`);
    expect(wikiOf('h1. title')).toBe(String.raw`\h1. title`);
    expect(wikiOf('```\na {code} b\n```')).toBe('{code}\na { code} b\n{code}');
  });
});
