import { useTestApi } from '#test/support/api.js';
import { rowsOf } from '#test/support/client.js';
import type { List } from '#test/support/resources.js';

interface Icon {
  slug: string;
  name: string;
  url: string;
}

const test = useTestApi();
const path = '/library/component-icons/';
const picture = (address: string): Promise<Response> => fetch(test.origin + address);

describe('Component icons', () => {
  it('number more than 200 and include the default', async () => {
    const icons = await rowsOf(test.api.get<List<Icon>>(path));
    expect(icons.length).toBeGreaterThan(200);
    expect(icons).toContainEqual({ slug: 'mui-hub', name: 'Hub', url: '/static/components/icons/mui-hub.svg' });
  });

  it('are found by searching for what they show', async () => {
    const slugs = (await rowsOf(test.api.get<List<Icon>>(path, { search: 'storage' }))).map(({ slug }) => slug);
    expect(slugs).toContain('database');
  });

  it('cannot be read individually', async () => {
    expect((await test.api.get(`${path}mui-hub/`)).status).toBe(404);
  });
});

describe('The image of an icon', () => {
  it.each(['mui-hub', 'database', 'brain-circuit'])('is a public SVG that may be cached: %s', async (slug) => {
    const response = await picture(`/static/components/icons/${slug}.svg`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toMatch(/<svg[^>]*>[^]*<\/svg>\s*$/);
  });

  it('exists for every icon in the list', async () => {
    const icons = await rowsOf(test.api.get<List<Icon>>(path, { page_size: 25, ordering: '-slug' }));
    for (const { url } of icons) expect((await picture(url)).status).toBe(200);
  });

  it.each([
    'no-such-icon.svg',
    'Database.svg',
    'database',
    'database.svg/x',
    '..%2f..%2fpackage.svg',
    '..%2F..%2F..%2Fetc%2Fpasswd.svg',
    '%2e%2e%2fdatabase.svg',
    'database%00.svg',
    '%ff.svg',
    `${'a'.repeat(5000)}.svg`,
    "x'%20OR%201=1.svg",
  ])('is a 404 with no-store if it does not exist: %s', async (file) => {
    const response = await picture(`/static/components/icons/${file}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
