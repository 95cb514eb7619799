import { Controller, Get, Module } from '@nestjs/common';
import { AppModule, Public, Requires } from './access.js';

@Controller()
class ForgottenController {
  @Get('forgotten')
  forgotten() {
    return {};
  }

  @Get('health')
  @Public()
  health() {
    return {};
  }
}

@Controller('users')
@Requires('users.read')
class UsersController {
  @Get()
  list() {
    return [];
  }

  @Get('strict')
  @Requires('users.audit')
  strict() {
    return [];
  }
}

@Module({ controllers: [ForgottenController, UsersController] })
class OtherModule {}

@Module({ imports: [AppModule, OtherModule] })
export class TestModule {}
