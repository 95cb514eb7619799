// Renders what people write, and what attackers write.
import assert from 'node:assert/strict';
import { renderComment } from './block_1.ts';

assert.match(renderComment('**Hello** `code`\n\n- one'), /<strong>Hello<\/strong> <code>code<\/code>[^]*<li>one<\/li>/);
assert.match(
  renderComment('[site](https://example.com)'),
  /<a href="https:\/\/example\.com" rel="ugc noopener nofollow">/,
);
const hostile = [
  '<b>bold</b><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="https://example.com" onclick="alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](//evil.example)',
  '[x](http://evil.example)',
  '![x](https://evil.example/pixel.png)',
  '<https://example.com" onmouseover="alert(1)>',
];
for (const source of hostile) {
  for (const [tag] of renderComment(source).matchAll(/<[^>]*>/g))
    assert.match(
      tag,
      /^<(?:\/?\w+|br \/|a(?: href="https:\/\/example\.com[^"\s]*")? rel="ugc noopener nofollow")>$/,
      tag,
    );
}
assert.doesNotMatch(hostile.map(renderComment).join(''), /<(?:script|img|b)\b/);
assert.throws(() => renderComment('a'.repeat(20_001)), /too long/);
assert.ok(renderComment('> '.repeat(5_000)).length < 20_000);
