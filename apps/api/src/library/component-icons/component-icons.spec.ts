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

describe('The icons of components', () => {
  it('are many, and the default is one of them', async () => {
    const icons = await rowsOf(test.api.get<List<Icon>>(path));
    expect(icons.length).toBeGreaterThan(200);
    expect(icons).toContainEqual({ slug: 'mui-hub', name: 'Hub', url: '/static/components/icons/mui-hub.svg' });
  });

  it('are found by what they show', async () => {
    const slugs = (await rowsOf(test.api.get<List<Icon>>(path, { search: 'storage' }))).map(({ slug }) => slug);
    expect(slugs).toContain('database');
  });

  it('have no path of their own', async () => {
    expect((await test.api.get(`${path}mui-hub/`)).status).toBe(404);
  });
});

describe('The picture of an icon', () => {
  it.each(['mui-hub', 'database', 'brain-circuit'])('is an SVG that anybody may see and keep: %s', async (slug) => {
    const response = await picture(`/static/components/icons/${slug}.svg`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toMatch(/<svg[^>]*>[^]*<\/svg>\s*$/);
  });

  it('is there for every icon of the list', async () => {
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
  ])('is a 404 that no cache keeps where there is none: %s', async (file) => {
    const response = await picture(`/static/components/icons/${file}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });
});
