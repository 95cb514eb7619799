import { markdownRenderer } from './markdown.js';

const closed = markdownRenderer([]);
const open = markdownRenderer(['img.example.com', 'files.example.com:8443']);

describe('An image from another host in rendered Markdown', () => {
  it.each([
    ['![A **bold** cat](https://a.test/x.png)', '<a href="https://a.test/x.png">A bold cat</a>'],
    ['![](https://a.test/x.png)', '<a href="https://a.test/x.png">https://a.test/x.png</a>'],
    ['![x](http://a.test/x.png "Title")', '<a href="http://a.test/x.png" title="Title">x</a>'],
    ['![x][a]\n\n[a]: https://a.test/x.png', '<a href="https://a.test/x.png">x</a>'],
    ['[![x](https://a.test/x.png)](https://b.test/)', '<a href="https://b.test/">x</a>'],
    [
      '[**![x](https://a.test/x.png)**](https://b.test/) ![y](https://a.test/y.png)',
      '<a href="https://b.test/"><strong>x</strong></a> <a href="https://a.test/y.png">y</a>',
    ],
    ['![<b>](https://a.test/x.png)', '<a href="https://a.test/x.png">&lt;b&gt;</a>'],
  ])('becomes a link to the image, or its alternative text inside another link: %j', (text, html) =>
    expect(closed(text)).toBe(`<p>${html}</p>\n`),
  );

  it.each([
    '![x](//a.test/x.png)',
    '![x](///a.test/x.png)',
    '![x](HTTPS:a.test/x.png)',
    '![x](https:/a.test/x.png)',
    '![x](https://img.example.com@a.test/x.png)',
    '![x](https://img.example.com.a.test/x.png)',
    '![x](http://img.example.com/x.png)',
    '![x](https://img.example.com:8443/x.png)',
    '![x](data:image/svg+xml;base64,AAAA)',
    '![x](blob:https://img.example.com/1)',
    '![x](ftp://img.example.com/x.png)',
    '<img src="https://a.test/x.png">',
    '| a |\n|---|\n| ![x](https://a.test/x.png) |',
  ])('is not loaded in any notation: %j', (text) => {
    for (const render of [closed, open]) expect(render(text)).not.toMatch(/<img[^>]* src=/);
  });

  it.each([
    ['![x](https://img.example.com/x.png)', 'https://img.example.com/x.png'],
    ['![x](HTTPS://IMG.example.com:443/x.png)', 'HTTPS://IMG.example.com:443/x.png'],
    ['![x](https://files.example.com:8443/x.png)', 'https://files.example.com:8443/x.png'],
  ])('is shown if its host is allowed: %j', (text, source) =>
    expect(open(text)).toBe(`<p><img src="${source}" alt="x" /></p>\n`),
  );
});

describe('An image from the service itself in rendered Markdown', () => {
  it.each([
    ['![x](/static/x.png)', '/static/x.png'],
    ['![x](../x.png)', '../x.png'],
    ['![x](x.png?a=b#c)', 'x.png?a=b#c'],
    ['![x](/\\a.test/x.png)', '/%5Ca.test/x.png'],
    ['![x](</\t/a.test/x.png>)', '/%09/a.test/x.png'],
  ])('is shown: %j', (text, source) => expect(closed(text)).toBe(`<p><img src="${source}" alt="x" /></p>\n`));
});

describe('A line break in a table cell', () => {
  const cellOf = (text: string): string => /<td>([^]*)<\/td>/.exec(closed(`| a |\n|---|\n| ${text} |\n`))?.[1] ?? '';

  it.each([
    ['a<br>b', 'a<br />\nb'],
    ['a<BR />b<br/>c', 'a<br />\nb<br />\nc'],
    ['**a<br>b**', '<strong>a<br />\nb</strong>'],
    ['[a<br>b](/c)', '<a href="/c">a<br />\nb</a>'],
    ['<br><br>', '<br />\n<br />\n'],
  ])('is written as <br>: %j', (text, html) => expect(cellOf(text)).toBe(html));

  it.each([
    ['`a<br>b`', '<code>a&lt;br&gt;b</code>'],
    ['a\\<br>b', 'a&lt;br&gt;b'],
    ['a&lt;br>b', 'a&lt;br&gt;b'],
    ['<br class="x">', '&lt;br class="x"&gt;'],
    ['<b>a</b>', '&lt;b&gt;a&lt;/b&gt;'],
    ['<break>', '&lt;break&gt;'],
  ])('is not any other HTML, which stays text: %j', (text, html) => expect(cellOf(text)).toBe(html));

  it('can be in a header, and is text outside of tables', () => {
    expect(closed('| a<br>b |\n|---|\n')).toContain('<th>a<br />\nb</th>');
    expect(closed('a<br>b')).toBe('<p>a&lt;br&gt;b</p>\n');
  });
});
