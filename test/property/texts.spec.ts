import fc, { type Arbitrary } from 'fast-check';

import { escapeMarkdown } from '#domain/activity/activity.js';
import { slugOf } from '#domain/kernel/fields/slug.js';
import { errorOf } from '#domain/notifications/webhook/delivery.policy.js';
import { escapeMrkdwn } from '#domain/notifications/webhook/delivery.message.js';
import { descriptionOf } from '#content/analysis/report-limits.js';
import { escapeHtml, plainText } from '#platform/markdown/plain-text.js';
import { maximumHtmlLength } from '#platform/markdown/limits.js';
import { markdownRenderer, sanitizeHtml } from '#platform/markdown/markdown.js';
import { escapeLike } from '#query/values.js';
import { escapeXml, shorten, shortenApart } from '#reporting/chart/svg.js';
import { processorSeconds } from '#test/support/processor-time.js';
import { attachment } from '../../apps/api/src/http/files/file-headers.js';
import { commonMark } from './commonmark.js';

/** Texts for each transformation; set PROPERTY_RUNS for a longer search, PROPERTY_SEED for another one. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 25);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_128);

/** Far more than any of them needs, on a machine under load; a quadratic one takes minutes for the longest text. */
const MAX_SECONDS = 20;

/** HTML as the renderer creates it, and as an attacker would: unclosed and nested elements, attributes, styles. */
const html: Arbitrary<string> = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(
          '<p>',
          '</p>',
          '<a href="',
          '">',
          '<td style="text-align:',
          'center"',
          ';',
          '<img src="//',
          '<!--',
          '<![CDATA[',
          '<ol start="',
          '<code class="language-',
          '<table>',
          '<svg>',
          '<',
          '>',
          '&',
          '&lt;',
          '&#x',
          '\\',
          '/*',
          "'",
          ' ',
        ),
        fc.integer({ min: 1, max: 3000 }),
      )
      .map(([text, count]) => text.repeat(count)),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join('').slice(0, 100_000));

interface Transformation {
  readonly name: string;
  readonly texts?: Arbitrary<string>;
  readonly run: (text: string) => string;
  /** The maximum length of the result. */
  readonly longest: (text: string) => number;
}

const times =
  (factor: number, more = 0) =>
  ({ length }: string): number =>
    length * factor + more;
const atMost = (length: number) => (): number => length;

const TRANSFORMATIONS: readonly Transformation[] = [
  {
    name: 'Markdown as HTML',
    run: markdownRenderer(['a.test']),
    longest: (text) => Math.max(maximumHtmlLength(text), plainText(text).length),
  },
  { name: 'sanitized HTML', texts: html, run: sanitizeHtml, longest: times(8, 100) },
  { name: 'Markdown as plain text', run: plainText, longest: times(5, 200) },
  { name: 'escaped HTML', run: escapeHtml, longest: times(5) },
  { name: 'a name in the Markdown of an activity', run: escapeMarkdown, longest: times(2) },
  { name: 'a name in a message of a webhook', run: escapeMrkdwn, longest: atMost(300 * 5) },
  { name: 'the error of a delivery', run: (text) => errorOf({ status: 500, text }) ?? '', longest: atMost(700) },
  { name: 'a finding of a report', run: descriptionOf, longest: atMost(4000) },
  { name: 'the slug of a title', run: (text) => slugOf(text, 'x'), longest: atMost(400) },
  { name: 'a pattern of a filter', run: escapeLike, longest: times(2) },
  { name: 'the name of a downloaded file', run: attachment, longest: times(10, 100) },
  { name: 'a text in a chart', run: escapeXml, longest: times(5) },
  { name: 'a label in a chart', run: (text) => shorten(text, 40), longest: atMost(80) },
  { name: 'labels in a chart', run: (text) => shortenApart([text, `${text}x`], 40).join(''), longest: atMost(160) },
];

describe('The length of a text and the time that it takes are bounded', () => {
  it.each(TRANSFORMATIONS)('for $name', ({ texts = commonMark, run, longest }) => {
    fc.assert(
      fc.property(texts, (text) => {
        let result = '';
        const seconds = processorSeconds(() => (result = run(text)));
        expect(result.length).toBeLessThanOrEqual(longest(text));
        expect(seconds).toBeLessThan(MAX_SECONDS);
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
