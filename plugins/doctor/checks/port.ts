import { createServer } from 'node:net'
import { type Finding, fine, wrong } from '../finding.js'

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop what listens there, or choose another port: --secure-port',
  EACCES: 'Choose a port above 1023, or allow it: setcap cap_net_bind_service=+ep $(command -v node)',
  EADDRNOTAVAIL: 'Name an address of this machine: --bind-address',
}

/** Can a server listen there? `serverPid` is one that serves from the same data folder already. */
export function checkPort(host: string, port: number, serverPid: number | undefined): Promise<Finding> {
  const place = `port ${port} of ${host}`
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '', message } = error
      if (code === 'EADDRINUSE' && serverPid !== undefined)
        resolve(fine(`${place} is taken, most likely by the server that runs (process ${serverPid})`))
      else
        resolve(
          wrong(
            code === 'EADDRINUSE' ? `${place} is taken by another process` : `${place} cannot be used: ${message}`,
            remedies[code] ?? 'Choose another address: --bind-address, --secure-port',
          ),
        )
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(fine(`${place} is free`))))
  })
}
