import { Module } from '@nestjs/common';
import { AdditionalRequirementsController } from './additional-requirements/additional-requirements.controller.js';
import { AdditionalRequirementsService } from './additional-requirements/additional-requirements.service.js';
import { HowTosController } from './how-tos/how-tos.controller.js';
import { HowTosService } from './how-tos/how-tos.service.js';
import { AttributesController } from './attributes/attributes.controller.js';
import { AttributesService } from './attributes/attributes.service.js';
import { PicturesController } from './component-icons/pictures.controller.js';
import { PicturesService } from './component-icons/pictures.service.js';
import { ComponentsController } from './components/components.controller.js';
import { ComponentsService } from './components/components.service.js';
import { CountermeasuresController } from './countermeasures/countermeasures.controller.js';
import { CountermeasuresService } from './countermeasures/countermeasures.service.js';
import { LibraryUpgradesController } from './library-upgrades/library-upgrades.controller.js';
import { LibraryUpgradesService } from './library-upgrades/library-upgrades.service.js';
import { PhasesController } from './phases/phases.controller.js';
import { PhasesService } from './phases/phases.service.js';
import { ThreatsController } from './threats/threats.controller.js';
import { ThreatsService } from './threats/threats.service.js';
import { WeaknessesController } from './weaknesses/weaknesses.controller.js';
import { WeaknessesService } from './weaknesses/weaknesses.service.js';
import { WorkflowPromptContextsController } from './workflow-prompts/workflow-prompt-contexts.controller.js';
import { WorkflowPromptContextsService } from './workflow-prompts/workflow-prompt-contexts.service.js';
import { WorkflowPromptsController } from './workflow-prompts/workflow-prompts.controller.js';
import { WorkflowPromptsService } from './workflow-prompts/workflow-prompts.service.js';
import { ResourceService } from '../http/resources/resource.service.js';
import { READ_ONLY_CONTROLLERS } from './read-only.controllers.js';

@Module({
  controllers: [
    AdditionalRequirementsController,
    HowTosController,
    AttributesController,
    PicturesController,
    ComponentsController,
    CountermeasuresController,
    LibraryUpgradesController,
    PhasesController,
    ThreatsController,
    WeaknessesController,
    WorkflowPromptsController,
    WorkflowPromptContextsController,
    ...READ_ONLY_CONTROLLERS,
  ],
  providers: [
    AdditionalRequirementsService,
    HowTosService,
    AttributesService,
    PicturesService,
    ComponentsService,
    CountermeasuresService,
    LibraryUpgradesService,
    PhasesService,
    ThreatsService,
    WeaknessesService,
    WorkflowPromptsService,
    WorkflowPromptContextsService,
    ResourceService,
  ],
})
export class LibraryModule {}
