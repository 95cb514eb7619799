/** The contexts of the domain that build on each other, the lowest first, each with why it knows none above it. */
const CONTEXTS = [
  ['kernel', 'Every context builds on the kernel, so it knows none of them.'],
  ['activity', 'Commands of every context record activities; the trail knows none of them.'],
  ['access', 'Users, roles and tokens exist before any library or project does.'],
  ['library', 'The library is the same whether or not a project uses it. Projects subscribe to its events.'],
  ['projects', 'Jobs, webhooks, connectors and reports build on projects, not the other way round.'],
];

/** Folders that belong to no context and may know all of them. */
const ABOVE_CONTEXTS = ['migrations', 'operations'];

module.exports = { CONTEXTS, ABOVE_CONTEXTS };
