import {
  BadRequestException,
  ConflictException,
  Controller,
  Get,
  type INestApplication,
  ServiceUnavailableException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { createLogger } from '#platform/logging.js';
import type { ApiRequest } from '../request.js';
import { ErrorFilter } from './error.filter.js';

@Controller()
class Throwing {
  @Get('bad')
  bad(): never {
    throw new BadRequestException(['One thing is wrong.', 'Another is, too.']);
  }

  @Get('conflict')
  conflict(): never {
    throw new ConflictException('Someone else was first.');
  }

  @Get('unprocessable')
  unprocessable(): never {
    throw new UnprocessableEntityException({ reason: 'own' }, 'It has no meaning.');
  }

  @Get('unavailable')
  unavailable(): never {
    throw new ServiceUnavailableException('postgres at 10.0.0.1 is away');
  }
}

class ThrowingModule {}

describe('An exception of the framework', () => {
  const lines: string[] = [];
  let app: INestApplication;
  let origin: string;
  beforeAll(async () => {
    const providers = [{ provide: APP_FILTER, useClass: ErrorFilter }];
    app = await NestFactory.create({ module: ThrowingModule, controllers: [Throwing], providers }, { logger: false });
    const log = createLogger({ logLevel: 'warn' }, 'api', { write: (line) => void lines.push(line) });
    app.use((request: ApiRequest, _response: unknown, next: (error?: unknown) => void) => {
      Object.assign(request, { id: 'r', log });
      next();
    });
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
  });
  afterAll(() => app.close());

  it.each([
    ['bad', 400, { detail: 'One thing is wrong. Another is, too.' }],
    ['conflict', 409, { detail: 'Someone else was first.' }],
    ['unprocessable', 422, { detail: expect.any(String) }],
    ['nowhere', 404, { detail: expect.any(String) }],
  ])('keeps its status and has the common format of errors: %s returns %i', async (path, status, body) => {
    const answer = await fetch(`${origin}/${path}`);
    expect([answer.status, await answer.json()]).toEqual([status, body]);
    expect(lines).toEqual([]);
  });

  it('keeps its status as a server error, is logged, and reveals only the request id', async () => {
    const answer = await fetch(`${origin}/unavailable`);
    expect([answer.status, await answer.json()]).toEqual([503, { detail: 'Internal server error.', request_id: 'r' }]);
    expect(lines.join('')).toContain('10.0.0.1');
  });
});
