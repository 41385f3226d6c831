import { Socket } from 'node:net'
import { CallLink, LinkClosed } from '../isolation/call-link.js'
import type { Violation } from '../isolation/plugin-messages.js'
import { denyAnd } from './access-denied.js'
import { HostedPlugin } from './hosted-plugin.js'
import { reportDenials } from './report-denials.js'
import { restrictNetwork } from './restrict-network.js'
import { restrictProcess } from './restrict-process.js'

/** The stream to the server: see kernel/isolation/isolated-process.ts. */
const serverFd = 3
const maxMessageBytes = 64 * 1024 * 1024

const { memoryUsage, cpuUsage } = process
/** The resource usage of this process, for servers whose operating system does not report it. */
function usage(): object {
  const { user, system } = cpuUsage()
  return { memoryBytes: memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 }
}

/** The program of a process that hosts one plugin. It follows the server's calls and exits with it. */
export function runPluginProcess(): void {
  const stream = new Socket({ fd: serverFd, readable: true, writable: true })
  const violation = (refused: Violation) => link.notify('violation', refused)
  const deny = denyAnd(violation)
  const plugin = new HostedPlugin(() => link)
  const link: CallLink = new CallLink(stream, {
    maxBytes: maxMessageBytes,
    handlers: {
      ...plugin.handlers,
      load: content => {
        const hosts = Array.isArray(content['network']) ? content['network'].map(String) : []
        reportDenials(violation)
        restrictProcess(content['childProcesses'] === true, deny)
        restrictNetwork(hosts, stream, deny)
        return plugin.load(content)
      },
      ping: () => link.notify('alive', usage()),
    },
    broken: () => process.exit(1),
  })
  // Without a server there is nothing to do.
  stream.on('close', () => {
    link.close(new LinkClosed('the server is gone'))
    process.exit()
  })
}
