import { AdditionalRequirementVersion } from './library/additional-requirement/additional-requirement.entity.js';
import { Application } from './projects/application/application.entity.js';
import { Attribute } from './library/attribute/attribute.entity.js';
import { BusinessUnit } from './projects/business-unit/business-unit.entity.js';
import { ComponentVersion } from './library/component/component.entity.js';
import { CountermeasureVersion } from './library/countermeasure/countermeasure.entity.js';
import { Group } from './access/group/group.entity.js';
import { HowToVersion } from './library/how-to/how-to.entity.js';
import { Phase } from './library/phase/phase.entity.js';
import { Project } from './projects/project/project.entity.js';
import { RiskPolicy } from './projects/risk-policy/risk-policy.entity.js';
import { Role } from './access/role/role.entity.js';
import { ThreatVersion } from './library/threat/threat.entity.js';
import { User } from './access/user/user.entity.js';
import { WeaknessVersion } from './library/weakness/weakness.entity.js';
import { Webhook, WebhookConfig } from './notifications/webhook/webhook.entity.js';
import { WorkflowPrompt, WorkflowPromptContext } from './library/workflow-prompt/workflow-prompt.entity.js';

/** Every entity of the domain. */
export const entities = [
  AdditionalRequirementVersion,
  Application,
  Attribute,
  BusinessUnit,
  ComponentVersion,
  CountermeasureVersion,
  Group,
  HowToVersion,
  Phase,
  Project,
  RiskPolicy,
  Role,
  ThreatVersion,
  User,
  WeaknessVersion,
  Webhook,
  WebhookConfig,
  WorkflowPrompt,
  WorkflowPromptContext,
];
