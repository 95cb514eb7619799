// Configuration of a Cube deployment that runs Merlon's reports (CUBE_API_URL). The model files are mounted in `model`.
const ORGANIZATION = /^[1-9]\d{0,15}$/;

/** The organization in a token. Throws if there is none. */
function organizationOf({ organization } = {}) {
  if (!ORGANIZATION.test(String(organization))) throw new Error('The token names no organization.');
  return String(organization);
}

module.exports = {
  // Each organization has its own compiled model, connections, queues and pre-aggregations: none is shared.
  contextToAppId: ({ securityContext }) => `merlon_${organizationOf(securityContext)}`,
  contextToOrchestratorId: ({ securityContext }) => `merlon_${organizationOf(securityContext)}`,
  preAggregationsSchema: ({ securityContext }) => `pre_aggregations_${organizationOf(securityContext)}`,

  // The second filter for the organization, in every session: without this setting the views return no rows.
  driverFactory: ({ securityContext }) => ({
    type: 'postgres',
    options: `-c role=merlon_reporting -c merlon.organization=${organizationOf(securityContext)}`,
  }),

  // The database's filters do not apply to data in Cube Store, so queries are filtered as well. In an outer join
  // without a match, the organization is null.
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

/** All members that a query names, including those within `or` and `and`. */
function membersOf({ measures = [], dimensions = [], timeDimensions = [], filters = [] }) {
  const inFilters = (parts) =>
    parts.flatMap(({ member, or, and }) => (member === undefined ? inFilters(or ?? and ?? []) : [member]));
  return [...measures, ...dimensions, ...timeDimensions.map(({ dimension }) => dimension), ...inFilters(filters)];
}
