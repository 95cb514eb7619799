import { Module } from '@nestjs/common';
import { UserLimit } from './user-limit.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({ controllers: [UsersController], providers: [UserLimit, UsersService] })
export class UsersModule {}
