import {
  groupRemoved,
  organizationCreated,
  projectAccessGranted,
  tokenLimitedToProjects,
} from '../access/events/access.events.js';
import {
  businessUnitsRequested,
  mappedRolesEnded,
  projectRolesMapped,
} from '../access/identity-provider/mapped-roles.events.js';
import { on } from '../kernel/domain-events.js';
import { attributeUsesRequested } from '../library/attribute/attribute.events.js';
import { componentRemoved, countermeasureRemoved, phaseUsesRequested } from '../library/events/library.events.js';
import { assertVisibleProjects } from './project-access/find-project.js';
import { assertHoldsProjectAccess } from './project-access/grants.js';
import { removeGroupFromUnits } from './business-unit/business-unit.commands.js';
import { existingUnits, removeMappedRoles, replaceMappedRoles } from './business-unit/mapped-members.commands.js';
import { attributeUseOfProjects } from './project-attribute/attribute-use.js';
import { removeComponentFromProjects } from './project-content/component-changes.js';
import { countermeasuresInPhase, removeCountermeasureFromProjects } from './project-countermeasure/library-removal.js';
import { addFirstRiskPolicy } from './risk-policy/default-risk-policy.js';
import { policiesOfPhase } from './risk-policy/find-risk-policy.js';
import { removeGroupFromProjects } from './project/project-members.commands.js';

export const projectsSubscriptions = [
  on(organizationCreated, addFirstRiskPolicy),
  on(projectAccessGranted, assertHoldsProjectAccess),
  on(tokenLimitedToProjects, (em, actor, { projects }) => assertVisibleProjects(em, actor, projects)),
  on(businessUnitsRequested, existingUnits),
  on(projectRolesMapped, replaceMappedRoles),
  on(mappedRolesEnded, removeMappedRoles),
  on(groupRemoved, removeGroupFromProjects),
  on(groupRemoved, removeGroupFromUnits),
  on(componentRemoved, removeComponentFromProjects),
  on(countermeasureRemoved, removeCountermeasureFromProjects),
  on(attributeUsesRequested, attributeUseOfProjects),
  on(phaseUsesRequested, countermeasuresInPhase),
  on(phaseUsesRequested, policiesOfPhase),
];
