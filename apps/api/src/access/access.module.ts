import { Module } from '@nestjs/common';
import { FlagsController } from './flags/flags.controller.js';
import { FlagsService } from './flags/flags.service.js';
import { GlobalRolesController } from './global-roles/global-roles.controller.js';
import { GlobalRolesService } from './global-roles/global-roles.service.js';
import { GroupsController } from './groups/groups.controller.js';
import { GroupsService } from './groups/groups.service.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TokensService } from './tokens/tokens.service.js';
import { UserLimit } from './users/user-limit.js';
import { UsersController } from './users/users.controller.js';
import { UsersService } from './users/users.service.js';

@Module({
  controllers: [FlagsController, GlobalRolesController, GroupsController, TokensController, UsersController],
  providers: [FlagsService, GlobalRolesService, GroupsService, TokensService, UserLimit, UsersService],
})
export class AccessModule {}
