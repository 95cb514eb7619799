interface Tag {
  readonly name: string;
  readonly description: string;
}

const tag = (name: string, description: string): Tag => ({ name, description });

/** The endpoints of earlier releases. Swagger UI hides this tag. */
export const REMOVED_TAG = 'Removed';

/** All tags of operations, by context, in the order in which Swagger UI shows them. */
export const TAGS: readonly Tag[] = [
  tag('Projects', 'The projects whose requirements Merlon manages.'),
  tag('Project surveys', 'The questions about a project, whose answers decide what applies to it.'),
  tag('Countermeasures of projects', 'What a project has to do, with statuses, notes and verification.'),
  tag('Weaknesses of projects', 'The weaknesses that apply to a project.'),
  tag('Threats of projects', 'The threats that apply to a project.'),
  tag('Components of projects', 'The components in a project, and library changes that it has not applied.'),
  tag('Attributes of projects', 'The attributes that answers, components and users give to a project.'),
  tag('Issue tracker connections', 'Which countermeasures of a project are issues of a tracker, and how they agree.'),
  tag('Verification connections', 'Which tool verifies the countermeasures of a project.'),
  tag('Project diagrams', 'Diagrams of the architecture of projects.'),
  tag('Applications', 'Applications, which consist of projects.'),
  tag('Business units', 'Business units, which own applications.'),
  tag('Risk policies', 'When a project counts as compliant.'),
  tag('Project roles', 'The roles that members can have in projects.'),
  tag('Task statuses', 'The statuses that a countermeasure of a project can have.'),
  tag('Countermeasures', 'The library: things to do about weaknesses.'),
  tag('Additional requirements', 'Additions to countermeasures for certain policies.'),
  tag('How-tos', 'Guidance for one technology on how to implement a countermeasure.'),
  tag('Weaknesses', 'The library: classes of flaws.'),
  tag('Threats', 'The library: threats, and the frameworks that classify them.'),
  tag('Components', 'The library: parts of a system, with questions of their own.'),
  tag('Attributes', 'The library: properties of projects that match conditions test.'),
  tag('Survey', 'The library: sections, questions and answers of the survey.'),
  tag('Profiles', 'Sets of answers that a survey can start with.'),
  tag('Phases', 'Phases of development in which countermeasures are due.'),
  tag('Categories', 'Categories of weaknesses.'),
  tag('CWEs', 'Entries of the Common Weakness Enumeration.'),
  tag('CAPECs', 'Entries of the Common Attack Pattern Enumeration.'),
  tag('Regulations', 'Regulations and standards, their sections, and how far countermeasures cover them.'),
  tag('Rule mappings', 'Which weaknesses the rules of scanners are about.'),
  tag('Glossary', 'Terms of the library.'),
  tag('Tags', 'Tags that library items have.'),
  tag('Workflow prompts', 'Texts for assistants, with contexts for certain projects.'),
  tag('Search', 'Search in everything at once.'),
  tag('Library upgrades', 'Changes from new releases of the starter library.'),
  tag('Exports', 'Jobs that export the content of the library.'),
  tag('Imports', 'Jobs that import content into the library.'),
  tag('Reports', 'Saved reports, their charts, and queries in the protocol of Cube.'),
  tag('Activity stream', 'What happened, and who did it.'),
  tag('Events', 'Server-sent events for pages and programs that show the present state.'),
  tag('Webhooks', 'Messages to chat tools about events.'),
  tag('Automation', 'Events that start automatic actions.'),
  tag('Connectors', 'Connections to issue trackers and verification tools.'),
  tag('Team onboarding', 'Scans of repositories that suggest answers for a new project.'),
  tag('Users', 'The users of the organization, and the caller.'),
  tag('Sign-in', 'Sessions of people who use a browser.'),
  tag('Identity providers', 'OpenID Connect providers with which people sign in.'),
  tag('Tokens', 'API tokens.'),
  tag('Saved views and preferences', 'What clients store for their users.'),
  tag('Groups', 'Groups of users.'),
  tag('Global roles', 'Roles with permissions in the whole organization.'),
  tag('Flags', 'Feature flags.'),
  tag('Composite', 'Several requests in one.'),
  tag('Index', 'An overview of the service for clients.'),
  tag(REMOVED_TAG, 'Endpoints of earlier releases. They return 410 and name their successors.'),
];
