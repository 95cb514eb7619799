/**
 * Ends this process gracefully when its parent ends, even after `kill -9`. The launcher imports this module for itself
 * and loads it into its child processes.
 */
if (process.channel !== undefined && process.channel !== null) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref(); // the channel alone must not keep this process alive
}

/** URL of this module, for Node's `--import`. */
export const followParentUrl = import.meta.url;
