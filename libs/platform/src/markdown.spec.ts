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
