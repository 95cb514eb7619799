// Exits with 0 if the process of this container responds. The argument is the name of the variable with its port: PORT
// for the API, WORKER_PORT for the worker.
const defaults = { PORT: '3000', WORKER_PORT: '3001' };
const name = process.argv[2] ?? 'PORT';
const port = process.env[name] || defaults[name];

try {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
