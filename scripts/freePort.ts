import { createServer } from 'node:net';

/** The first port from `first` on that nothing on this machine listens on. */
export async function freePort(first: number): Promise<number> {
  for (let port = first; port < first + 100; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${first} and ${first + 99} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => {
      probe.close(() => resolve(true));
    });
  });
}
