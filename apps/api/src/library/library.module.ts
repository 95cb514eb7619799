import { Module } from '@nestjs/common';
import { ResourceService } from '../http/resources/resource.service.js';
import { AdditionalRequirementsController } from './additional-requirements/additional-requirements.controller.js';
import { AdditionalRequirementsService } from './additional-requirements/additional-requirements.service.js';
import { AttributesController } from './attributes/attributes.controller.js';
import { AttributesService } from './attributes/attributes.service.js';
import { PicturesController } from './component-icons/pictures.controller.js';
import { PicturesService } from './component-icons/pictures.service.js';
import { ComponentsController } from './components/components.controller.js';
import { ComponentsService } from './components/components.service.js';
import { CountermeasuresController } from './countermeasures/countermeasures.controller.js';
import { CountermeasuresService } from './countermeasures/countermeasures.service.js';
import { HowTosController } from './how-tos/how-tos.controller.js';
import { HowTosService } from './how-tos/how-tos.service.js';
import { LibraryUpgradesController } from './library-upgrades/library-upgrades.controller.js';
import { LibraryUpgradesService } from './library-upgrades/library-upgrades.service.js';
import { PhasesController } from './phases/phases.controller.js';
import { PhasesService } from './phases/phases.service.js';
import { readOnlyControllers } from './read-only.controllers.js';
import { RuleMappingsController } from './rule-mappings/rule-mappings.controller.js';
import { RuleMappingsService } from './rule-mappings/rule-mappings.service.js';
import { TextPreviewsController } from './text-previews/text-previews.controller.js';
import { ThreatsController } from './threats/threats.controller.js';
import { ThreatsService } from './threats/threats.service.js';
import { WeaknessesController } from './weaknesses/weaknesses.controller.js';
import { WeaknessesService } from './weaknesses/weaknesses.service.js';
import { WorkflowPromptContextsController } from './workflow-prompts/workflow-prompt-contexts.controller.js';
import { WorkflowPromptContextsService } from './workflow-prompts/workflow-prompt-contexts.service.js';
import { WorkflowPromptsController } from './workflow-prompts/workflow-prompts.controller.js';
import { WorkflowPromptsService } from './workflow-prompts/workflow-prompts.service.js';

/** Every resource of the library. */
@Module({
  controllers: [
    AdditionalRequirementsController,
    AttributesController,
    ComponentsController,
    CountermeasuresController,
    HowTosController,
    LibraryUpgradesController,
    PhasesController,
    PicturesController,
    RuleMappingsController,
    TextPreviewsController,
    ThreatsController,
    WeaknessesController,
    WorkflowPromptContextsController,
    WorkflowPromptsController,
    ...readOnlyControllers,
  ],
  providers: [
    AdditionalRequirementsService,
    AttributesService,
    ComponentsService,
    CountermeasuresService,
    HowTosService,
    LibraryUpgradesService,
    PhasesService,
    PicturesService,
    ResourceService,
    RuleMappingsService,
    ThreatsService,
    WeaknessesService,
    WorkflowPromptContextsService,
    WorkflowPromptsService,
  ],
})
export class LibraryModule {}
