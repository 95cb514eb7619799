import {
  Controller,
  ForbiddenException,
  Get,
  InternalServerErrorException,
  type MiddlewareConsumer,
  Module,
  Post,
  Res,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

@Controller()
class TestController {
  @Get('handler')
  handler() {
    throw new Error('s3cret of /handler');
  }

  @Get('not-an-error')
  notAnError() {
    throw 's3cret of /not-an-error';
  }

  @Get('http-500')
  http() {
    throw new InternalServerErrorException('s3cret of /http-500');
  }

  @Get('exposed-500')
  exposed() {
    throw Object.assign(new Error('s3cret of /exposed-500'), { expose: false, status: 400 });
  }

  @Get('forbidden')
  forbidden() {
    throw new ForbiddenException('You cannot do this.');
  }

  @Get('stream')
  stream(@Res() response: Response) {
    response.write('begin');
    throw new Error('s3cret of /stream');
  }

  @Get('background')
  background() {
    void Promise.reject(new Error('s3cret of /background'));
    return {};
  }

  @Get('crash')
  crash() {
    setImmediate(() => {
      throw new Error('s3cret of /crash');
    });
    return {};
  }

  @Get('ok')
  ok() {
    return {};
  }

  @Post('orders')
  create() {
    return {};
  }
}

@Module({ controllers: [TestController] })
export class AppModule {
  configure(consumer: MiddlewareConsumer) {
    consumer
      .apply((_request: Request, _response: Response, next: NextFunction) => next(new Error('s3cret of /middleware')))
      .forRoutes('middleware');
  }
}
