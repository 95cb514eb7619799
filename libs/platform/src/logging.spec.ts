import { newTokenText } from './crypto/token.js';
import { createLogger } from './logging.js';
import type { Logger } from './logging.js';

function linesOf(write: (logger: Logger) => void, logLevel: 'info' | 'silent' = 'info'): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLogger({ logLevel }, 'api', { write: (line) => lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('The log', () => {
  it('contains one JSON object per line, with the level, ISO time and process name', () => {
    const [line] = linesOf((logger) => logger.info({ request_id: 'r1' }, 'request'));
    expect(line).toMatchObject({ level: 'info', name: 'api', request_id: 'r1', msg: 'request' });
    expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is empty at the level "silent"', () => {
    expect(linesOf((logger) => logger.fatal('nothing'), 'silent')).toEqual([]);
  });

  it('contains no secrets from any field, header, URL or message', () => {
    const token = newTokenText();
    const secrets = ['opensesame', token.slice(13), 'b3BlbnNlc2FtZTpvcGVuc2VzYW1l', 'T000/B000/xyz'];
    const lines = linesOf((logger) => {
      logger.info({ headers: { authorization: `Token ${token}`, 'set-cookie': ['a=opensesame', 'b="opensesame'] } });
      logger.info({ a: { b: { c: { password: 'open"sesame opensesame', new_password: 'opensesame' } } } });
      logger.info({
        databaseUrl: 'postgres://merlon:opensesame@db',
        DATABASE_URL: 'opensesame',
        adminToken: 'opensesame',
        storage: { secretAccessKey: 'opensesame' },
      });
      logger.warn(`connecting to postgres://merlon:opensesame@db with Token ${token}`);
      logger.warn('Authorization: Basic b3BlbnNlc2FtZTpvcGVuc2VzYW1l');
      logger.error(new Error('POST https://hooks.slack.com/services/T000/B000/xyz failed'));
      logger.error(new Error('POST https://chat.example.com:8443/services/T000/B000/xyz failed'));
      logger.error({ err: Object.assign(new Error('duplicate key'), { detail: 'Key (x)=(opensesame) exists.' }) });
    });
    expect(lines).toHaveLength(8);
    for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(lines)).toContain('duplicate key');
  });

  it('does not change plain words, URLs and email addresses', () => {
    const message = 'Token authentication failed at http://localhost:3000/a, told admin@example.com "twice"';
    expect(linesOf((logger) => logger.info({ url: 'http://a:1', mail: 'x@y' }, message))[0]).toMatchObject({
      msg: message,
      url: 'http://a:1',
      mail: 'x@y',
    });
  });
});
