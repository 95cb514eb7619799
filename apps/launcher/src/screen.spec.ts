import { localUrl, shownOrigin } from './addresses.js';
import { renderScreen } from './screen.js';

describe('The start screen', () => {
  const facts = {
    host: '127.0.0.1',
    port: 3000,
    adminTokenFile: '/home/me/merlon/.data/admin-token',
    setupLink: undefined,
    logFiles: [],
    remedies: {},
  };

  it('shows a curl command that works in the folder of the checkout', () => {
    expect(renderScreen(facts, '/home/me/merlon')).toContain(
      'curl -H "Authorization: Token $(cat .data/admin-token)" "http://localhost:3000/api/v2/library/tasks/?page_size=2"',
    );
  });

  it('shows what is off, and what to do about it', () => {
    const remedies = { reports: 'Run "admin migrate".' };
    expect(renderScreen({ ...facts, remedies }, '/')).toContain('\n  Off: reports. Run "admin migrate".\n');
    expect(renderScreen(facts, '/')).not.toContain('Off:');
  });

  it('shows the setup link while no one can sign in', () => {
    const setupLink = 'http://localhost:3000/setup#x3Zb0Yw8b1Jm5rQm7m0y7cQm4yX2h9pL6dT1sVfGk0E';
    expect(renderScreen({ ...facts, setupLink }, '/')).toContain(`  Sign in     ${setupLink}\n`);
    expect(renderScreen(facts, '/')).not.toContain('Sign in');
  });

  it('quotes paths with spaces, and shows paths outside the folder in full', () => {
    const screen = renderScreen({ ...facts, adminTokenFile: '/srv/my data/admin-token' }, '/home/me/merlon');
    expect(screen).toContain(`$(cat '/srv/my data/admin-token')`);
  });

  it('uses the environment variable ADMIN_TOKEN if the deployment has no token file', () => {
    expect(renderScreen({ ...facts, adminTokenFile: undefined }, '/')).toContain('"Authorization: Token $ADMIN_TOKEN"');
  });

  it.each([
    ['127.0.0.1', 'http://localhost:80', 'http://127.0.0.1:80/readyz'],
    ['0.0.0.0', 'http://localhost:80', 'http://127.0.0.1:80/readyz'],
    ['::', 'http://localhost:80', 'http://[::1]:80/readyz'],
    ['fd00::1', 'http://[fd00::1]:80', 'http://[fd00::1]:80/readyz'],
    ['merlon.local', 'http://merlon.local:80', 'http://merlon.local:80/readyz'],
  ])('shows reachable URLs of a server that listens on %s', (host, shown, ready) => {
    expect(shownOrigin(host, 80)).toBe(shown);
    expect(localUrl(host, 80, '/readyz')).toBe(ready);
  });
});
