import { readSuperuser } from '#platform/embedded-postgres/cluster.js';
import { urlOf } from '#platform/embedded-postgres/server.js';

/**
 * Connects to an embedded server as its super-user, whom row-level security does not restrict: for preparing and
 * inspecting data.
 *
 * @param directory the server's folder
 * @param server the running server
 */
export async function superuserUrl(directory: string, server: { readonly url: string }): Promise<string> {
  return urlOf(await readSuperuser(directory), Number(new URL(server.url).port));
}
