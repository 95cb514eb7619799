const { ABOVE_CONTEXTS, CONTEXTS } = require('./.dependency-cruiser.contexts.cjs');

const names = CONTEXTS.map(([name]) => name);

const contextRules = CONTEXTS.map(([context, comment], place) => {
  const known = names.slice(0, place + 1);
  return {
    name: `context-${context}-imports-downward`,
    comment,
    severity: 'error',
    from: { path: `^libs/domain/src/${context}/`, pathNot: '\\.spec\\.ts$' },
    to: { path: '^libs/domain/src/', pathNot: `^libs/domain/src/(${known.join('|')})/` },
  };
});

/** The layers of docs/develop/architecture.md as rules; each says why. */
module.exports = {
  forbidden: [
    {
      name: 'libs-know-no-apps',
      comment: 'Libraries are used by every app; knowing one would tie the others to it.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^apps/' },
    },
    {
      name: 'apps-stand-alone',
      comment: 'API, worker, admin and launcher are processes of their own; what two need belongs into a library.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'console-knows-only-the-api',
      comment: 'The console is a client like any other: what it needs, integrators need too, so the API must offer it.',
      severity: 'error',
      from: { path: '^apps/console/' },
      to: { path: ['^libs/', '^test/', '^mikro-orm', '^openapi\\.json$'] },
    },
    {
      name: 'only-api-knows-the-types-of-the-api',
      comment: 'Pages use the queries and types of `api`, so that a change of the API is a change of one folder.',
      severity: 'error',
      from: { path: '^apps/console/src/(?!api/)' },
      to: { path: ['^apps/console/src/api/openapi', '^node_modules/openapi-fetch'] },
    },
    {
      name: 'only-components-know-the-component-library',
      comment: 'A new major version of the component library then changes one folder.',
      severity: 'error',
      from: { path: '^apps/console/src/(?!components/)' },
      to: { path: '^node_modules/@mantine' },
    },
    {
      name: 'console-components-know-no-page',
      comment: 'Components are used by all pages, and the shell by none of them.',
      severity: 'error',
      from: { path: '^apps/console/src/(components|api)/' },
      to: { path: '^apps/console/src/(routes|shell)/' },
    },
    {
      name: 'domain-knows-no-transport',
      comment: 'Commands and projections serve HTTP, jobs, imports and the command line alike.',
      severity: 'error',
      from: { path: '^libs/(domain|query)/' },
      to: { path: '^node_modules/(@nestjs|express|bullmq|ioredis|rxjs)' },
    },
    {
      name: 'domain-knows-no-files-and-queues',
      comment: 'Content is read and written by what the domain says of it; a command is the same for whoever calls it.',
      severity: 'error',
      from: { path: '^libs/domain/' },
      to: { path: '^libs/(content|jobs)/' },
    },
    {
      name: 'content-and-reporting-know-no-transport',
      comment: 'Files and reports are made for requests, jobs and the command line alike.',
      severity: 'error',
      from: { path: '^libs/(content|reporting)/' },
      to: { path: '^node_modules/(@nestjs|express|bullmq|ioredis|rxjs)|^libs/jobs/' },
    },
    {
      name: 'reporting-knows-no-domain',
      comment:
        'What the domain keeps of a report is checked by the model; a model that knew the domain would close a circle.',
      severity: 'error',
      from: { path: '^libs/reporting/' },
      to: { path: '^libs/domain/' },
    },
    {
      name: 'files-know-no-content',
      comment: 'Readers and writers of file formats serve exports, imports, reports and backups alike.',
      severity: 'error',
      from: { path: '^libs/files/' },
      to: { path: '^libs/(?!files/|platform/)' },
    },
    {
      name: 'trackers-know-no-domain',
      comment: 'What is particular to one issue tracker is about its API; what is sent to it is decided elsewhere.',
      severity: 'error',
      from: { path: '^libs/trackers/' },
      to: { path: '^libs/(?!trackers/|platform/)' },
    },
    {
      name: 'reporting-knows-no-content',
      comment:
        'The analytic model reads the reporting views. It needs the writers of libs/files, and no library content.',
      severity: 'error',
      from: { path: '^libs/reporting/' },
      to: { path: '^libs/content/' },
    },
    {
      name: 'jobs-know-no-concept',
      comment: 'A queue carries ids; what they stand for is the business of who queues and who handles them.',
      severity: 'error',
      from: { path: '^libs/jobs/' },
      to: { path: '^libs/(?!jobs/|platform/)' },
    },
    {
      name: 'query-knows-no-domain',
      comment: 'The projection language is about SQL and parameters, not about any concept.',
      severity: 'error',
      from: { path: '^libs/query/' },
      to: { path: '^libs/(?!query/)' },
    },
    {
      name: 'platform-knows-no-product',
      comment: 'Configuration, logging and crypto must be usable by every other part.',
      severity: 'error',
      from: { path: '^libs/platform/' },
      to: { path: '^libs/(?!platform/)' },
    },
    {
      name: 'queues-only-in-jobs',
      comment: 'One place chooses between the queue back ends.',
      severity: 'error',
      from: { pathNot: '^(libs/jobs/|test/)' },
      to: { path: '^node_modules/(bullmq|ioredis)' },
    },
    {
      name: 'outbound-only-in-platform',
      comment: 'One client checks the address of everything that is reached; whoever sends by himself checks none.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: [
          '^libs/platform/',
          '\\.spec\\.ts$',
          // These receive requests.
          '/operations-server\\.ts$',
          '/connections/limited-server\\.ts$',
          // It only needs the names of statuses.
          '/openapi/shared-parts\\.ts$',
          '/routes/recording-adapter\\.ts$',
          '/in-process/exchange\\.ts$',
        ],
      },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram|dns)$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resources-stand-alone',
      comment: 'A resource may use the input shapes of another; what two decide together belongs into the domain.',
      severity: 'error',
      from: { path: '^apps/api/src/(?!http/)([^/]+/[^/]+)/', pathNot: '\\.module\\.ts$' },
      to: { path: '^apps/api/src/(?!http/)[^/]+/[^/]+/', pathNot: ['^apps/api/src/$1/', '\\.dto\\.ts$'] },
    },
    {
      name: 'http-knows-no-resource',
      comment: 'What every resource uses knows none of them.',
      severity: 'error',
      from: { path: '^apps/api/src/http/' },
      to: { path: '^apps/api/src/(?!http/)' },
    },
    {
      name: 'contexts-of-the-api-stand-alone',
      comment: 'What the resources of a context share stands in the folder of the context, and is of no use to others.',
      severity: 'error',
      from: { path: '^apps/api/src/(?!http/)([^/]+)/', pathNot: '\\.spec\\.ts$' },
      to: {
        path: ['^apps/api/src/[^/]+\\.ts$', '^apps/api/src/[^/]+/[^/]+\\.ts$'],
        pathNot: ['^apps/api/src/http/', '^apps/api/src/$1/'],
      },
    },
    {
      name: 'controllers-know-no-database',
      comment: 'Controllers speak HTTP; services and projections reach the database.',
      severity: 'error',
      from: { path: '\\.controller\\.ts$', pathNot: '^apps/api/src/http/operations/' },
      to: { path: '^node_modules/(@mikro-orm|kysely|pg)' },
    },
    ...contextRules,
    {
      name: 'contexts-at-the-top-are-siblings',
      comment: 'Exchange, notifications, connections, reports and search can be understood, and left out, one by one.',
      severity: 'error',
      from: {
        path: '^libs/domain/src/([^/]+)/',
        pathNot: `^libs/domain/src/(${[...names, ...ABOVE_CONTEXTS].join('|')})/`,
      },
      to: { path: '^libs/domain/src/', pathNot: ['^libs/domain/src/$1/', `^libs/domain/src/(${names.join('|')})/`] },
    },
    {
      name: 'packages-know-only-the-api',
      comment: 'Packages run at the users of the API, without the code of the service.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(apps|libs|test|mikro-orm)' },
    },
    {
      name: 'no-cycles',
      comment: 'Parts of a cycle can only be understood together, types too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'What nothing uses is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.d\\.ts$', '\\.spec\\.ts$', '^apps/[^/]+/src/main\\.tsx?$', '^packages/', '^test/', '^scripts/'],
      },
      to: {},
    },
    {
      name: 'production-knows-no-tests',
      comment: 'Tests are not shipped.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      to: { path: ['^test/', '\\.spec\\.ts$'] },
    },
    {
      name: 'production-uses-dependencies-only',
      comment:
        'Development dependencies are not installed where the product runs. The build bundles ECharts and the console.',
      severity: 'error',
      from: {
        path: '^(apps|libs)/',
        pathNot: '\\.spec\\.ts$|^libs/reporting/src/chart/echarts\\.ts$|^apps/console/',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
