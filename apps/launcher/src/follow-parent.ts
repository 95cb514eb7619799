/**
 * Ends this process in an orderly way when the one that started it is gone, even after `kill -9`. The launcher imports
 * it for itself and loads it into the processes that it starts.
 */
if (process.channel !== undefined && process.channel !== null) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref(); // watching must not keep a process alive that has nothing left to do
}

/** Address of this module, for Node's `--import`. */
export const followParentUrl = import.meta.url;
