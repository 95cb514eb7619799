import { AdditionalRequirementVersion } from './additional-requirement/additional-requirement.entity.js';
import { Application } from './application/application.entity.js';
import { Attribute } from './attribute/attribute.entity.js';
import { BusinessUnit } from './business-unit/business-unit.entity.js';
import { ComponentVersion } from './component/component.entity.js';
import { CountermeasureVersion } from './countermeasure/countermeasure.entity.js';
import { Group } from './group/group.entity.js';
import { HowToVersion } from './how-to/how-to.entity.js';
import { Phase } from './phase/phase.entity.js';
import { Project } from './project/project.entity.js';
import { RiskPolicy } from './risk-policy/risk-policy.entity.js';
import { Role } from './role/role.entity.js';
import { ThreatVersion } from './threat/threat.entity.js';
import { User } from './user/user.entity.js';
import { WeaknessVersion } from './weakness/weakness.entity.js';
import { Webhook, WebhookConfig } from './webhook/webhook.entity.js';
import { WorkflowPrompt, WorkflowPromptContext } from './workflow-prompt/workflow-prompt.entity.js';

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
