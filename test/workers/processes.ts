import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Processes that this one started, by what the system says. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => parentOf(pid) === parent)
    .sort((one, other) => one - other)
}

function parentOf(pid: number): number | undefined {
  try {
    // Behind the name, which may hold anything: state, parent.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields[0] === 'Z' ? undefined : Number(fields[1])
  } catch {
    return undefined
  }
}

export const isAlive = (pid: number): boolean => parentOf(pid) !== undefined

/** Which of these processes has the server's end of the connection from `clientPort` to `serverPort`. */
export function holderOf(pids: readonly number[], serverPort: number, clientPort: number): number | undefined {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .find(([, local = '', remote = '']) => local.endsWith(hex(serverPort)) && remote.endsWith(hex(clientPort)))?.[9]
  return pids.find(pid => socketsOf(pid).includes(`socket:[${inode}]`))
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map(fd => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ''
      }
    })
  } catch {
    return []
  }
}
