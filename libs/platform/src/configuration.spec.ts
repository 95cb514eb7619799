import { ConfigurationError, loadConfiguration } from './configuration.js';

const KEY = 'k'.repeat(32);

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfiguration(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors;
    throw error;
  }
}

describe('The configuration', () => {
  it('has defaults for all settings that are needed without DATABASE_URL', () => {
    const configuration = loadConfiguration({});
    expect(configuration).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      databasePoolSize: 20,
      adminEmail: 'admin@example.com',
      timeZone: 'UTC',
      webhookHosts: ['hooks.slack.com', 'hooks.slack-gov.com'],
      webhookAllowPrivate: false,
      maxBodyBytes: 5_242_880,
      maxCompositeReadBytes: 33_554_432,
      corsOrigins: [],
      markdownImageHosts: [],
      trustedProxies: [],
      logLevel: 'info',
      workerPort: 3001,
    });
    expect(configuration.dataDir).toBe(`${process.cwd()}/.data`);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfiguration({ PORT: '', DATABASE_URL: ' ', LOG_LEVEL: '' }).port).toBe(3000);
  });

  it('reports all invalid settings together', () => {
    const env = { PORT: '70000', TIME_ZONE: 'Mars/Olympus', LOG_LEVEL: 'loud', WEBHOOK_ALLOW_PRIVATE: 'maybe' };
    expect(problemsOf(env)).toHaveLength(4);
    expect(() => loadConfiguration(env)).toThrow(
      /\n {2}PORT must be .*"70000"\.\n {2}TIME_ZONE .*\n.*\n {2}LOG_LEVEL/s,
    );
  });

  it('reports missing related settings even if other settings are invalid', () => {
    expect(problemsOf({ PORT: '0', DATABASE_URL: 'mysql://db/merlon', CUBE_API_URL: 'cube' })).toEqual([
      expect.stringMatching(/^PORT must be/),
      expect.stringMatching(/^DATABASE_URL must be/),
      expect.stringMatching(/^CUBE_API_URL must be/),
      expect.stringMatching(/^SECRET_KEY must be set/),
      expect.stringMatching(/^CUBE_API_SECRET must be set/),
    ]);
  });

  it('keeps secrets out of its errors', () => {
    const env = {
      SECRET_KEY: 'too-short',
      ADMIN_PASSWORD: 'hunter2',
      ADMIN_TOKEN: `${'a'.repeat(40)} with a blank`,
      METRICS_TOKEN: 'short-too',
      DATABASE_URL: 'mysql://user:letmein@host/db',
      REDIS_URL: 'http://:letmein@host',
      SMTP_URL: 'smtp://user:letmein@host/path',
      MAIL_FROM: 'merlon@example.com',
    };
    const text = problemsOf(env).join('\n');
    expect(text.split('\n')).toHaveLength(7);
    for (const secret of ['too-short', 'hunter2', 'blank', 'short-too', 'letmein']) expect(text).not.toContain(secret);
  });

  it('requires SECRET_KEY with DATABASE_URL, and DATABASE_URL with DATABASE_READ_URL', () => {
    const database = 'postgresql://merlon@db/merlon';
    expect(problemsOf({ DATABASE_URL: database })).toEqual([expect.stringMatching(/^SECRET_KEY must be set/)]);
    expect(problemsOf({ DATABASE_READ_URL: database })).toEqual([expect.stringMatching(/^DATABASE_READ_URL must not/)]);
    expect(problemsOf({ DATABASE_URL: database, DATABASE_READ_URL: database, SECRET_KEY: KEY })).toEqual([]);
  });

  it('requires a sender with SMTP_URL, whose only parameter is tls=optional', () => {
    const [from, server] = ['merlon@example.com', 'smtp://mail.example.com:25'];
    expect(problemsOf({ SMTP_URL: server })).toEqual([expect.stringMatching(/^MAIL_FROM must be set/)]);
    expect(problemsOf({ SMTP_URL: `${server}?tls=optional`, MAIL_FROM: from })).toEqual([]);
    for (const url of [`${server}?tls=none`, `${server}?requireTLS=false`, 'http://mail.example.com', 'smtp://'])
      expect(problemsOf({ SMTP_URL: url, MAIL_FROM: from })).toEqual([expect.stringMatching(/^SMTP_URL must/)]);
    expect(problemsOf({ SMTP_URL: server, MAIL_FROM: 'Eve <eve@example.com>' })).toHaveLength(1);
  });

  it('requires different ports for the API and the worker, unless the worker has none', () => {
    expect(problemsOf({ PORT: '3001' })).toEqual([expect.stringMatching(/^WORKER_PORT must differ/)]);
    expect(loadConfiguration({ PORT: '3001', WORKER_PORT: '0' }).workerPort).toBe(0);
  });

  it.each(['0', '-1', '3e3', '0x10', '3000.5', '65536', '9'.repeat(20)])('rejects %s as a port', (text) => {
    expect(problemsOf({ PORT: text })).toHaveLength(1);
  });

  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    'accepts the time zone %s',
    (name) => {
      expect(loadConfiguration({ TIME_ZONE: name }).timeZone).toBe(name);
    },
  );

  it.each(['+01:00', 'Berlin', 'Europe/'])('rejects %s as a time zone', (name) => {
    expect(problemsOf({ TIME_ZONE: name })).toHaveLength(1);
  });

  it('reads lists and rejects those with an invalid entry', () => {
    const configuration = loadConfiguration({
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8 ,fd00::/8,192.0.2.1,',
      WEBHOOK_HOSTS: 'Hooks.Example.com,127.0.0.1:8443',
      CORS_ORIGINS: 'https://app.example.com,http://localhost:5173',
    });
    expect(configuration.trustedProxies).toEqual(['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1']);
    expect(configuration.webhookHosts).toEqual(['hooks.example.com', '127.0.0.1:8443']);
    expect(configuration.corsOrigins).toEqual(['https://app.example.com', 'http://localhost:5173']);

    for (const entry of ['10.0.0.0/33', 'example.com', '10.0.0.0/', 'true']) {
      expect(problemsOf({ TRUSTED_PROXIES: entry })).toHaveLength(1);
    }
    for (const entry of ['https://hooks.slack.com', 'host:0', 'host:70000', '*.example.com', 'a b']) {
      expect(problemsOf({ WEBHOOK_HOSTS: entry })).toHaveLength(1);
    }
    for (const entry of ['*', 'https://app.example.com/', 'app.example.com', 'ftp://a.example']) {
      expect(problemsOf({ CORS_ORIGINS: entry })).toHaveLength(1);
    }
  });

  it('removes the trailing slash of PUBLIC_URL and rejects invalid URLs', () => {
    expect(loadConfiguration({ PUBLIC_URL: 'https://merlon.example.com/app/' }).publicUrl).toBe(
      'https://merlon.example.com/app',
    );
    expect(problemsOf({ PUBLIC_URL: 'https://user:pass@merlon.example.com' })).toHaveLength(1);
    expect(problemsOf({ PUBLIC_URL: 'merlon.example.com' })).toHaveLength(1);
  });
});
