import { escapeMrkdwn, messageOf, type ActivitySnapshot } from './delivery.message.js';

const textOf = (data: ActivitySnapshot['data'], actor = 'Ada'): string =>
  JSON.stringify(
    messageOf(
      { name: 'CreatedProjectActivity', webhook: 'Channel', data, actor, occurredAt: new Date('2026-03-04T15:43:51Z') },
      'https://merlon.example.com',
    ),
  );

describe('A webhook message', () => {
  it('escapes links, mentions and entities in all values', () => {
    const markup = '<!channel> & <https://evil.example|x>';
    const text = textOf(
      { project: 1, project_desc: markup, application_desc: markup, business_unit_desc: markup },
      markup,
    );
    expect(text).not.toContain('<!channel>');
    expect(text).not.toContain('<https://evil');
    expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|x&gt;');
  });

  it('stays within the length limits of the chat service', () => {
    const long = '&'.repeat(100_000);
    const { text, blocks } = JSON.parse(
      textOf({ project: 1, project_desc: long, application_desc: long, business_unit_desc: long }, long),
    ) as { text: string; blocks: { fields?: { text: string }[] }[] };
    expect(text.length).toBeLessThan(40_000);
    for (const { fields = [] } of blocks) for (const field of fields) expect(field.text.length).toBeLessThan(2000);
  });

  it('omits missing values', () => {
    const text = textOf({ project: 1, project_desc: 'Shop' });
    expect(text).not.toMatch(/Application|undefined|null/);
    expect(text).toContain('<https://merlon.example.com/projects/1/|Shop>');
  });
});

describe('A value in mrkdwn', () => {
  it('is one line of at most 300 characters, without a truncated character', () => {
    expect(escapeMrkdwn(' a\n\t b ')).toBe('a b');
    expect(Array.from(escapeMrkdwn('🔔'.repeat(500)))).toEqual([...Array.from('🔔'.repeat(299)), '…']);
  });
});
