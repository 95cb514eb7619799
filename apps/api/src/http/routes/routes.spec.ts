import { Routes } from './routes.js';

function routesOf(...declarations: readonly (readonly [path: string, ...methods: string[]])[]): Routes {
  const routes = new Routes();
  for (const [path, ...methods] of declarations) routes.add(path, methods, () => undefined);
  return routes;
}

describe('Routes', () => {
  const routes = routesOf(
    ['/users/me', 'GET'],
    ['/users/:id', 'GET', 'PATCH'],
    ['/users/:id/', 'DELETE'],
    ['/users/:user/tokens/:id', 'DELETE'],
    ['/icons/:slug.svg', 'GET'],
    ['/removed/*rest', 'GET'],
  );

  it.each([
    ['/users/me', '/users/me', {}],
    ['/users/me/', '/users/me', {}],
    ['/users/7', '/users/:id', { id: '7' }],
    ['/users/a%2Fb%20c', '/users/:id', { id: 'a/b c' }],
    ['/users/me/tokens/3/', '/users/:user/tokens/:id', { user: 'me', id: '3' }],
    ['/icons/a.b.svg', '/icons/:slug.svg', { slug: 'a.b' }],
    ['/removed/a/b', '/removed/*rest', { '*': 'a/b' }],
    [`/users/${'x'.repeat(1000)}`, '/users/:id', { id: 'x'.repeat(1000) }],
  ])('find the path of %s', (url, path, parameters) => {
    expect(routes.find(url)).toMatchObject({ path, parameters });
  });

  it.each(['/', '/users', '/Users/me', '/users//', '/users/7//', '/users/7/other', '/icons/a.png', '/users/%zz'])(
    'find nothing for %s',
    (url) => {
      expect(routes.find(url)).toBeUndefined();
    },
  );

  it('collect the methods of a path, also if they are declared with and without a slash', () => {
    expect([...(routes.find('/users/7')?.methods.keys() ?? [])]).toEqual(['GET', 'PATCH', 'DELETE']);
  });

  it('keep the first handler of a method', () => {
    const first = () => undefined;
    const twice = new Routes();
    twice.add('/a', ['GET'], first);
    twice.add('/a/', ['GET'], () => undefined);
    expect(twice.find('/a')?.methods.get('GET')?.handler).toBe(first);
  });
});
