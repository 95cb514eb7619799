import { Module } from '@nestjs/common';
import { ResourceService } from '../http/resources/resource.service.js';
import { AnalysisFilesController } from './analysis-files/analysis-files.controller.js';
import { AnalysisFilesService } from './analysis-files/analysis-files.service.js';
import { ApplicationsController } from './applications/applications.controller.js';
import { ApplicationsService } from './applications/applications.service.js';
import { BusinessUnitsController } from './business-units/business-units.controller.js';
import { BusinessUnitsService } from './business-units/business-units.service.js';
import { ConditionImpactController } from './condition-impact/condition-impact.controller.js';
import { ConditionImpactService } from './condition-impact/condition-impact.service.js';
import { HomeController } from './home/home.controller.js';
import { HomeService } from './home/home.service.js';
import { LibraryRefreshController } from './library-refresh/library-refresh.controller.js';
import { ProjectAttributesController } from './project-attributes/project-attributes.controller.js';
import { ProjectAttributesService } from './project-attributes/project-attributes.service.js';
import { ProjectComponentsController } from './project-components/project-components.controller.js';
import { ProjectComponentsService } from './project-components/project-components.service.js';
import { AnalysisNotesController } from './project-countermeasures/analysis-notes.controller.js';
import { CountermeasureListsController } from './project-countermeasures/countermeasure-lists.controller.js';
import { NotesController } from './project-countermeasures/notes.controller.js';
import { NotesService } from './project-countermeasures/notes.service.js';
import { ProjectCountermeasuresController } from './project-countermeasures/project-countermeasures.controller.js';
import { ProjectCountermeasuresService } from './project-countermeasures/project-countermeasures.service.js';
import { ProjectDiagramsController } from './project-diagrams/project-diagrams.controller.js';
import { ProjectDiagramsService } from './project-diagrams/project-diagrams.service.js';
import { ProjectExplanationsController } from './project-explanations/project-explanations.controller.js';
import { ProjectGateController } from './project-gate/project-gate.controller.js';
import { ProjectGateService } from './project-gate/project-gate.service.js';
import { ProjectReportController } from './project-report/project-report.controller.js';
import { ProjectReportService } from './project-report/project-report.service.js';
import { ProjectSurveysController } from './project-surveys/project-surveys.controller.js';
import { ProjectSurveysService } from './project-surveys/project-surveys.service.js';
import { SurveyCommentsController } from './project-surveys/survey-comments.controller.js';
import { SurveyCommentsService } from './project-surveys/survey-comments.service.js';
import { ProjectsController } from './projects/projects.controller.js';
import { ProjectsService } from './projects/projects.service.js';
import { readOnlyControllers } from './read-only.controllers.js';
import { RegulationCoverageController } from './regulation-coverage/regulation-coverage.controller.js';
import { RegulationCoverageService } from './regulation-coverage/regulation-coverage.service.js';
import { RiskPoliciesController } from './risk-policies/risk-policies.controller.js';
import { RiskPoliciesService } from './risk-policies/risk-policies.service.js';

/** Every resource of projects. */
@Module({
  controllers: [
    AnalysisFilesController,
    AnalysisNotesController,
    ApplicationsController,
    BusinessUnitsController,
    ConditionImpactController,
    CountermeasureListsController,
    HomeController,
    LibraryRefreshController,
    NotesController,
    ProjectAttributesController,
    ProjectComponentsController,
    ProjectCountermeasuresController,
    ProjectDiagramsController,
    ProjectExplanationsController,
    ProjectGateController,
    ProjectReportController,
    ProjectSurveysController,
    ProjectsController,
    RegulationCoverageController,
    RiskPoliciesController,
    SurveyCommentsController,
    ...readOnlyControllers,
  ],
  providers: [
    AnalysisFilesService,
    ApplicationsService,
    BusinessUnitsService,
    ConditionImpactService,
    HomeService,
    NotesService,
    ProjectAttributesService,
    ProjectComponentsService,
    ProjectCountermeasuresService,
    ProjectDiagramsService,
    ProjectGateService,
    ProjectReportService,
    ProjectSurveysService,
    ProjectsService,
    RegulationCoverageService,
    ResourceService,
    RiskPoliciesService,
    SurveyCommentsService,
  ],
})
export class ProjectsModule {}
