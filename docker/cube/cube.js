// Configuration of a Cube deployment that runs Merlon's reports (CUBE_API_URL). The model files are mounted in `model`.
const ORGANIZATION = /^[1-9]\d{0,15}$/;

/** The organization that a token carries. Throws where it carries none. */
function organizationOf({ organization } = {}) {
  if (!ORGANIZATION.test(String(organization))) throw new Error('The token names no organization.');
  return String(organization);
}

module.exports = {
  // Each organization has its own compiled model, connections, queues and pre-aggregations: none is shared.
  contextToAppId: ({ securityContext }) => `merlon_${organizationOf(securityContext)}`,
  contextToOrchestratorId: ({ securityContext }) => `merlon_${organizationOf(securityContext)}`,
  preAggregationsSchema: ({ securityContext }) => `pre_aggregations_${organizationOf(securityContext)}`,

  // The same as below in every session: the views show nothing without the setting, whatever the query.
  driverFactory: ({ securityContext }) => ({
    type: 'postgres',
    options: `-c role=merlon_reporting -c merlon.organization=${organizationOf(securityContext)}`,
  }),

  // What Cube Store keeps is out of the database's reach: the organization is filtered here as well. A cube that an outer
  // join finds nothing in has no organization.
  queryRewrite: (query, { securityContext }) => {
    const organization = organizationOf(securityContext);
    const cubes = new Set(membersOf(query).map((member) => member.split('.')[0]));
    const filters = [...cubes].map((cube) => ({
      or: [
        { member: `${cube}.organization`, operator: 'equals', values: [organization] },
        { member: `${cube}.organization`, operator: 'notSet' },
      ],
    }));
    return { ...query, filters: [...(query.filters ?? []), ...filters] };
  },
};

/** Every member that a query names, also within `or` and `and`. */
function membersOf({ measures = [], dimensions = [], timeDimensions = [], filters = [] }) {
  const inFilters = (parts) =>
    parts.flatMap(({ member, or, and }) => (member === undefined ? inFilters(or ?? and ?? []) : [member]));
  return [...measures, ...dimensions, ...timeDimensions.map(({ dimension }) => dimension), ...inFilters(filters)];
}
