const { options } = require('./.dependency-cruiser.cjs');

/** Cycles between folders of production code: tests, which may use anything, are left out. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-between-folders',
      comment: 'Two concepts that import each other are one. Raise a domain event, or move what both need.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(apps|libs)/' },
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: ['\\.spec\\.ts$', '^test/'] } },
};
