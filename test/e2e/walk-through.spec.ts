import { useTestApi } from '../support/api.js';
import { commandsIn, documentation, requestOf, send } from '../support/shell-examples.js';

const test = useTestApi();
const PAGE = documentation('docs/use/walk-through.md');
const COMMANDS = commandsIn(PAGE).filter(([program]) => program === 'merlon' || program === 'curl');

/** What the page says about answers, by the end of the address. */
const EXPECTED: readonly (readonly [end: string, holds: (text: string) => void])[] = [
  [
    '/composite/',
    (text) => {
      const { composite_response: answers } = JSON.parse(text) as {
        composite_response: { http_status_code: number; body: { id: number } }[];
      };
      expect(answers.map(({ http_status_code: status }) => status)).toEqual([201, 201, 201]);
      expect(PAGE).toContain(`use project ${answers[2]?.body.id}.`);
    },
  ],
  ['?search=authenticate', (text) => expect(text).toContain('"A21"')],
  ['page_size=5', (text) => expect(JSON.parse(text)).toMatchObject({ results: { length: 5 } })],
  ['/T5/explain/', (text) => expect(text).toContain('A21')],
  ['/tasks/T5/', (text) => expect(JSON.parse(text)).toMatchObject({ status: 'TS1' })],
  ['/templates/', (text) => expect(text).toContain('"coverage-by-regulation"')],
  ['/from-template/', (text) => expect(JSON.parse(text)).toMatchObject({ id: 1 })],
  ['format=csv', (text) => expect(text.trim().split('\n').length).toBeGreaterThan(2)],
  ['format=svg', (text) => expect(text).toMatch(/^<svg/)],
];

describe('The walk-through', () => {
  it('leads a new organization to a report with commands that all succeed', async () => {
    // No one else has made a project or a report in it.
    const { admin } = await test.newOrganization();
    const met = new Set<string>();
    for (const words of COMMANDS) {
      if (words[1] === '()') continue;
      const request = requestOf(words);
      const answer = await send(request, { origin: test.origin, token: admin.token });
      const text = await answer.text();
      expect({ words, ok: answer.ok, ...(!answer.ok && { text }) }).toEqual({ words, ok: true });
      for (const [end, holds] of EXPECTED)
        if (request.url.endsWith(end)) {
          holds(text);
          met.add(end);
        }
    }
    expect([...met]).toEqual(EXPECTED.map(([end]) => end));
  });
});
