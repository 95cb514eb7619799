import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A TCP server on a loopback address. */
export interface RawServer {
  readonly port: number;
  /** Closes the server and every connection: one whose data no one reads would stay open for ever. */
  stop(): Promise<void>;
}

/** Starts a TCP server. */
export async function startRawServer(onConnection: (socket: Socket) => void = () => undefined): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
