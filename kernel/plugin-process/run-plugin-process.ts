import { Socket } from 'node:net'
import { CallLink, LinkClosed } from '../isolation/call-link.js'
import { HostedPlugin } from './hosted-plugin.js'
import { restrictNetwork } from './restrict-network.js'
import { tellOfDenials } from './tell-of-denials.js'

/** The stream to the server: see kernel/isolation/isolated-process.ts. */
const serverFd = 3
const maxMessageBytes = 64 * 1024 * 1024

/** The program of a process that holds one plugin. It does what the server says, and ends with it. */
export function runPluginProcess(): void {
  const stream = new Socket({ fd: serverFd, readable: true, writable: true })
  const violation = (what: string) => link.tell('violation', { what })
  const plugin = new HostedPlugin(() => link)
  const link: CallLink = new CallLink(stream, {
    maxBytes: maxMessageBytes,
    handlers: {
      ...plugin.handlers,
      load: content => {
        const hosts = Array.isArray(content['network']) ? content['network'].map(String) : []
        restrictNetwork(hosts, violation)
        tellOfDenials(violation)
        return plugin.load(content)
      },
      ping: () => link.tell('alive', {}),
    },
    broken: () => process.exit(1),
  })
  // Nobody is left to serve.
  stream.on('close', () => {
    link.close(new LinkClosed('the server is gone'))
    process.exit()
  })
}
