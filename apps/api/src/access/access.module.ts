import { Module } from '@nestjs/common';
import { FlagsController } from './flags/flags.controller.js';
import { FlagsService } from './flags/flags.service.js';
import { GlobalRolesController } from './global-roles/global-roles.controller.js';
import { GlobalRolesService } from './global-roles/global-roles.service.js';
import { GroupsController } from './groups/groups.controller.js';
import { GroupsService } from './groups/groups.service.js';
import { IdentityProvidersController } from './identity-providers/identity-providers.controller.js';
import { IdentityProvidersService } from './identity-providers/identity-providers.service.js';
import { PreferencesController } from './preferences/preferences.controller.js';
import { PreferencesService } from './preferences/preferences.service.js';
import { SavedViewsController } from './saved-views/saved-views.controller.js';
import { SavedViewsService } from './saved-views/saved-views.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { TokenPolicyController } from './token-policy/token-policy.controller.js';
import { TokenPolicyService } from './token-policy/token-policy.service.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TokensService } from './tokens/tokens.service.js';
import { UserLimit } from './users/user-limit.js';
import { UsersController } from './users/users.controller.js';
import { UsersService } from './users/users.service.js';

/** Every resource of access, except for the sign-in. */
@Module({
  controllers: [
    FlagsController,
    GlobalRolesController,
    GroupsController,
    IdentityProvidersController,
    PreferencesController,
    SavedViewsController,
    SessionsController,
    TokenPolicyController,
    TokensController,
    UsersController,
  ],
  providers: [
    FlagsService,
    GlobalRolesService,
    GroupsService,
    IdentityProvidersService,
    PreferencesService,
    SavedViewsService,
    SessionsService,
    TokenPolicyService,
    TokensService,
    UserLimit,
    UsersService,
  ],
})
export class AccessModule {}
